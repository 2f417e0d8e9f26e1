//===- Clocks.h - Clocks whose time is stored -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only certain cases are found: a value that is computed from a clock by straight-line arithmetic
// and written to memory that outlives the block. Times that decide a condition or pass through a
// loop or through the thread's own memory are not followed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Returns an operation in `root` that stores a time, or null if none is found.
[[nodiscard]] mlir::Operation *findStoredTime(mlir::Operation *root);

} // namespace regrain
