//===- Signs.h - Integers that are not negative -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Returns whether an integer is proved not to be negative wherever `at` runs: by the operations
/// that compute it, or by the branches in which `at` is.
[[nodiscard]] bool isNonNegative(mlir::Value value, mlir::Operation *at);

/// Returns the value that decides whether `value` is negative: if that is not negative, neither is
/// `value`. It is `value` itself if no other one does.
[[nodiscard]] mlir::Value signRootOf(mlir::Value value);

} // namespace regrain
