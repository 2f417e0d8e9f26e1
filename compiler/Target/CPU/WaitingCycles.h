//===- WaitingCycles.h - Where a thread may wait for others -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread in a cycle of control flow, or in recursion, may stay there until another thread has
// done something. It counts as waiting if something in the cycle may communicate, unless there is a
// proof that it does not:
// - the iteration count of the loop does not depend on what other threads do
//   (Target/Waiting/Decisions.h);
// - the loop ends by its own progress (Target/Waiting/OwnProgress.h).
//
// There are no such proofs for cycles with several entries and for recursion.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Waiting/Communication.h"

namespace regrain::cpu {

using waiting::Communication;
using waiting::Partners;

struct WaitingCycle {
  llvm::BasicBlock *header;
  llvm::SmallVector<llvm::BasicBlock *, 2> latches; ///< sources of the back edges
  Partners partners;                                ///< for whom it waits
  bool suspends;                                    ///< each iteration lets the others run anyway
};

/// Returns the cycles of `function` in which a thread may wait.
std::vector<WaitingCycle> waitingCycles(llvm::Function &function,
                                        const Communication &communication);

/// Finds where the threads of a module's functions let others run.
class Yields {
public:
  /// Inserts yields that let the other threads of the block run in each iteration of a cycle that
  /// may wait, in all functions except the library's.
  explicit Yields(llvm::Module &module);

  /// Returns whether `function` itself yields.
  bool areIn(const llvm::Function &function) const { return yielding.contains(&function); }
  /// Returns whether `kernel` may wait for something that its own block does not do.
  bool mayWaitForOthers(llvm::Function &kernel) const;

private:
  Communication communication;
  llvm::SmallPtrSet<const llvm::Function *, 8> yielding;
  llvm::DenseMap<const llvm::Function *, Partners> waiting; ///< what the function itself waits for,
                                                            ///< without its callees
};

} // namespace regrain::cpu
