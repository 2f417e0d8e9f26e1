//===- BfloatRoundings.cpp - Floats that are rounded to bf16 --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Arithmetic/BfloatRoundings.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::nvptx {
namespace {

constexpr unsigned halfWord = 16;

/// Returns the values that are the bits of the rounded number, as the upper half of a word.
SmallVector<Instruction *> wordsOf(FPTruncInst &rounded) {
  SmallVector<Instruction *> words;
  for (User *bits : rounded.users()) {
    if (!match(bits, m_BitCast(m_Specific(&rounded))) || !bits->getType()->isIntegerTy(halfWord))
      continue;
    for (User *wide : bits->users())
      if (match(wide, m_ZExt(m_Specific(bits))) && wide->getType()->isIntegerTy(2 * halfWord))
        for (User *word : wide->users())
          if (match(word, m_Shl(m_Specific(wide), m_SpecificInt(halfWord))))
            words.push_back(cast<Instruction>(word));
  }
  return words;
}

bool round(FPTruncInst &rounded) {
  SmallVector<Instruction *> words = wordsOf(rounded);
  SmallVector<Instruction *> floats;
  for (User *user : rounded.users())
    if (isa<FPExtInst>(user) && user->getType()->isFloatTy())
      floats.push_back(cast<Instruction>(user));
  if (words.empty() && floats.empty())
    return false;
  IRBuilder<> builder(&rounded);
  Type *word = builder.getInt32Ty();
  Value *zero = ConstantFP::get(builder.getFloatTy(), 0);
  Value *pair =
      builder.CreateIntrinsic(Intrinsic::nvvm_ff2bf16x2_rn, {}, {rounded.getOperand(0), zero});
  Value *bits = builder.CreateBitCast(pair, word);
  for (Instruction *one : words)
    one->replaceAllUsesWith(bits);
  for (Instruction *one : floats)
    one->replaceAllUsesWith(builder.CreateBitCast(bits, builder.getFloatTy()));
  for (Instruction *unused : concat<Instruction *>(words, floats))
    unused->eraseFromParent();
  Value *half = builder.CreateTrunc(builder.CreateLShr(bits, halfWord), builder.getInt16Ty());
  rounded.replaceAllUsesWith(builder.CreateBitCast(half, rounded.getType()));
  rounded.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses RoundInWords::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<FPTruncInst *> roundings;
  for (Instruction &instruction : instructions(function))
    if (auto *rounding = dyn_cast<FPTruncInst>(&instruction);
        rounding && rounding->getType()->isBFloatTy() &&
        rounding->getOperand(0)->getType()->isFloatTy())
      roundings.push_back(rounding);
  bool isChanged = false;
  for (FPTruncInst *rounding : roundings)
    isChanged |= round(*rounding);
  return flowPreserved(isChanged);
}

} // namespace regrain::nvptx
