//===- Regroup.h - Regrouping threads into other blocks ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fusing and reshaping put the threads of the program into other blocks. Each new thread derives
// which thread's work it does, and does nothing if there is no such thread in the launch:
//
//   grain.blocks (%b) { grain.threads (%t) { f(%b, %t) } }
//     =>  grain.blocks (%B) { grain.threads (%p) { if (inside) { f(b, t) } } }
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/Coarsening.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

namespace regrain {

/// The program's thread for which a thread of the new nest runs, per dimension.
struct RegroupedThread {
  std::array<mlir::Value, 3> block;
  std::array<mlir::Value, 3> thread;
  /// block * block_size + thread, which is often cheaper to use than both; null if the dimension
  /// stays as it was.
  std::array<mlir::Value, 3> index;
  mlir::Value inside; ///< i1: the thread exists in the program
};

/// Fills the new thread's body at `builder` with the code of `old`, including its code beside the
/// threads, under `thread.inside`. `mapping` maps the shared memory of `old`. Barriers then name
/// the loops of `body`. Stack allocations stay outside of the condition.
void createGuardedBody(mlir::OpBuilder &builder, grain::BlocksOp old, const RegroupedThread &thread,
                       mlir::Block &body, mlir::IRMapping &mapping);

/// Returns whether `sum` is block * block_size + thread in this dimension.
[[nodiscard]] bool isLaunchIndex(mlir::arith::AddIOp sum, grain::BlocksOp old, unsigned dimension);

/// Refuses a nest that has been re-grained already.
[[nodiscard]] std::optional<Refusal> checkOriginalNest(grain::BlocksOp blocks);

/// Refuses a nest that has been re-grained already, and effects outside of its threads.
[[nodiscard]] std::optional<Refusal> checkRegroupable(grain::BlocksOp blocks);

} // namespace regrain
