//===- SafeLoads.cpp - Loads that cannot fault ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/SafeLoads.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace regrain::nvptx {

/// The most operations between a counter and an index.
static constexpr unsigned mostDepth = 6;

SafeLoads::SafeLoads(Function &function, FunctionAnalysisManager &analyses)
    : layout(function.getParent()->getDataLayout()),
      evolution(analyses.getResult<ScalarEvolutionAnalysis>(function)) {}

/// Returns the values of a loop's counter; all values if its first value, its step or the length of
/// the loop is not a constant, or if it counts below zero, where an increment may be poison.
ConstantRange SafeLoads::rangeOfCounter(const PHINode &phi) const {
  unsigned bits = phi.getType()->getIntegerBitWidth();
  ConstantRange all = ConstantRange::getFull(bits);
  auto *counter = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(const_cast<PHINode *>(&phi)));
  if (!counter || !counter->isAffine() || counter->getLoop()->getHeader() != phi.getParent())
    return all;
  auto *first = dyn_cast<SCEVConstant>(counter->getStart());
  auto *step = dyn_cast<SCEVConstant>(counter->getStepRecurrence(evolution));
  auto *count =
      dyn_cast<SCEVConstant>(evolution.getConstantMaxBackedgeTakenCount(counter->getLoop()));
  constexpr unsigned mostOfCount = 32, wide = 128; // bits; no product is wider
  if (!first || !step || !count || count->getAPInt().getActiveBits() > mostOfCount || bits > 64)
    return all;
  APInt begin = first->getAPInt().sext(wide);
  APInt end = begin + step->getAPInt().sext(wide) * count->getAPInt().zextOrTrunc(wide);
  APInt low = APIntOps::smin(begin, end), high = APIntOps::smax(begin, end);
  if (low.isNegative() || !high.isSignedIntN(bits))
    return all;
  return ConstantRange::getNonEmpty(low.trunc(bits), high.trunc(bits) + 1);
}

/// Returns the results of an operation; nothing if they may be poison.
static std::optional<ConstantRange>
resultsOf(const BinaryOperator &operation, const ConstantRange &left, const ConstantRange &right) {
  unsigned bits = left.getBitWidth();
  Instruction::BinaryOps opcode = operation.getOpcode();
  auto *dividing = dyn_cast<PossiblyExactOperator>(&operation);
  bool isTooFar = operation.isShift() && right.getUnsignedMax().uge(bits);
  if (isTooFar || (dividing && dividing->isExact()))
    return std::nullopt;
  ConstantRange results = left.binaryOp(opcode, right);
  if (auto *either = dyn_cast<PossiblyDisjointInst>(&operation); either && either->isDisjoint())
    return results.unionWith(left.add(right));
  auto *overflowing = dyn_cast<OverflowingBinaryOperator>(&operation);
  if (!overflowing)
    return results;
  if (overflowing->hasNoSignedWrap()) {
    ConstantRange exact = left.signExtend(2 * bits).binaryOp(opcode, right.signExtend(2 * bits));
    if (!exact.getSignedMin().isSignedIntN(bits) || !exact.getSignedMax().isSignedIntN(bits))
      return std::nullopt;
  }
  if (overflowing->hasNoUnsignedWrap()) {
    ConstantRange exact = left.zeroExtend(2 * bits).binaryOp(opcode, right.zeroExtend(2 * bits));
    if (!exact.getUnsignedMax().isIntN(bits))
      return std::nullopt;
  }
  return results;
}

static std::optional<ConstantRange> resultsOf(const CastInst &cast, const ConstantRange &operand) {
  auto *extension = dyn_cast<PossiblyNonNegInst>(&cast);
  if (extension && extension->hasNonNeg() && !operand.isAllNonNegative())
    return std::nullopt;
  auto *truncation = dyn_cast<TruncInst>(&cast);
  if (truncation && (truncation->hasNoSignedWrap() || truncation->hasNoUnsignedWrap()))
    return std::nullopt;
  return operand.castOp(cast.getOpcode(), cast.getType()->getIntegerBitWidth());
}

std::optional<ConstantRange> SafeLoads::rangeOf(const Value &value, unsigned depth) const {
  ConstantRange all = ConstantRange::getFull(value.getType()->getIntegerBitWidth());
  if (auto *constant = dyn_cast<ConstantInt>(&value))
    return ConstantRange(constant->getValue());
  if (auto *phi = dyn_cast<PHINode>(&value))
    return rangeOfCounter(*phi);
  if (depth == mostDepth)
    return std::nullopt;
  auto of = [&](const Value *operand) { return rangeOf(*operand, depth + 1); };
  if (auto *cast = dyn_cast<CastInst>(&value)) {
    std::optional<ConstantRange> operand =
        cast->getSrcTy()->isIntegerTy() ? of(cast->getOperand(0)) : std::nullopt;
    return operand ? resultsOf(*cast, *operand) : std::nullopt;
  }
  auto *select = dyn_cast<SelectInst>(&value);
  auto *operation = dyn_cast<BinaryOperator>(&value);
  auto *extremum = dyn_cast<MinMaxIntrinsic>(&value);
  if (!select && !operation && !extremum)
    return all;
  auto &user = cast<User>(value);
  std::optional<ConstantRange> left = of(user.getOperand(select ? 1 : 0)),
                               right = of(user.getOperand(select ? 2 : 1));
  if (!left || !right)
    return std::nullopt;
  if (select)
    return left->unionWith(*right);
  if (operation)
    return resultsOf(*operation, *left, *right);
  return ConstantRange::intrinsic(extremum->getIntrinsicID(), {*left, *right});
}

bool SafeLoads::isSafe(const LoadInst &load) const {
  if (!load.isSimple() || load.getType()->isScalableTy())
    return false;
  const Value *pointer = load.getPointerOperand();
  unsigned bits = layout.getIndexTypeSizeInBits(pointer->getType());
  MapVector<Value *, APInt> indices;
  APInt offset(bits, 0);
  while (isa<GEPOperator, AddrSpaceCastOperator>(pointer)) {
    auto *address = dyn_cast<GEPOperator>(pointer);
    bool hasOtherBits = layout.getIndexTypeSizeInBits(pointer->getType()) != bits;
    if (address && (hasOtherBits || !address->collectOffset(layout, bits, indices, offset)))
      return false;
    pointer = cast<Operator>(pointer)->getOperand(0);
  }
  ConstantRange offsets(offset);
  Align alignment = commonAlignment(pointer->getPointerAlignment(layout), offset.getZExtValue());
  for (const auto &[index, scale] : indices) {
    std::optional<ConstantRange> range = rangeOf(*index);
    if (!range)
      return false;
    offsets = offsets.add(range->sextOrTrunc(bits).multiply(ConstantRange(scale)));
    alignment = commonAlignment(alignment, scale.getZExtValue());
  }
  bool mayBeNull = false, mayBeFreed = false;
  uint64_t bytes = pointer->getPointerDereferenceableBytes(layout, mayBeNull, mayBeFreed);
  uint64_t size = layout.getTypeStoreSize(load.getType()).getFixedValue();
  return !mayBeNull && size <= bytes && alignment >= load.getAlign() &&
         offsets.getUnsignedMax().ule(bytes - size);
}

} // namespace regrain::nvptx
