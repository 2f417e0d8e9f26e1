//===- sm_35_intrinsics.h - Read-only loads ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's __clang_cuda_intrinsics.h defines them; regrain_prelude.h includes it.
//
//===----------------------------------------------------------------------===//
#ifndef __SM_35_INTRINSICS_H__
#define __SM_35_INTRINSICS_H__
#pragma GCC system_header

#include "crt/host_defines.h"

#endif
