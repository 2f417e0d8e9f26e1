//===- sm_61_intrinsics.h - Dot products ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef __SM_61_INTRINSICS_H__
#define __SM_61_INTRINSICS_H__
#pragma GCC system_header

#include "device_functions.h"

#endif
