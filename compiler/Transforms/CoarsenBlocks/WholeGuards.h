//===- WholeGuards.h - Guards that all threads of a block pass --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/StageLoads/Conditions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace regrain {

/// Guards around the only control flow of a thread's body, outermost first.
struct WholeGuards {
  llvm::SmallVector<mlir::scf::IfOp> branches; ///< without results and without an else
  llvm::SmallVector<Extreme> extremes;         ///< that tell whether all threads pass them

  /// Removes the guards around what they guard, where all threads pass them.
  void inlineBranches();
};

/// Returns the guards of `threads`; none if their number is not known, if they meet at barriers, or
/// if a few threads do not tell whether all of them pass.
[[nodiscard]] WholeGuards findWholeGuards(grain::ThreadsOp threads);

} // namespace regrain
