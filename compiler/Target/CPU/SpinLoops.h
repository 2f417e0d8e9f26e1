//===- SpinLoops.h - Loops that wait for another thread ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which may, says Target/WaitingLoops.h.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"

namespace regrain::cpu {

/// True if a loop of `function` may wait.
bool mayWaitInLoop(llvm::Function &function);

/// Lets the other threads run at each turn of a loop that may wait.
void insertYields(llvm::Function &function);

} // namespace regrain::cpu
