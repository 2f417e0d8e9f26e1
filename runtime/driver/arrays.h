//===- arrays.h - Copies of arrays in the driver API ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/driver/on_runtime.h"

namespace regrain::driver {

/// Returns whether the source or the destination is an array.
[[nodiscard]] bool isArrayCopy(const CUDA_MEMCPY2D &copy);

/// Copies rows to or from an array.
[[nodiscard]] CUresult copyArray(const CUDA_MEMCPY2D &copy);

} // namespace regrain::driver
