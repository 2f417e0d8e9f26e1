//===- idle_driver_rest.cpp - Calls that the idle driver ignores ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bench/launch_path/idle_driver.h"

#define REGRAIN_DRIVER_CALL(name, symbol, parameters)                                              \
  __attribute__((weak)) CUresult idle_##name parameters { return CUresult(); }
#include "runtime/plugins/cuda/driver_api.def"
