//===- Elections.cpp - Code that one lane of a wave runs ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Elections.h"
#include "runtime/image/launch_limits.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace regrain::amdgpu {

namespace {

/// The product of a thread's number and a factor up to this one does not wrap in 32 bits, because
/// no block has more than 1024 threads.
constexpr uint64_t largestFactor = 1 << 20;

/// Looks through casts that keep the low 32 bits.
const Value *withoutCasts(const Value *value) {
  while (isa<ZExtInst, SExtInst, FreezeInst>(value) ||
         (isa<TruncInst>(value) && value->getType()->getIntegerBitWidth() >= 32))
    value = cast<Instruction>(value)->getOperand(0);
  return value;
}

/// Returns whether `value` is the size of a block in x (0) or y (1): AMDGPU usage, "Implicit
/// arguments", and the dispatch packet.
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

/// Returns the maximum number of threads of a block that runs the function.
unsigned maxThreadsOf(const Function &function) {
  unsigned most = maxBlockThreads;
  if (Attribute size = function.getFnAttribute("amdgpu-flat-work-group-size"); size.isValid())
    size.getValueAsString().split(',').second.getAsInteger(10, most);
  return most;
}

/// The factor of a coordinate: one, the threads of a row, a number greater than any row, or the
/// threads of a plane.
enum class Stride { One, Row, WideRow, Plane, Other };

Stride timesConstant(Stride stride, const APInt &factor, const Function &function) {
  return stride == Stride::One && factor.uge(maxThreadsOf(function)) && factor.ule(largestFactor)
             ? Stride::WideRow
             : Stride::Other;
}

Stride times(Stride stride, const Value *factor, const Function &function) {
  factor = withoutCasts(factor);
  const Value *left, *right;
  if (match(factor, m_Mul(m_Value(left), m_Value(right))))
    return times(times(stride, left, function), right, function);
  const APInt *constant;
  if (match(factor, m_APInt(constant)))
    return timesConstant(stride, *constant, function);
  if (isBlockSize(factor, 0))
    return stride == Stride::One ? Stride::Row : Stride::Other;
  if (isBlockSize(factor, 1))
    return stride == Stride::Row || stride == Stride::WideRow ? Stride::Plane : Stride::Other;
  return Stride::Other;
}

/// A number of a thread: x, plus y times the width of the block, plus z times that of a plane (each
/// only if the function uses it), plus something that is the same for all threads of the block.
class ThreadNumber {
public:
  ThreadNumber(const Value *value, const FunctionShape &shape)
      : shape(shape), isOne(add(value, Stride::One)) {}
  /// Returns whether the value is such a number.
  explicit operator bool() const { return isOne; }

  Coordinates found = None;
  /// Consecutive threads of the block have consecutive numbers.
  bool isDense = true;

private:
  bool add(const Value *value, Stride stride);
  bool addCoordinate(Coordinates own, Stride stride);

  const FunctionShape &shape;
  bool isOne;
};

bool ThreadNumber::addCoordinate(Coordinates own, Stride stride) {
  isDense &= stride != Stride::WideRow;
  bool isFirst = (found & own) == 0;
  found = Coordinates(found | own);
  switch (own) {
  case X:
    return isFirst && stride == Stride::One;
  case Y:
    return isFirst && (stride == Stride::Row || stride == Stride::WideRow);
  default:
    return isFirst && stride == Stride::Plane;
  }
}

bool ThreadNumber::add(const Value *value, Stride stride) {
  value = withoutCasts(value);
  if (Coordinates own = coordinateOf(*value))
    return addCoordinate(own, stride);
  if (!differsInBlock(*value, shape))
    return true;
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || mixesRounds(*inst, shape))
    return false;
  const Value *left, *right;
  if (match(value, m_Add(m_Value(left), m_Value(right))) ||
      match(value, m_DisjointOr(m_Value(left), m_Value(right))))
    return add(left, stride) && add(right, stride);
  const Function &function = *inst->getFunction();
  const APInt *shift;
  if (match(value, m_Shl(m_Value(left), m_APInt(shift))))
    return shift->ule(Log2_64(largestFactor)) &&
           add(left, timesConstant(stride, APInt(64, 1).shl(*shift), function));
  if (!match(value, m_Mul(m_Value(left), m_Value(right))))
    return false;
  const Value *scaled = differsInBlock(*left, shape) ? left : right;
  const Value *factor = scaled == left ? right : left;
  return add(scaled, times(stride, factor, function));
}

