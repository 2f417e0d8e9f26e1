//===- error_text.cpp - Names and texts of CUDA errors --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/error_text.h"

namespace regrain {

ErrorText describe(cudaError_t error) {
  switch (error) {
#define REGRAIN_CUDA_ERROR(NAME, VALUE, TEXT)                                                      \
  case NAME:                                                                                       \
    return {#NAME, TEXT};
#include "include/cuda/regrain_errors.def"
  }
  return {"unrecognized error code", "unrecognized error code"};
}

std::string numberAndName(cudaError_t error) {
  return "CUDA error " + std::to_string(error) + " (" + describe(error).name + ")";
}

} // namespace regrain
