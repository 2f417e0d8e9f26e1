//===- device_launch_parameters.h - threadIdx and the like ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang declares the built-in variables; regrain_prelude.h includes them.
//
//===----------------------------------------------------------------------===//
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#pragma GCC system_header

#include "vector_types.h"

#endif
