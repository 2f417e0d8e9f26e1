//===- OperandRanks.cpp - The order of operands in LLVM -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/DeviceIR/OperandRanks.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// A block leaves room for this many instructions below the next one.
static constexpr unsigned blockShift = 16;

regrain::OperandRanks::OperandRanks(Function &function) {
  unsigned rank = 2;
  for (const Argument &argument : function.args())
    ranks[&argument] = ++rank;
  for (const BasicBlock *block : ReversePostOrderTraversal<Function *>(&function)) {
    unsigned fixed = ++rank << blockShift;
    blocks[block] = fixed;
    for (const Instruction &instruction : *block)
      if (mayHaveNonDefUseDependency(instruction))
        ranks[&instruction] = ++fixed;
  }
}

unsigned regrain::OperandRanks::rankOf(const Value *value) {
  if (auto known = ranks.find(value); known != ranks.end())
    return known->second;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return 0;
  unsigned rank = 0, most = blocks.lookup(instruction->getParent());
  for (const Value *operand : instruction->operands()) {
    if (rank == most)
      break;
    rank = std::max(rank, rankOf(operand));
  }
  // A negation has the rank of its operand.
  if (!match(value,
             m_CombineOr(m_Neg(m_Value()), m_CombineOr(m_Not(m_Value()), m_FNeg(m_Value())))))
    ++rank;
  return ranks[value] = rank;
}
