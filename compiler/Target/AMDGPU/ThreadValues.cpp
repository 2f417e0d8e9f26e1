//===- ThreadValues.cpp - How values differ between threads ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/ThreadValues.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::amdgpu {

bool asksForRows(const Function &function) {
  for (const Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&inst))
      if (call->getIntrinsicID() == Intrinsic::amdgcn_workitem_id_y ||
          call->getIntrinsicID() == Intrinsic::amdgcn_workitem_id_z)
        return true;
  return false;
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

bool isThreadFact(Intrinsic::ID id) {
  return id == Intrinsic::amdgcn_workitem_id_x || id == Intrinsic::amdgcn_workitem_id_y ||
         id == Intrinsic::amdgcn_workitem_id_z;
}

bool differs(const Value &value, SmallPtrSetImpl<const Value *> &seen) {
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
  } else if (isa<AtomicRMWInst, AtomicCmpXchgInst, AllocaInst>(inst)) {
    return true;
  }
  return any_of(inst->operands(), [&](const Use &operand) { return differs(*operand, seen); });
}

const Value *withoutCasts(const Value *value) {
  while (isa<ZExtInst, SExtInst, TruncInst, FreezeInst>(value))
    value = cast<Instruction>(value)->getOperand(0);
  return value;
}

/// What a sum is made of: x and further terms, of which those that differ are
/// products of y or z with sizes. `all` is set where x, y and z are all in it.
bool isThreadNumber(const Value *value, bool &hasX, bool &hasRow) {
  value = withoutCasts(value);
  if (match(value, m_Intrinsic<Intrinsic::amdgcn_workitem_id_x>()))
    return !std::exchange(hasX, true);
  if (match(value, m_Intrinsic<Intrinsic::amdgcn_workitem_id_y>()) ||
      match(value, m_Intrinsic<Intrinsic::amdgcn_workitem_id_z>())) {
    hasRow = true;
    return true;
  }
  if (!differsInBlock(*value))
    return true;
  const Value *left, *right;
  if (match(value, m_Add(m_Value(left), m_Value(right))) ||
      match(value, m_DisjointOr(m_Value(left), m_Value(right))))
    return isThreadNumber(left, hasX, hasRow) && isThreadNumber(right, hasX, hasRow);
  if (match(value, m_Mul(m_Value(left), m_Value(right))) ||
      match(value, m_Shl(m_Value(left), m_Value(right)))) {
    bool scaledX = false;
    const Value *scaled = differsInBlock(*left) ? left : right;
    const Value *factor = scaled == left ? right : left;
    return !differsInBlock(*factor) && isThreadNumber(scaled, scaledX, hasRow) && !scaledX;
  }
  return false;
}

/// Whether no two lanes of a wave have the same `value`.
bool isOneToOne(const Value *value, const Function &function, unsigned waveSize) {
  value = withoutCasts(value);
  const APInt *mask;
  const Value *masked;
  if (match(value, m_And(m_Value(masked), m_APInt(mask))))
    return mask->countTrailingOnes() >= Log2_32(waveSize) && isOneToOne(masked, function, waveSize);
  if (match(value, m_Intrinsic<Intrinsic::amdgcn_mbcnt_hi>(m_AllOnes(), m_Value())))
    return true;
  if (match(value, m_Intrinsic<Intrinsic::amdgcn_mbcnt_lo>(m_AllOnes(), m_Zero())))
    return waveSize == 32;
  bool hasX = false, hasRow = false;
  return isThreadNumber(value, hasX, hasRow) && hasX && (hasRow || !asksForRows(function));
}

/// x | y | z is 0 in one thread alone.
bool isNoneOfThread(const Value *value, bool &hasX, bool &hasRow) {
  value = withoutCasts(value);
  const Value *left, *right;
  if (match(value, m_Or(m_Value(left), m_Value(right))))
    return isNoneOfThread(left, hasX, hasRow) && isNoneOfThread(right, hasX, hasRow);
  return isThreadNumber(value, hasX, hasRow);
}

bool elects(const ICmpInst &compare, unsigned waveSize) {
  const Function &function = *compare.getFunction();
  const Value *left = compare.getOperand(0), *right = compare.getOperand(1);
  if (!differsInBlock(*right) && isOneToOne(left, function, waveSize))
    return true;
  if (!differsInBlock(*left) && isOneToOne(right, function, waveSize))
    return true;
  bool hasX = false, hasRow = false;
  return match(right, m_Zero()) && isNoneOfThread(left, hasX, hasRow) && hasX &&
         (hasRow || !asksForRows(function));
}

/// The comparison that has to be true where `condition` is `holds`.
const ICmpInst *electionIn(const Value *condition, bool holds, unsigned waveSize) {
  const Value *left, *right;
  if (match(condition, m_Not(m_Value(left))))
    return electionIn(left, !holds, waveSize);
  if (holds ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
            : match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
    const ICmpInst *found = electionIn(left, holds, waveSize);
    return found ? found : electionIn(right, holds, waveSize);
  }
  auto *compare = dyn_cast<ICmpInst>(condition);
  if (!compare || !compare->isEquality() ||
      (compare->getPredicate() == CmpInst::ICMP_EQ) != holds || !elects(*compare, waveSize))
    return nullptr;
  return compare;
}

} // namespace

bool differsInBlock(const Value &value) {
  SmallPtrSet<const Value *, 16> seen;
  return differs(value, seen);
}

void uniteCoordinates(Function &function) {
  SmallDenseMap<Intrinsic::ID, Instruction *> first;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    if (!call || !(isLaunchFact(call->getIntrinsicID()) || isThreadFact(call->getIntrinsicID())))
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

const ICmpInst *electionOf(const Instruction &inst, const DominatorTree &dominators,
                           unsigned waveSize) {
  for (auto *node = dominators.getNode(inst.getParent()); node && node->getIDom();
       node = node->getIDom()) {
    const BasicBlock *above = node->getIDom()->getBlock();
    auto *branch = dyn_cast<BranchInst>(above->getTerminator());
    if (!branch || !branch->isConditional())
      continue;
    for (unsigned side : {0u, 1u})
      if (dominators.dominates(BasicBlockEdge(above, branch->getSuccessor(side)), inst.getParent()))
        if (const ICmpInst *found = electionIn(branch->getCondition(), side == 0, waveSize))
          return found;
  }
  return nullptr;
}

} // namespace regrain::amdgpu
