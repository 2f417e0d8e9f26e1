//===- WaitingLoops.h - Loops that wait for another thread ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop may wait for another thread if a branch in it depends on what it reads
// over and over from one address: a volatile or atomic load, a plain one in a loop
// that has a fence but no barrier, a compare-exchange against a fixed value, an
// exchange, or an atomic operation that changes nothing. A compare-exchange
// against the value just read makes progress by itself and does not wait.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Analysis/LoopInfo.h"

namespace regrain {

/// The reads by which `loop` may wait, none where it does not. "None" is certain for
/// loops that read one location; a wait on addresses that differ in each turn is not
/// seen.
llvm::SmallVector<llvm::Instruction *> waitingReads(const llvm::Loop &loop);

/// The loops that may wait, the outer ones first.
llvm::SmallVector<llvm::Loop *> waitingLoops(llvm::LoopInfo &loops);

/// Whether an atomic operation leaves memory as it was.
bool changesNothing(const llvm::AtomicRMWInst &inst);

} // namespace regrain
