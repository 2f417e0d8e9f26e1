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
#include "llvm/IR/Module.h"
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

/// Finds out whether a value differs between the threads of a block.
class Differences {
public:
  explicit Differences(const FunctionShape &shape) : shape(shape) {}
  bool differs(const Value &value);
  bool differsAt(const Use &use);
  /// Whether threads may use values of different rounds of a loop there.
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
  } else if (isa<AtomicRMWInst, AtomicCmpXchgInst, AllocaInst>(inst)) {
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

/// Whether threads may use values of different rounds of a loop that they have left.
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

/// Whether threads may come to the phi on different ways, those around a loop left aside.
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

const Value *withoutCasts(const Value *value) {
  while (isa<ZExtInst, SExtInst, TruncInst, FreezeInst>(value))
    value = cast<Instruction>(value)->getOperand(0);
  return value;
}

/// Coordinates of a thread, one bit each.
enum Coordinates : unsigned { None = 0, X = 1, Y = 2, Z = 4 };

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

/// Whether `found` are all coordinates by which threads of the block differ, as far as the
/// function asks for them.
bool tellsApart(unsigned found, const Function &function) {
  unsigned asked = X;
  for (const Instruction &inst : instructions(function))
    asked |= coordinateOf(inst);
  return (asked & ~found) == 0;
}

/// Whether `value` is the size of a block in x, 0, or y, 1: AMDGPU usage, "Implicit arguments",
/// and the packet of a dispatch.
bool isBlockSize(const Value *value, unsigned dimension) {
  auto *load = dyn_cast<LoadInst>(withoutCasts(value));
  if (!load || !load->getType()->isIntegerTy(16))
    return false;
  int64_t offset = 0;
  const Value *base = GetPointerBaseWithConstantOffset(load->getPointerOperand(), offset,
                                                       load->getModule()->getDataLayout());
  int64_t first = match(base, m_Intrinsic<Intrinsic::amdgcn_implicitarg_ptr>()) ? 12
                  : match(base, m_Intrinsic<Intrinsic::amdgcn_dispatch_ptr>())  ? 4
                                                                                : -1;
  return first >= 0 && offset == first + 2 * int64_t(dimension);
}

/// A block of the function has no more.
unsigned mostThreads(const Function &function) {
  unsigned most = 1024;
  if (Attribute size = function.getFnAttribute("amdgpu-flat-work-group-size"); size.isValid())
    size.getValueAsString().split(',').second.getAsInteger(10, most);
  return most;
}

/// By what a coordinate is multiplied: nothing, the threads of a row, those of a plane.
enum class Stride { One, Row, Plane, Other };

Stride times(Stride stride, const Value *factor, const Function &function) {
  factor = withoutCasts(factor);
  const Value *left, *right;
  if (match(factor, m_Mul(m_Value(left), m_Value(right))))
    return times(times(stride, left, function), right, function);
  const APInt *constant;
  if (match(factor, m_APInt(constant)))
    return stride == Stride::One && constant->uge(mostThreads(function)) ? Stride::Row
                                                                         : Stride::Other;
  if (isBlockSize(factor, 0))
    return stride == Stride::One ? Stride::Row : Stride::Other;
  if (isBlockSize(factor, 1))
    return stride == Stride::Row ? Stride::Plane : Stride::Other;
  return Stride::Other;
}

/// Whether a sum is x, y times the width of the block and z times that of a plane, as far as they
/// are in it, and what all threads of the block have. Adds those that are.
bool isThreadNumber(const Value *value, unsigned &found, const FunctionShape &shape,
                    Stride stride = Stride::One) {
  value = withoutCasts(value);
  if (Coordinates own = coordinateOf(*value)) {
    bool isFirst = (found & own) == 0;
    found |= own;
    return isFirst && stride == (own == X ? Stride::One : own == Y ? Stride::Row : Stride::Plane);
  }
  if (!differsInBlock(*value, shape))
    return true;
  if (auto *inst = dyn_cast<Instruction>(value); inst && Differences(shape).mixesRounds(*inst))
    return false;
  const Value *left, *right;
  if (match(value, m_Add(m_Value(left), m_Value(right))) ||
      match(value, m_DisjointOr(m_Value(left), m_Value(right))))
    return isThreadNumber(left, found, shape, stride) &&
           isThreadNumber(right, found, shape, stride);
  const Function &function = *cast<Instruction>(value)->getFunction();
  const APInt *shift;
  if (match(value, m_Shl(m_Value(left), m_APInt(shift)))) {
    bool isRow = stride == Stride::One && shift->uge(Log2_32_Ceil(mostThreads(function)));
    return isThreadNumber(left, found, shape, isRow ? Stride::Row : Stride::Other);
  }
  if (!match(value, m_Mul(m_Value(left), m_Value(right))))
    return false;
  const Value *scaled = differsInBlock(*left, shape) ? left : right;
  const Value *factor = scaled == left ? right : left;
  return isThreadNumber(scaled, found, shape, times(stride, factor, function));
}

/// Whether no two lanes of a wave have the same `value`.
bool isOneToOne(const Value *value, const Function &function, const FunctionShape &shape,
                unsigned waveSize) {
  value = withoutCasts(value);
  const APInt *mask;
  const Value *masked;
  if (match(value, m_And(m_Value(masked), m_APInt(mask))))
    return mask->countTrailingOnes() >= Log2_32(waveSize) &&
           isOneToOne(masked, function, shape, waveSize);
  if (match(value, m_Intrinsic<Intrinsic::amdgcn_mbcnt_hi>(m_AllOnes(), m_Value())))
    return true;
  if (match(value, m_Intrinsic<Intrinsic::amdgcn_mbcnt_lo>(m_AllOnes(), m_Zero())))
    return waveSize == 32;
  unsigned found = None;
  return isThreadNumber(value, found, shape) && tellsApart(found, function);
}

/// Whether a sum or `x | y | z` is 0 just where the coordinates that are in it are.
bool isNoneOfThread(const Value *value, unsigned &found) {
  value = withoutCasts(value);
  if (Coordinates own = coordinateOf(*value)) {
    found |= own;
    return true;
  }
  const Value *left, *right;
  const APInt *factor;
  if (match(value, m_Or(m_Value(left), m_Value(right))) ||
      match(value, m_Add(m_Value(left), m_Value(right))))
    return isNoneOfThread(left, found) && isNoneOfThread(right, found);
  // No coordinate is so large that this wraps around.
  constexpr uint64_t largest = 1 << 20;
  if (match(value, m_Mul(m_Value(left), m_APInt(factor))))
    return !factor->isZero() && factor->ule(largest) && isNoneOfThread(left, found);
  if (match(value, m_Shl(m_Value(left), m_APInt(factor))))
    return factor->ule(Log2_64(largest)) && isNoneOfThread(left, found);
  return false;
}

bool elects(const ICmpInst &compare, const FunctionShape &shape, unsigned waveSize) {
  const Function &function = *compare.getFunction();
  const Value *left = compare.getOperand(0), *right = compare.getOperand(1);
  if (Differences(shape).mixesRounds(compare))
    return false;
  if (!differsInBlock(*right, shape) && isOneToOne(left, function, shape, waveSize))
    return true;
  if (!differsInBlock(*left, shape) && isOneToOne(right, function, shape, waveSize))
    return true;
  unsigned found = None;
  return match(right, m_Zero()) && isNoneOfThread(left, found) && tellsApart(found, function);
}

/// The comparison that has to be true where `condition` is `holds`.
const ICmpInst *electionIn(const Value *condition, bool holds, const FunctionShape &shape,
                           unsigned waveSize) {
  const Value *left, *right;
  if (match(condition, m_Not(m_Value(left))))
    return electionIn(left, !holds, shape, waveSize);
  if (holds ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
            : match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
    const ICmpInst *found = electionIn(left, holds, shape, waveSize);
    return found ? found : electionIn(right, holds, shape, waveSize);
  }
  auto *compare = dyn_cast<ICmpInst>(condition);
  if (!compare || !compare->isEquality() ||
      (compare->getPredicate() == CmpInst::ICMP_EQ) != holds || !elects(*compare, shape, waveSize))
    return nullptr;
  return compare;
}

} // namespace

bool differsInBlock(const Value &value, const FunctionShape &shape) {
  return Differences(shape).differs(value);
}

bool differsInBlock(const Use &use, const FunctionShape &shape) {
  return Differences(shape).differsAt(use);
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

const ICmpInst *electionOf(const Instruction &inst, const FunctionShape &shape, unsigned waveSize) {
  const DominatorTree &dominators = shape.dominators;
  for (auto *node = dominators.getNode(inst.getParent()); node && node->getIDom();
       node = node->getIDom()) {
    const BasicBlock *above = node->getIDom()->getBlock();
    auto *branch = dyn_cast<BranchInst>(above->getTerminator());
    if (!branch || !branch->isConditional())
      continue;
    for (unsigned side : {0u, 1u})
      if (dominators.dominates(BasicBlockEdge(above, branch->getSuccessor(side)), inst.getParent()))
        if (const ICmpInst *found = electionIn(branch->getCondition(), side == 0, shape, waveSize))
          return found;
  }
  return nullptr;
}

} // namespace regrain::amdgpu
