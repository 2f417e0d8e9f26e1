//===- WordParts.cpp - Words that are loaded for their parts --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/WordParts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::nvptx {
namespace {

/// The halves to which a loaded word is shortened.
struct Halves {
  SmallVector<TruncInst *, 2> low, high;
};

/// Returns the halves if nothing else of the word is used, and both are.
std::optional<Halves> halvesOf(LoadInst &load) {
  if (!load.isSimple() || !load.getType()->isIntegerTy(64) || load.getAlign().value() < 8)
    return std::nullopt;
  Halves halves;
  auto add = [](User *user, auto &half) {
    auto *shortened = dyn_cast<TruncInst>(user);
    if (!shortened || !shortened->getType()->isIntegerTy(32))
      return false;
    half.push_back(shortened);
    return true;
  };
  for (User *user : load.users()) {
    bool isShift = match(user, m_LShr(m_Specific(&load), m_SpecificInt(32)));
    if (isShift ? !all_of(user->users(), [&](User *upper) { return add(upper, halves.high); })
                : !add(user, halves.low))
      return std::nullopt;
  }
  return halves.low.empty() || halves.high.empty() ? std::nullopt : std::optional(halves);
}

void loadVector(LoadInst &load, const Halves &halves) {
  IRBuilder<> builder(&load);
  LoadInst *vector =
      builder.CreateAlignedLoad(FixedVectorType::get(builder.getInt32Ty(), 2),
                                load.getPointerOperand(), load.getAlign(), load.getName());
  copyMetadataForLoad(*vector, load);
  SmallVector<Value *> former;
  for (auto [index, half] : enumerate(ArrayRef{&halves.low, &halves.high})) {
    Value *element = builder.CreateExtractElement(vector, index);
    for (TruncInst *shortened : *half) {
      shortened->replaceAllUsesWith(element);
      former.push_back(shortened);
    }
  }
  for (Value *value : former)
    RecursivelyDeleteTriviallyDeadInstructions(value);
}

} // namespace

PreservedAnalyses LoadWordParts::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<std::pair<LoadInst *, Halves>> found;
  for (Instruction &instruction : instructions(function))
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      if (std::optional<Halves> halves = halvesOf(*load))
        found.push_back({load, std::move(*halves)});
  for (auto &[load, halves] : found)
    loadVector(*load, halves);
  if (found.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace regrain::nvptx
