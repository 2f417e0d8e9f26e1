//===- ThreadValues.cpp - How values differ between threads ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/ThreadValues.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace regrain::amdgpu {

Coordinates coordinateOf(const Value &value) {
  auto *call = dyn_cast<IntrinsicInst>(&value);
  switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::amdgcn_workitem_id_x:
    return X;
  case Intrinsic::amdgcn_workitem_id_y:
    return Y;
  case Intrinsic::amdgcn_workitem_id_z:
    return Z;
  default:
    return None;
  }
}

unsigned coordinatesIn(const Function &function) {
  unsigned asked = None;
  for (const Instruction &inst : instructions(function))
    asked |= coordinateOf(inst);
  return asked;
}

namespace {

bool isLaunchFact(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::amdgcn_workgroup_id_x:
  case Intrinsic::amdgcn_workgroup_id_y:
  case Intrinsic::amdgcn_workgroup_id_z:
  case Intrinsic::amdgcn_implicitarg_ptr:
  case Intrinsic::amdgcn_dispatch_ptr:
  case Intrinsic::amdgcn_kernarg_segment_ptr:
    return true;
  default:
    return false;
  }
}

/// Returns whether a local variable is a copy of a parameter, or of such a copy, and is only read.
bool isParameter(const AllocaInst &variable, unsigned depth = 4) {
  auto isCopied = [&](const MemCpyInst &copy, const Instruction *pointer) {
    const Value *from = getUnderlyingObject(copy.getSource(), 0);
    auto *other = dyn_cast<AllocaInst>(from);
    return copy.getDest() != pointer || isa<Argument>(from) ||
           (other && depth > 0 && isParameter(*other, depth - 1));
  };
  SmallVector<const Instruction *> pointers = {&variable};
  while (!pointers.empty()) {
    const Instruction *pointer = pointers.pop_back_val();
    for (const User *user : pointer->users()) {
      auto *copy = dyn_cast<MemCpyInst>(user);
      if (isa<GetElementPtrInst, AddrSpaceCastInst>(user))
        pointers.push_back(cast<Instruction>(user));
      else if (!isa<LoadInst, LifetimeIntrinsic>(user) && !(copy && isCopied(*copy, pointer)))
        return false;
    }
  }
  return true;
}

/// Determines whether a value differs between the threads of a block.
class Differences {
public:
  explicit Differences(const FunctionShape &shape) : shape(shape) {}
  bool differs(const Value &value);
  bool differsAt(const Use &use);
  /// Returns whether threads may use values of different iterations of a loop in `user`.
  bool mixesRounds(const Instruction &user);

private:
  bool differsByRound(const Instruction &value, const Instruction &user);
  bool differsByWay(const PHINode &phi);
  bool branchesApart(const BasicBlock &block);

  const FunctionShape &shape;
  SmallPtrSet<const Value *, 16> seen;
};

bool Differences::differs(const Value &value) {
  auto *inst = dyn_cast<Instruction>(&value);
  if (!inst)
    return isa<Argument>(value) &&
           cast<Argument>(value).getParent()->getCallingConv() != CallingConv::AMDGPU_KERNEL;
  if (!seen.insert(inst).second)
    return false;
  if (auto *call = dyn_cast<CallBase>(inst)) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(call);
    if (!intrinsic)
      return true;
    if (isLaunchFact(intrinsic->getIntrinsicID()))
      return false;
    if (intrinsic->mayReadOrWriteMemory() || intrinsic->isConvergent() ||
        intrinsic->getCalledFunction()->getName().starts_with("llvm.amdgcn."))
      return true;
  } else if (auto *variable = dyn_cast<AllocaInst>(inst)) {
    return !isParameter(*variable);
  } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(inst)) {
    return true;
  }
  auto *phi = dyn_cast<PHINode>(inst);
  return (phi && differsByWay(*phi)) ||
         any_of(inst->operands(), [&](const Use &operand) { return differsAt(operand); });
}

bool Differences::differsAt(const Use &use) {
  auto *made = dyn_cast<Instruction>(use);
  return differs(*use) || (made && differsByRound(*made, *cast<Instruction>(use.getUser())));
}

bool Differences::mixesRounds(const Instruction &user) {
  return any_of(user.operands(), [&](const Use &operand) {
    auto *made = dyn_cast<Instruction>(operand);
    return made && differsByRound(*made, user);
  });
}

bool Differences::branchesApart(const BasicBlock &block) {
  const Instruction *end = block.getTerminator();
  return end->getNumSuccessors() > 1 && differs(*end->getOperand(0));
}

/// Returns whether threads may use values of different iterations of a loop that they have left.
bool Differences::differsByRound(const Instruction &value, const Instruction &user) {
  for (const Loop *loop = shape.loops.getLoopFor(value.getParent()); loop && !loop->contains(&user);
       loop = loop->getParentLoop()) {
    SmallVector<BasicBlock *> exiting;
    loop->getExitingBlocks(exiting);
    if (any_of(exiting, [&](const BasicBlock *block) { return branchesApart(*block); }))
      return true;
  }
  return false;
}

/// Returns whether threads may reach the phi along different edges, apart from back edges.
bool Differences::differsByWay(const PHINode &phi) {
  const BasicBlock *block = phi.getParent();
  auto *node = shape.dominators.getNode(block);
  if (phi.hasConstantValue() || !node || !node->getIDom())
    return false;
  const BasicBlock *above = node->getIDom()->getBlock();
  SmallSetVector<const BasicBlock *, 16> between;
  for (const BasicBlock *from : phi.blocks())
    if (!shape.dominators.dominates(block, from))
      between.insert(from);
  for (size_t i = 0; i < between.size(); ++i)
    if (between[i] != above)
      between.insert(pred_begin(between[i]), pred_end(between[i]));
  between.insert(above);
  return between.size() > 1 &&
         any_of(between, [&](const BasicBlock *from) { return branchesApart(*from); });
}

} // namespace

bool differsInBlock(const Value &value, const FunctionShape &shape) {
  return Differences(shape).differs(value);
}

bool differsInBlock(const Use &use, const FunctionShape &shape) {
  return Differences(shape).differsAt(use);
}

bool mixesRounds(const Instruction &user, const FunctionShape &shape) {
  return Differences(shape).mixesRounds(user);
}

void uniteCoordinates(Function &function) {
  SmallDenseMap<Intrinsic::ID, Instruction *> first;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    if (!call || !(isLaunchFact(call->getIntrinsicID()) || coordinateOf(*call)))
      continue;
    auto [found, isFirst] = first.try_emplace(call->getIntrinsicID(), call);
    if (isFirst) {
      call->moveBefore(&*function.getEntryBlock().getFirstInsertionPt());
    } else {
      call->replaceAllUsesWith(found->second);
      call->eraseFromParent();
    }
  }
}

} // namespace regrain::amdgpu
