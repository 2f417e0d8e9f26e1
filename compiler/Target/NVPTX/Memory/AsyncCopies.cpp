//===- AsyncCopies.cpp - Tiles filled by asynchronous copies --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/AsyncCopies.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/StagedTiles.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using regrain::isTile;

namespace {

constexpr unsigned leastCapability = 80;

/// A load and the store of its value to a tile.
struct Copy {
  LoadInst *load;
  StoreInst *store;
};

std::optional<Copy> copyBy(Instruction &instruction) {
  auto *store = dyn_cast<StoreInst>(&instruction);
  auto *load = store ? dyn_cast<LoadInst>(store->getValueOperand()) : nullptr;
  if (!load || !store->isSimple() || !load->isSimple() || !isTile(store->getPointerOperand()) ||
      load->getParent() != store->getParent() || !load->hasOneUse() ||
      !load->hasMetadata(LLVMContext::MD_invariant_load))
    return std::nullopt;
  uint64_t bytes = store->getDataLayout().getTypeStoreSize(load->getType());
  bool isWhole = bytes == 4 || bytes == 8 || bytes == 16;
  if (!isWhole || load->getAlign().value() < bytes || store->getAlign().value() < bytes)
    return std::nullopt;
  return Copy{load, store};
}

Intrinsic::ID intrinsicFor(uint64_t bytes) {
  switch (bytes) {
  case 4:
    return Intrinsic::nvvm_cp_async_ca_shared_global_4;
  case 8:
    return Intrinsic::nvvm_cp_async_ca_shared_global_8;
  default:
    return Intrinsic::nvvm_cp_async_cg_shared_global_16;
  }
}

/// Replaces a copy, and returns the call.
CallInst *replace(const Copy &copy) {
  IRBuilder<> builder(copy.store);
  uint64_t bytes = copy.store->getDataLayout().getTypeStoreSize(copy.load->getType());
  Value *from = builder.CreateAddrSpaceCast(copy.load->getPointerOperand(),
                                            builder.getPtrTy(regrain::globalSpace));
  CallInst *call =
      builder.CreateIntrinsic(intrinsicFor(bytes), {}, {copy.store->getPointerOperand(), from});
  copy.store->eraseFromParent();
  copy.load->eraseFromParent();
  return call;
}

/// Returns whether the instruction may see or change a tile, or let another thread do so.
bool mayMeetTile(const Instruction &instruction, const SmallPtrSetImpl<Instruction *> &copies) {
  if (copies.contains(&instruction) || !instruction.mayReadOrWriteMemory())
    return false;
  if (const auto *copy = dyn_cast<MemCpyInst>(&instruction); copy && regrain::isCopyOfRow(*copy))
    return false;
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  if (!pointer || instruction.isVolatile() || instruction.isAtomic())
    return true;
  if (isa<LoadInst>(instruction) && isTile(pointer, regrain::ringName))
    return false;
  unsigned space = pointer->getType()->getPointerAddressSpace();
  return !instruction.hasMetadata(LLVMContext::MD_invariant_load) &&
         (space == regrain::genericSpace || space == regrain::sharedSpace);
}

/// Puts waits before what may meet a tile, on all paths from the copies.
void addWaits(const SmallPtrSetImpl<Instruction *> &copies) {
  SmallPtrSet<Instruction *, 4> meetings;
  SmallPtrSet<BasicBlock *, 16> entered;
  SmallVector<BasicBlock::iterator> starts;
  for (Instruction *copy : copies)
    starts.push_back(std::next(copy->getIterator()));
  while (!starts.empty()) {
    BasicBlock::iterator at = starts.pop_back_val();
    BasicBlock &block = *at->getParent();
    while (at != block.end() && !mayMeetTile(*at, copies) && !isa<ReturnInst>(*at))
      ++at;
    if (at != block.end()) {
      meetings.insert(&*at);
      continue;
    }
    for (BasicBlock *next : successors(&block))
      if (entered.insert(next).second)
        starts.push_back(next->begin());
  }
  for (Instruction *meeting : meetings)
    IRBuilder<>(meeting).CreateIntrinsic(Intrinsic::nvvm_cp_async_wait_all, {}, {});
}

} // namespace

void regrain::nvptx::copyAsynchronously(Module &module, unsigned capability) {
  if (capability < leastCapability)
    return;
  for (Function &function : module) {
    SmallVector<Copy> found;
    for (BasicBlock &block : function)
      for (Instruction &instruction : block)
        if (std::optional<Copy> copy = copyBy(instruction))
          found.push_back(*copy);
    SmallPtrSet<Instruction *, 8> copies;
    for (const Copy &copy : found)
      copies.insert(replace(copy));
    addWaits(copies);
  }
}
