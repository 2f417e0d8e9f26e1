//===- OwnProgress.h - Loops that end by what they do themselves *- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proofs that a loop ends where its thread alone goes on, whatever the memory holds
// that it reads.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Waiting/Machine.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"

namespace regrain::waiting {

/// A compare-and-exchange that retries: each turn of the loop tries to exchange what
/// the thread has itself read there last, and success leaves the loop. By itself the
/// thread succeeds in its second turn.
bool retriesExchange(const llvm::Loop &loop, const llvm::DominatorTree &dominators);

/// A comparison by which a loop is left, of a number that grows (or falls) in each
/// turn with a limit: the limit is reached some time, whatever it is.
struct CountedExit {
  /// The number: it takes part in nothing but counting.
  llvm::Value *counter;
  llvm::Value *limit;
};

/// `condition` as such a comparison; `stays` is its value in a turn that is not the
/// last. What is counted is an induction variable, or the tickets that an atomic
/// addition draws from one place in each turn, of at most 32 bits and up to no constant above
/// a million: a thread that would have to draw more, alone, counts on somebody else.
std::optional<CountedExit> countedExit(llvm::Value &condition, bool stays, const llvm::Loop &loop,
                                       const llvm::DominatorTree &dominators,
                                       llvm::ScalarEvolution &evolution, const Machine &machine);

} // namespace regrain::waiting
