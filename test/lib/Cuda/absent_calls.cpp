//===- absent_calls.cpp - What the interpreting driver lacks --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every entry point exists: a weak one here, or a strong one in another file.
//
//===----------------------------------------------------------------------===//
#include "test/lib/Cuda/driver_calls.h"

#define REGRAIN_DRIVER_CALL(name, symbol, parameters)                                              \
  __attribute__((weak)) CUresult interpreted_##name parameters { return CUDA_ERROR_NOT_SUPPORTED; }
#include "runtime/plugins/cuda/driver_api.def"
