//===- EarlyCounters.h - Counters of loops that a flag ends -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that ends early comes from grain IR with a flag: where its length ends it, the flag is
// false, and the counter's next value is poison. LLVM does not see that this is a counter.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Computes values of innermost loops that are poison on other ways before the ways part, if they
/// may be computed there.
class EarlyCounters : public llvm::PassInfoMixin<EarlyCounters> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
