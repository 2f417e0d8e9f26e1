//===- regrain_fp16_device.h - Half precision across threads ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header has the read-only loads, shuffles and atomic additions of half
// and half2.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_FP16_DEVICE_H
#define REGRAIN_FP16_DEVICE_H
#pragma GCC system_header

#define REGRAIN_SCALAR __half
#define REGRAIN_SCALAR_RAW __half_raw
#define REGRAIN_PAIR __half2
#define REGRAIN_PAIR_RAW __half2_raw
#include "regrain_16_bits.inc"

#endif
