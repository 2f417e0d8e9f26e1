//===- LoadOrder.h - Which of two loads is issued first ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element of a row that each thread has for itself takes the first cache 32 look-ups, and what
// all threads read takes one. If an instruction needs both, it waits less if the load with one
// look-up is issued first: the other way round it stands behind all 32, and is returned after them.
// ptxas keeps the order of loads as far as it can (docs/decisions/0164).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// In loops that may write what they load, moves a load whose threads read far apart behind loads
/// of near ones that the same instruction waits for. No load is moved over what may write to
/// memory. Other loads are issued together with those of further iterations, and stay.
struct LoadOrder : llvm::PassInfoMixin<LoadOrder> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
