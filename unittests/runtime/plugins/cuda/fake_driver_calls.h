//===- fake_driver_calls.h - Entry points of the fake driver ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plugins/cuda/driver.h"

using regrain::cuda::DriverArrayShape;
using regrain::cuda::DriverConditionalNode;
using regrain::cuda::DriverCopy2D;
using regrain::cuda::DriverCopy3D;
using regrain::cuda::DriverLaunch;
using regrain::cuda::DriverResource;
using regrain::cuda::DriverTexture;
using regrain::cuda::DriverView;

/// Records the call and returns the result that the test has set for it.
CUresult record(const char *symbol);

/// Records the call as one that fails, and returns `result`.
CUresult fail(const char *symbol, CUresult result);

extern "C" {
#define REGRAIN_DRIVER_CALL(name, symbol, parameters)                                              \
  CUresult fake_##name parameters __asm__(symbol);
#include "runtime/plugins/cuda/driver_api.def"
}
