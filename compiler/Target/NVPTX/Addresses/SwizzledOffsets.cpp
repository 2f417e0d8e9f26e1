//===- SwizzledOffsets.cpp - Constant parts of swizzled addresses ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Addresses/SwizzledOffsets.h"

#include "compiler/Target/NVPTX/KeptBlocks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::nvptx {

namespace {

/// The addresses from which a loop is worth the change: a quarter of the registers that a thread
/// can have. With fewer, ptxas may order the loop for one block more on a multiprocessor, and let
/// instructions of matrices wait for each other.
constexpr size_t manyAddresses = 64;

/// (base + constant) ^ exchanged, where no bit of the constant can be exchanged
struct Swizzle {
  Value *base = nullptr, *exchanged = nullptr;
  const APInt *constant = nullptr;
};

std::optional<Swizzle> swizzleOf(Instruction &address) {
  if (address.getOpcode() != Instruction::Xor)
    return std::nullopt;
  for (unsigned side : {0, 1}) {
    Swizzle swizzle = {.exchanged = address.getOperand(1 - side)};
    if (match(address.getOperand(side),
              m_AddLike(m_Value(swizzle.base), m_APInt(swizzle.constant))) &&
        computeKnownBits(swizzle.exchanged, address.getDataLayout()).countMaxActiveBits() <=
            swizzle.constant->countr_zero())
      return swizzle;
  }
  return std::nullopt;
}

/// Returns the loop in which the swizzle is used as an address, maybe behind further steps, if it
/// changes neither of its parts; otherwise null.
const Loop *holdingLoop(const Swizzle &swizzle, const Instruction &step, const LoopInfo &loops) {
  for (const User *user : step.users()) {
    auto *instruction = cast<Instruction>(user);
    const Loop *loop = loops.getLoopFor(instruction->getParent());
    auto *call = dyn_cast<CallBase>(user);
    if (isa<ZExtInst>(user) || match(user, m_Xor(m_Value(), m_Value())))
      loop = holdingLoop(swizzle, *instruction, loops);
    else if (!isa<IntToPtrInst, GetElementPtrInst>(user) && !(call && call->isInlineAsm()))
      continue;
    if (loop && loop->isLoopInvariant(swizzle.base) && loop->isLoopInvariant(swizzle.exchanged))
      return loop;
  }
  return nullptr;
}

/// Returns the addresses that a constant can leave, by the loops that hold them.
MapVector<const Loop *, SmallVector<WeakTrackingVH>> swizzlesOf(Function &function,
                                                                const LoopInfo &loops) {
  MapVector<const Loop *, SmallVector<WeakTrackingVH>> found;
  for (Instruction &one : instructions(function))
    if (std::optional<Swizzle> swizzle = swizzleOf(one))
      if (const Loop *loop = holdingLoop(*swizzle, one, loops))
        found[loop].emplace_back(&one);
  return found;
}

/// Adds the constant behind the `xor`, and behind further steps. What it is computed from may have
/// changed in the same way.
void addBehind(Instruction *address) {
  std::optional<Swizzle> swizzle = swizzleOf(*address);
  if (!swizzle)
    return;
  IRBuilder<> builder(address);
  Value *sum = builder.CreateAdd(builder.CreateXor(swizzle->base, swizzle->exchanged),
                                 ConstantInt::get(address->getType(), *swizzle->constant));
  sum->takeName(address);
  SmallSetVector<User *, 4> users(address->user_begin(), address->user_end());
  address->replaceAllUsesWith(sum);
  address->eraseFromParent();
  for (User *step : users)
    addBehind(cast<Instruction>(step));
}

} // namespace

PreservedAnalyses SwizzledOffsets::run(Function &function, FunctionAnalysisManager &analyses) {
  bool hasChanged = false;
  for (const auto &[loop, swizzles] :
       swizzlesOf(function, analyses.getResult<LoopAnalysis>(function)))
    if (swizzles.size() >= manyAddresses) {
      for (const WeakTrackingVH &swizzle : swizzles)
        if (auto *address = dyn_cast_or_null<Instruction>(swizzle))
          addBehind(address);
      hasChanged = true;
    }
  return preservedWithBlocks(hasChanged);
}

} // namespace regrain::nvptx
