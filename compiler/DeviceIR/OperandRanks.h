//===- OperandRanks.h - The order of operands in LLVM -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

namespace regrain {

/// The ranks by which LLVM's pass Reassociate orders the operands of sums and products: constants
/// are 0, arguments follow in their order, then what cannot be moved (loads, phis, divisions) in
/// the order of blocks, and an expression is one above its operands. They hold until the function
/// changes.
class OperandRanks {
public:
  explicit OperandRanks(llvm::Function &function);

  unsigned rankOf(const llvm::Value *value) const { return ranks.lookup(value); }

private:
  llvm::DenseMap<const llvm::Value *, unsigned> ranks;
};

} // namespace regrain
