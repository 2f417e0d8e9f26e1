//===- api_check.cpp - Check that every entry is defined ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "include/cuda/cuda_runtime_api.h"

namespace {

using AnyFunction = void (*)();

/// If no file defines an entry of regrain_api.def, it fails to link here.
[[gnu::used]] const AnyFunction declaredEntries[] = {
#define REGRAIN_CUDA_API(RESULT, NAME, PARAMETERS, GROUP) reinterpret_cast<AnyFunction>(&NAME),
#include "include/cuda/regrain_api.def"
};

} // namespace
