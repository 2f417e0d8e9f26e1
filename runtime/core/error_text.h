//===- error_text.h - Names and texts of CUDA errors ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"

#include <string>

namespace regrain {

struct ErrorText {
  const char *name; ///< the enumerator
  const char *text; ///< as of cudaGetErrorString
};

[[nodiscard]] ErrorText describe(cudaError_t error);

/// Returns "CUDA error 700 (cudaErrorIllegalAddress)".
[[nodiscard]] std::string numberAndName(cudaError_t error);

} // namespace regrain