/// Returns whether a sum or `x | y | z` is 0 exactly where the coordinates in it are.
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
  bool isScaled =
      (match(value, m_Mul(m_Value(left), m_APInt(factor))) && !factor->isZero() &&
       factor->ule(largestFactor)) ||
      (match(value, m_Shl(m_Value(left), m_APInt(factor))) && factor->ule(Log2_64(largestFactor)));
  Coordinates scaled = isScaled ? coordinateOf(*withoutCasts(left)) : None;
  found |= scaled;
  return scaled != None;
}

} // namespace

/// Returns whether `found` contains all coordinates that the function reads. Threads must not
/// differ in the others.
bool Elections::tellsApart(unsigned found, const Function &function) {
  if ((coordinatesIn(function) | X) & ~found)
    return false;
  single |= (Y | Z) & ~found;
  return true;
}

/// Returns whether no two lanes of a wave have the same `value`.
bool Elections::isOneToOne(const Value *value, const Function &function) {
  value = withoutCasts(value);
  const APInt *mask;
  const Value *masked;
  bool isMasked = match(value, m_And(m_Value(masked), m_APInt(mask)));
  if (isMasked) {
    if (mask->countTrailingOnes() < Log2_32(waveSize))
      return false;
    value = withoutCasts(masked);
  }
  if (match(value, m_Intrinsic<Intrinsic::amdgcn_mbcnt_hi>(m_AllOnes(), m_Value())))
    return true;
  if (match(value, m_Intrinsic<Intrinsic::amdgcn_mbcnt_lo>(m_AllOnes(), m_Zero())))
    return waveSize == 32;
  ThreadNumber number(value, shape);
  return number && (number.isDense || !isMasked) && tellsApart(number.found, function);
}

bool Elections::elects(const ICmpInst &compare) {
  const Function &function = *compare.getFunction();
  const Value *left = compare.getOperand(0), *right = compare.getOperand(1);
  if (mixesRounds(compare, shape))
    return false;
  if (!differsInBlock(*right, shape) && isOneToOne(left, function))
    return true;
  if (!differsInBlock(*left, shape) && isOneToOne(right, function))
    return true;
  unsigned found = None;
  return match(right, m_Zero()) && isNoneOfThread(left, found) && tellsApart(found, function);
}

/// Returns the comparison that is true if `condition` is `holds`.
const ICmpInst *Elections::electionIn(const Value *condition, bool holds) {
  const Value *left, *right;
  if (match(condition, m_Not(m_Value(left))))
    return electionIn(left, !holds);
  if (holds ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
            : match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
    const ICmpInst *found = electionIn(left, holds);
    return found ? found : electionIn(right, holds);
  }
  auto *compare = dyn_cast<ICmpInst>(condition);
  if (!compare || !compare->isEquality() ||
      (compare->getPredicate() == CmpInst::ICMP_EQ) != holds || !elects(*compare))
    return nullptr;
  return compare;
}

const ICmpInst *Elections::find(const Instruction &inst) {
  const DominatorTree &dominators = shape.dominators;
  for (auto *node = dominators.getNode(inst.getParent()); node && node->getIDom();
       node = node->getIDom()) {
    const BasicBlock *above = node->getIDom()->getBlock();
    auto *branch = dyn_cast<BranchInst>(above->getTerminator());
    if (!branch || !branch->isConditional())
      continue;
    for (unsigned side : {0u, 1u})
      if (dominators.dominates(BasicBlockEdge(above, branch->getSuccessor(side)), inst.getParent()))
        if (const ICmpInst *found = electionIn(branch->getCondition(), side == 0))
          return found;
  }
  return nullptr;
}

} // namespace regrain::amdgpu
