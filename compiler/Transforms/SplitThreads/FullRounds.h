//===- FullRounds.h - Rounds in which all lanes run -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace regrain {

/// Creates a loop in front of `loop`, whose body is a branch that lanes take if they have an
/// iteration, and what all lanes do with its results. The new loop runs several rounds at a time as
/// long as every lane has an iteration in each, without the branch, and what all lanes do behind
/// the iterations of all rounds: loads do not wait for the rounds before. `loop` runs the rest.
/// `reach` is the distance from the counter of a round to that of the next one, and `last` that
/// from a round's counter to that of its last lane.
mlir::scf::ForOp createFullRounds(mlir::scf::ForOp loop, mlir::scf::IfOp branch, unsigned rounds,
                                  int64_t reach, int64_t last);

} // namespace regrain
