//===- IterationSize.cpp - The size of an iteration of a loop -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Loops/IterationSize.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/Target/NVPTX/Calls/OwnAssembly.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Returns whether the address is that of another element than the address that it starts at.
bool isOfOtherElement(const GetElementPtrInst &address) {
  const DataLayout &layout = address.getDataLayout();
  auto *start = dyn_cast<GetElementPtrInst>(address.getPointerOperand());
  APInt offset(layout.getIndexTypeSizeInBits(address.getType()), 0);
  return start && address.accumulateConstantOffset(layout, offset) &&
         offset.abs().uge(layout.getTypeAllocSize(start->getSourceElementType()).getFixedValue());
}

/// Returns what the address of an access takes: an addition, and the extension of its index unless
/// that is an instruction of its own. LLVM has also taken constants out of indices.
uint64_t sizeOf(const GetElementPtrInst &address) {
  constexpr uint64_t ofSum = 1, ofExtendedSum = 2, ofConstantInIndex = 3;
  if (isOfOtherElement(address))
    return ofConstantInIndex;
  bool isExtended = all_of(address.indices(), [](const Use &index) {
    return isa<Constant>(index.get()) || isa<CastInst>(index.get());
  });
  return isExtended ? ofSum : ofExtendedSum;
}

/// Returns the size of one call of an intrinsic. A product that is fused with a sum counts as both,
/// because it depends on the form of the kernel whether they are one call already.
uint64_t sizeOf(const IntrinsicInst &call) {
  constexpr uint64_t ofRotation = 3, ofPair = 2;
  switch (call.getIntrinsicID()) {
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return ofRotation;
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::smax: // and the others: a comparison and a selection
  case Intrinsic::smin:
  case Intrinsic::umax:
  case Intrinsic::umin:
    return ofPair;
  default:
    return isa<DbgInfoIntrinsic, LifetimeIntrinsic, AssumeInst>(call) ? 0 : 1;
  }
}

/// Returns whether an index is extended for addresses of shared memory alone, which have 32 bits.
bool isIndexOfShared(const CastInst &extension) {
  return isa<SExtInst, ZExtInst>(extension) && all_of(extension.users(), [](const User *user) {
           auto *address = dyn_cast<GetElementPtrInst>(user);
           auto *variable =
               address ? dyn_cast<GlobalVariable>(getUnderlyingObject(address)) : nullptr;
           return variable && variable->getAddressSpace() == sharedSpace;
         });
}

/// Returns the size of one instruction of a loop that is unrolled in part, about as nvcc counts it.
/// Nothing is returned for calls of functions.
std::optional<uint64_t> sizeOf(const Instruction &instruction) {
  constexpr uint64_t ofDivision = 4;
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
    return sizeOf(*address);
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
    return sizeOf(*intrinsic);
  if (auto *call = dyn_cast<CallBase>(&instruction))
    return sizeOfOwnAssembly(*call);
  if (auto *branch = dyn_cast<BranchInst>(&instruction))
    return branch->isConditional();
  if (isa<PHINode>(instruction))
    return 0;
  if (auto *cast = dyn_cast<CastInst>(&instruction); cast && isIndexOfShared(*cast))
    return 0;
  bool divides = instruction.isIntDivRem() || instruction.getOpcode() == Instruction::FDiv;
  return divides ? ofDivision : 1;
}

} // namespace

std::optional<uint64_t> sizeOfIteration(const Loop &loop) {
  constexpr uint64_t ofCounter = 2; // comparison and branch: its addition counts, as with nvcc
  uint64_t size = 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      std::optional<uint64_t> own = sizeOf(instruction);
      if (!own)
        return std::nullopt;
      size += *own;
    }
  return std::max<uint64_t>(size, ofCounter + 1) - ofCounter;
}

} // namespace regrain::nvptx
