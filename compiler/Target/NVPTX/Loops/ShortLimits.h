//===- ShortLimits.h - Limits of 32 bits for wide counters ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM widens the counter of a loop to 64 bits if it is an index, and compares all 64 bits with the
// limit. Registers have 32 bits: two are held, added to with a carry, and compared one after the
// other. If neither number takes more than 32 bits, the low halves decide.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/PassManager.h"

namespace regrain::nvptx {

/// Compares the low halves where an innermost loop with conditions ends when a counter of 64 bits
/// has reached a limit, and neither takes more than 32 bits. Without conditions, strength reduction
/// chooses counters by this comparison, and more of them (docs/decisions/0173). For behind
/// unrolling.
struct ShortLimits : llvm::PassInfoMixin<ShortLimits> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace regrain::nvptx
