//===- Clocks.h - Clocks whose time is stored -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds what is sure alone: a value computed from a clock by arithmetic in one
// straight line is written to memory that outlives the block. Times that decide a
// condition, pass through a loop or through memory of the thread are not followed.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// An operation in `root` that stores a time, or null where none is known to.
[[nodiscard]] mlir::Operation *findStoredTime(mlir::Operation *root);

} // namespace regrain
