//===- OwnProgress.h - Loops that end by their own progress -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These functions prove that a loop ends if only its own thread runs, whatever is in the memory
// that it reads.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Waiting/Machine.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"

namespace regrain::waiting {

/// Returns whether the loop retries a compare-and-exchange: each iteration tries to exchange what
/// the thread itself has last read there, and success leaves the loop. A thread that runs alone
/// succeeds in its second iteration.
bool retriesExchange(const llvm::Loop &loop, const llvm::DominatorTree &dominators);

/// A comparison that leaves a loop, between a limit and a number that grows (or falls) in each
/// iteration: the limit, whatever it is, is reached at some time.
struct CountedExit {
  /// The number. It is used for nothing but counting.
  llvm::Value *counter;
  llvm::Value *limit;
};

/// Returns `condition` as such a comparison; `stays` is its value in every iteration but the last.
/// The counter is an induction variable, or the tickets that an atomic addition draws from one
/// place in each iteration. Tickets have at most 32 bits, and a constant limit is at most about a
/// million: a thread that would have to draw more by itself relies on other threads.
std::optional<CountedExit> countedExit(llvm::Value &condition, bool stays, const llvm::Loop &loop,
                                       const llvm::DominatorTree &dominators,
                                       llvm::ScalarEvolution &evolution, const Machine &machine);

} // namespace regrain::waiting
