//===- UnrollLoops.h - Loops of known length --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace regrain {

/// Returns what a condition is whenever it is computed, or nothing if that is not known.
using DecideCondition = llvm::function_ref<std::optional<bool>(mlir::Value)>;

/// Returns what a constant is.
[[nodiscard]] std::optional<bool> decideConstant(mlir::Value condition);

/// Replaces an `scf.for` or `scf.while` by its iterations if their number is known and they take at
/// most `budget` operations, of which the iterations are subtracted. `decide` is asked about the
/// conditions of iterations, as they would be in front of the loop. Returns the number; otherwise
/// nothing, and nothing has changed.
std::optional<unsigned> unrollLoop(mlir::Operation *loop, unsigned &budget,
                                   DecideCondition decide = decideConstant);

} // namespace regrain
