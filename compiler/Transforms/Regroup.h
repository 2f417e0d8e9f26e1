//===- Regroup.h - What other blocks of the same threads need ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fusing and reshaping put the threads of the program into other blocks; each
// new thread derives whose work it does, and does none outside of the launch:
//
//   grain.blocks (%b) { grain.threads (%t) { f(%b, %t) } }
//     =>  grain.blocks (%B) { grain.threads (%p) { if (inside) { f(b, t) } } }
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/Coarsening.h"
#include "mlir/IR/IRMapping.h"

namespace regrain {

/// A thread of the program, per dimension, as a thread of the new nest sees it.
struct RegroupedThread {
  std::array<mlir::Value, 3> block;
  std::array<mlir::Value, 3> thread;
  /// block * block_size + thread, which is often cheaper than both; null where
  /// the dimension stays as it was.
  std::array<mlir::Value, 3> index;
  mlir::Value inside; ///< i1: the program has that thread
};

/// Fills the new thread's body at `builder` with the code of `old`, its code
/// beside the threads included, under `thread.inside`. `mapping` maps the shared
/// memory of `old`. Barriers then name the loops of `body`. Stack memory stays
/// outside of the condition.
void createGuardedBody(mlir::OpBuilder &builder, grain::BlocksOp old, const RegroupedThread &thread,
                       mlir::Block &body, mlir::IRMapping &mapping);

/// Refuses a nest that has been re-grained.
llvm::LogicalResult checkOriginalNest(grain::BlocksOp blocks, Refusal &refusal);

/// Refuses a nest that has been re-grained, and effects outside of its threads.
llvm::LogicalResult checkRegroupable(grain::BlocksOp blocks, Refusal &refusal);

} // namespace regrain
