//===- Convergence.h - Operations that threads do together ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles, votes, matrix instructions and their like work on the lanes of one
// warp. A schedule that changes which threads run side by side must keep warps
// whole for them. Barriers of the block are `grain.barrier` (see Barriers.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// What an operation asks of the threads that run it.
enum class Convergence {
  None,    ///< nothing: each thread runs it for itself
  Warp,    ///< the lanes of a warp run it together, or it names a lane
  Unknown, ///< it may synchronise in ways that no schedule but the original keeps
};

/// Of `op` itself, not of what its regions hold. Volatile accesses count as
/// Warp: code older than __syncwarp exchanges values between lanes with them.
[[nodiscard]] Convergence convergenceOf(mlir::Operation *op);

/// The first operation in `root` whose convergence is at least `least`, or null.
[[nodiscard]] mlir::Operation *findConvergent(mlir::Operation *root, Convergence least);

/// The function that a call names, or null.
[[nodiscard]] mlir::LLVM::LLVMFuncOp calleeOf(mlir::LLVM::CallOp call);

/// True where the call's result is a function of its operands alone, and it
/// does nothing else.
[[nodiscard]] bool isPureCall(mlir::LLVM::CallOp call);

/// True where the call touches no memory that a program can name.
[[nodiscard]] bool touchesNoMemory(mlir::LLVM::CallOp call);

/// Whether `op` has an effect besides its results. Unknown operations have.
[[nodiscard]] bool hasEffect(mlir::Operation *op);

} // namespace regrain
