//===- AtomicPairs.cpp - Atomic additions to two numbers of 16 bits -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/AtomicPairs.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/Frontend/DeviceScope.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <optional>

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Returns the part of an instruction's name that tells the address space; nothing for memory that
/// only the thread has, or that atomic operations cannot change.
std::optional<StringRef> spaceOf(const Value &pointer) {
  switch (pointer.getType()->getPointerAddressSpace()) {
  case globalSpace:
    return ".global";
  case sharedSpace:
    return ".shared";
  case genericSpace:
    return isa<AllocaInst>(getUnderlyingObject(&pointer, 0)) ? std::nullopt
                                                             : std::optional<StringRef>("");
  default:
    return std::nullopt;
  }
}

/// Returns the name of the type of two such numbers; nothing where there is no addition to them.
std::optional<StringRef> pairTypeOf(const Type &type, unsigned capability) {
  constexpr unsigned firstWithHalves = 70, firstWithBfloats = 90;
  if (type.isHalfTy() && capability >= firstWithHalves)
    return ".f16x2";
  if (type.isBFloatTy() && capability >= firstWithBfloats)
    return ".bf16x2";
  return std::nullopt;
}

/// Returns whether this is an atomic addition that may be part of a pair. LLVM's target, too, does
/// not carry out the order of such operations.
bool isAddition(const AtomicRMWInst &update, unsigned capability) {
  return update.getOperation() == AtomicRMWInst::FAdd && !update.isVolatile() &&
         update.getSyncScopeID() == update.getContext().getOrInsertSyncScopeID(deviceScope) &&
         pairTypeOf(*update.getType(), capability) && spaceOf(*update.getPointerOperand());
}

/// Returns whether the address of an addition to 16 bits is known to be a multiple of 4.
bool isOnLowerHalf(const AtomicRMWInst &update) {
  const Value *pointer = update.getPointerOperand();
  return std::max(update.getAlign(), pointer->getPointerAlignment(update.getDataLayout())) >=
         Align(4);
}

/// Returns whether `high` adds the same type of number, in the same way, to the upper half of the
/// aligned word at which `low` adds.
bool areHalvesOfWord(const AtomicRMWInst &low, const AtomicRMWInst &high) {
  const DataLayout &layout = low.getDataLayout();
  const Value *first = low.getPointerOperand(), *second = high.getPointerOperand();
  if (low.getType() != high.getType() || first->getType() != second->getType() ||
      !isOnLowerHalf(low))
    return false;
  unsigned bits = layout.getIndexTypeSizeInBits(first->getType());
  APInt from(bits, 0), to(bits, 0);
  first = first->stripAndAccumulateConstantOffsets(layout, from, /*AllowNonInbounds=*/true);
  second = second->stripAndAccumulateConstantOffsets(layout, to, /*AllowNonInbounds=*/true);
  return first == second && to - from == 2;
}

/// Returns the addition behind `low` that makes a pair with it, and can be done in its place; null
/// if there is none. Additions between them are to lower halves, so to other memory than the pair's
/// upper half.
AtomicRMWInst *partnerOf(AtomicRMWInst &low, unsigned capability) {
  for (Instruction *next = low.getNextNonDebugInstruction(); next;
       next = next->getNextNonDebugInstruction()) {
    auto *other = dyn_cast<AtomicRMWInst>(next);
    bool isOther = other && isAddition(*other, capability);
    if (isOther && areHalvesOfWord(low, *other))
      return other;
    if (isOther && isOnLowerHalf(*other))
      continue;
    if (next->mayReadOrWriteMemory() || !isGuaranteedToTransferExecutionToSuccessor(next))
      return nullptr;
  }
  return nullptr;
}

/// Adds to `moved`, operands first, what has to move before `low` so that the value is known there.
/// Returns false if that is impossible.
bool becomesKnown(Value *value, AtomicRMWInst &low, SmallSetVector<Instruction *, 4> &moved) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || instruction->getParent() != low.getParent() ||
      instruction->comesBefore(&low) || moved.contains(instruction))
    return true;
  if (instruction == &low || instruction->mayReadOrWriteMemory() ||
      !all_of(instruction->operands(),
              [&](Value *operand) { return becomesKnown(operand, low, moved); }))
    return false;
  moved.insert(instruction);
  return true;
}

/// Replaces two additions by one instruction in the place of the first. Returns false, and changes
/// nothing, if what is added to the upper half is not known there.
bool join(AtomicRMWInst &low, AtomicRMWInst &high, unsigned capability) {
  SmallSetVector<Instruction *, 4> moved;
  if (!becomesKnown(high.getValOperand(), low, moved))
    return false;
  for (Instruction *instruction : moved)
    instruction->moveBefore(&low);
  IRBuilder<> builder(&low);
  Value *pointer = low.getPointerOperand();
  auto wordOf = [&](AtomicRMWInst &update) {
    Value *bits = builder.CreateBitCast(update.getValOperand(), builder.getInt16Ty());
    return builder.CreateZExt(bits, builder.getInt32Ty());
  };
  Value *word = builder.CreateOr(wordOf(low), builder.CreateShl(wordOf(high), 16));
  std::string text = ("atom" + *spaceOf(*pointer) + ".add.noftz" +
                      *pairTypeOf(*low.getType(), capability) + " $0, [$1], $2;")
                         .str();
  auto *type = FunctionType::get(builder.getInt32Ty(), {pointer->getType(), word->getType()},
                                 /*isVarArg=*/false);
  auto *code = InlineAsm::get(type, text, "=r,l,r,~{memory}", /*hasSideEffects=*/true);
  CallInst *before = builder.CreateCall(code, {pointer, word});
  before->setDoesNotThrow();
  auto halfFrom = [&](Value *bits) {
    return builder.CreateBitCast(builder.CreateTrunc(bits, builder.getInt16Ty()), low.getType());
  };
  if (!low.use_empty())
    low.replaceAllUsesWith(halfFrom(before));
  if (!high.use_empty())
    high.replaceAllUsesWith(halfFrom(builder.CreateLShr(before, 16)));
  high.eraseFromParent();
  low.eraseFromParent();
  return true;
}

struct JoinAtomicPairs final : FunctionPass {
  static char ID;
  unsigned capability;
  explicit JoinAtomicPairs(unsigned capability) : FunctionPass(ID), capability(capability) {}

  void getAnalysisUsage(AnalysisUsage &usage) const override { usage.setPreservesCFG(); }
  bool runOnFunction(Function &function) override { return joinAtomicPairs(function, capability); }
};

char JoinAtomicPairs::ID = 0;

} // namespace

bool joinAtomicPairs(Function &function, unsigned capability) {
  SmallVector<AtomicRMWInst *> additions;
  for (Instruction &instruction : instructions(function))
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction);
        update && isAddition(*update, capability))
      additions.push_back(update);
  SmallPtrSet<AtomicRMWInst *, 8> joined;
  bool isChanged = false;
  for (AtomicRMWInst *low : additions) {
    AtomicRMWInst *high = joined.contains(low) ? nullptr : partnerOf(*low, capability);
    if (high && join(*low, *high, capability)) {
      joined.insert(high);
      isChanged = true;
    }
  }
  return isChanged;
}

FunctionPass *createJoinAtomicPairs(unsigned capability) { return new JoinAtomicPairs(capability); }

} // namespace regrain::nvptx
