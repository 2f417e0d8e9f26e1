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

/// A negation has the rank of its operand.
static bool isNegation(const Instruction &instruction) {
  return match(&instruction, m_Neg(m_Value())) || match(&instruction, m_Not(m_Value())) ||
         match(&instruction, m_FNeg(m_Value()));
}

// What an instruction uses precedes it in this order, except for operands of phis.
regrain::OperandRanks::OperandRanks(Function &function) {
  unsigned next = 2;
  for (const Argument &argument : function.args())
    ranks[&argument] = ++next;
  for (const BasicBlock *block : ReversePostOrderTraversal<Function *>(&function)) {
    unsigned ofBlock = ++next << blockShift, fixed = ofBlock;
    for (const Instruction &instruction : *block) {
      if (mayHaveNonDefUseDependency(instruction)) {
        ranks[&instruction] = ++fixed;
        continue;
      }
      unsigned rank = 0;
      for (const Value *operand : instruction.operands())
        if (rank != ofBlock)
          rank = std::max(rank, rankOf(operand));
      ranks[&instruction] = rank + !isNegation(instruction);
    }
  }
}
