//===- WarpMeetings.h - Warp operations of several places -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Since Volta the lanes that a mask names may stand at different places of the code
// when they run a warp operation together: one in a loop, another behind it; or in
// different rounds of a loop. Copies of the code that one thread runs keep the order of
// the operations of one place in one round, and of places that a lane comes to only
// together, but not of others: one lane would meet another's operation of the wrong copy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

struct Meeting {
  mlir::Operation *op;
  llvm::StringLiteral where; ///< "in different rounds of a loop"
};

/// A warp operation that lanes elsewhere in the code, or in another round, may run together
/// with those here. Lanes of one warp take different ways only where what decides differs
/// from thread to thread; a barrier of the block on every way between two operations, or
/// another kind of operation, keeps them apart. Rounds are kept apart by a barrier, or by an
/// operation of all lanes of another kind, in each of them.
[[nodiscard]] std::optional<Meeting> findMeeting(grain::KernelOp kernel);

} // namespace regrain
