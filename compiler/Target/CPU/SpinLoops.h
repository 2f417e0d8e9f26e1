//===- SpinLoops.h - Loops that wait for another thread ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop may wait for another thread if a branch in it depends on what it reads
// over and over from one address: a volatile or atomic load, a compare-exchange
// against a fixed value, an exchange, or an atomic operation that changes
// nothing. A compare-exchange against the value just read makes progress by
// itself and does not wait.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"

namespace regrain::cpu {

/// True if a loop of `function` may wait. "False" is certain for loops that read
/// one location; a wait on addresses that differ in each turn is not seen.
bool mayWaitInLoop(llvm::Function &function);

/// Lets the other threads run at each turn of a loop that may wait.
void insertYields(llvm::Function &function);

} // namespace regrain::cpu
