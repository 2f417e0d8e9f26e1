//===- UnrollLoops.h - Loops of known length --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/Operation.h"

namespace regrain {

/// Replaces an `scf.for` or `scf.while` by its iterations if constants decide their number, and if
/// they take at most `budget` operations, of which the iterations are subtracted. Returns false,
/// and changes nothing, otherwise.
bool unrollLoop(mlir::Operation *loop, unsigned &budget);

} // namespace regrain
