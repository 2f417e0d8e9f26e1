//===- WarpMeetings.h - Warp operations at several places -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Since Volta, the lanes that a mask names may be at different places of the code when they run a
// warp operation together: one inside a loop and another behind it, or in different iterations of a
// loop. If one thread runs several copies of the code, the copies keep the order of the operations
// of one place in one iteration, and of places that a lane reaches only together. They do not keep
// the order of others: a lane would meet an operation of another lane that belongs to the wrong
// copy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

struct Meeting {
  mlir::Operation *op;
  llvm::StringLiteral where; ///< "in different iterations of a loop"
};

/// Returns whether lanes of a warp wait for each other, and do nothing else (`__syncwarp`).
[[nodiscard]] bool isWarpBarrier(mlir::Operation *op);

/// Returns a warp operation that lanes elsewhere in the code, or in another iteration, may run
/// together with those here, or nothing if there is none. Lanes of one warp diverge only if the
/// condition differs from thread to thread. A barrier of the block on every path between two
/// operations keeps them apart, and so does a different kind. Iterations are kept apart by a
/// barrier in each of them, or by an operation of all lanes that is of another kind.
[[nodiscard]] std::optional<Meeting> findMeeting(grain::KernelOp kernel);

} // namespace regrain
