//===- WaitingCycles.h - Where a thread may wait for others -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that goes round in control flow, or calls a function again that has not
// returned, may do so until another thread has done something. It is taken to wait
// wherever something in the cycle may communicate, but where a proof says otherwise:
//   - how often a loop goes round does not depend on what other threads do
//     (Target/Waiting/Decisions.h);
//   - the loop ends by what it does itself (Target/Waiting/OwnProgress.h).
// Cycles with several entries, and recursion, have no proof.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Waiting/Communication.h"

namespace regrain::cpu {

using waiting::Communication;
using waiting::Partners;

struct WaitingCycle {
  llvm::BasicBlock *header;
  llvm::SmallVector<llvm::BasicBlock *, 2> latches; ///< from which it goes round
  Partners partners;                                ///< whom it waits for
  bool suspends;                                    ///< each turn lets the others run anyway
};

/// The cycles of `function` in which a thread may wait.
std::vector<WaitingCycle> waitingCycles(llvm::Function &function,
                                        const Communication &communication);

/// Where the threads of a module's functions let others run.
class Yields {
public:
  /// Lets the other threads of the block run in each turn of a cycle that may wait, in
  /// all functions that are not the library's.
  explicit Yields(llvm::Module &module);

  /// Whether `function` itself yields.
  bool areIn(const llvm::Function &function) const { return yielding.contains(&function); }
  /// Whether `kernel` may wait for what is not done by its own block.
  bool mayWaitForOthers(llvm::Function &kernel) const;

private:
  Communication communication;
  llvm::SmallPtrSet<const llvm::Function *, 8> yielding;
  llvm::DenseMap<const llvm::Function *, Partners> waiting; ///< itself, not what it calls
};

} // namespace regrain::cpu
