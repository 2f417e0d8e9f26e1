//===- SplitWords.cpp - Words that are used by halves ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/SplitWords.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include <array>

using namespace llvm;
using namespace llvm::PatternMatch;

/// The values of 32 bits that are one half of a word.
using Half = SmallVector<Instruction *, 2>;

/// Adds the users that are the low half of `value`. Returns false if it has others.
static bool addLowHalves(Instruction &value, Half &half) {
  for (User *user : value.users()) {
    auto *low = dyn_cast<TruncInst>(user);
    if (!low || !low->getType()->isIntegerTy(32))
      return false;
    half.push_back(low);
  }
  return true;
}

/// Adds the users of a word to the halves that they are. Returns false if it has others.
static bool addHalves(Instruction &word, std::array<Half, 2> &halves) {
  return all_of(word.users(), [&](User *user) {
    if (match(user, m_LShr(m_Specific(&word), m_SpecificInt(32))))
      return addLowHalves(*cast<Instruction>(user), halves[1]);
    auto *low = dyn_cast<TruncInst>(user);
    if (!low || !low->getType()->isIntegerTy(32))
      return false;
    halves[0].push_back(low);
    return true;
  });
}

static bool split(LoadInst &load) {
  std::array<Half, 2> halves;
  if (!load.isSimple() || !load.getType()->isIntegerTy(64) || load.getAlign() < Align(8) ||
      !addHalves(load, halves) || halves[0].empty() || halves[1].empty())
    return false;
  IRBuilder<> builder(&load);
  LoadInst *pair =
      builder.CreateAlignedLoad(FixedVectorType::get(builder.getInt32Ty(), 2),
                                load.getPointerOperand(), load.getAlign(), load.getName());
  pair->copyMetadata(load, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
                            LLVMContext::MD_noalias, LLVMContext::MD_nontemporal,
                            LLVMContext::MD_invariant_load, LLVMContext::MD_access_group});
  for (unsigned index : {0u, 1u}) {
    Value *element = builder.CreateExtractElement(pair, index);
    for (Instruction *half : halves[index]) {
      half->replaceAllUsesWith(element);
      Value *shifted = half->getOperand(0);
      half->eraseFromParent();
      if (auto *shift = dyn_cast<BinaryOperator>(shifted); shift && shift->use_empty())
        shift->eraseFromParent();
    }
  }
  load.eraseFromParent();
  return true;
}

PreservedAnalyses regrain::nvptx::SplitWords::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<LoadInst *> loads;
  for (Instruction &instruction : instructions(function))
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      loads.push_back(load);
  bool isChanged = false;
  for (LoadInst *load : loads)
    isChanged |= split(*load);
  return flowPreserved(isChanged);
}
