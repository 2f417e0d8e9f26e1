//===- OwnVolatiles.cpp - Volatile variables of one thread ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/OwnVolatiles.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

/// Collects the loads and stores at an address, and at addresses that are made from it. Returns
/// whether nothing else uses these, and no access is of a number with a fraction.
bool collectAccesses(Value &pointer, SmallVectorImpl<Instruction *> &accesses) {
  return all_of(pointer.uses(), [&](const Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    if (isa<GetElementPtrInst, AddrSpaceCastInst>(user))
      return collectAccesses(*user, accesses);
    if (isa<LifetimeIntrinsic, DbgInfoIntrinsic>(user))
      return true;
    if (!isa<LoadInst, StoreInst>(user) || user->isAtomic())
      return false;
    accesses.push_back(user);
    unsigned address = isa<LoadInst>(user) ? LoadInst::getPointerOperandIndex()
                                           : StoreInst::getPointerOperandIndex();
    return use.getOperandNo() == address && getLoadStoreType(user)->isIntOrPtrTy();
  });
}

/// Makes the access plain. Returns whether it was volatile.
bool makePlain(Instruction &access) {
  bool isVolatile = access.isVolatile();
  if (auto *load = dyn_cast<LoadInst>(&access))
    load->setVolatile(false);
  else
    cast<StoreInst>(access).setVolatile(false);
  return isVolatile;
}

/// Lets the function run for ever. A volatile access is an effect, so that a loop with one may have
/// no end, while LLVM removes a loop that has neither an effect nor an end.
void allowEndlessLoops(Function &function) {
  function.removeFnAttr(Attribute::MustProgress);
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (Loop *loop : loops.getLoopsInPreorder())
    if (MDNode *properties = loop->getLoopID())
      loop->setLoopID(makePostTransformationMetadata(function.getContext(), properties,
                                                     {"llvm.loop.mustprogress"}, {}));
}

void releaseIn(Function &function) {
  bool isReleased = false;
  for (Instruction &instruction : instructions(function)) {
    SmallVector<Instruction *> accesses;
    if (!isa<AllocaInst>(instruction) || !collectAccesses(instruction, accesses))
      continue;
    for (Instruction *access : accesses)
      isReleased |= makePlain(*access);
  }
  if (isReleased)
    allowEndlessLoops(function);
}

} // namespace

void regrain::nvptx::releaseOwnVolatiles(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      releaseIn(function);
}
