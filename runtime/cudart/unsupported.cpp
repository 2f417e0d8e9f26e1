//===- unsupported.cpp - Entries that the runtime refuses -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/entry.h"

using namespace regrain;

#define REGRAIN_CUDA_API_WITHOUT_DEFAULTS
#define REGRAIN_CUDA_API(RESULT, NAME, PARAMETERS, GROUP)
#define REGRAIN_CUDA_STREAM_API(RESULT, NAME, PARAMETERS, ARGUMENTS, GROUP)
#define REGRAIN_CUDA_DEFAULT_STREAM_API(RESULT, NAME, PARAMETERS, GROUP)
#define REGRAIN_CUDA_REFUSED_API(NAME, PARAMETERS, GROUP)                                          \
  cudaError_t NAME PARAMETERS { return notSupported(#NAME); }
#include "include/cuda/regrain_api.def"
