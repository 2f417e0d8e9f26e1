//===- WideIntegers.cpp - Integers of more than 64 bits -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/WideIntegers.h"

#include "interpreter/Arithmetic.h"
#include "interpreter/Machine.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"

using namespace llvm;
using namespace regrain;

namespace {

/// Returns the bits from the lowest undefined one upwards, which a carry can
/// reach.
APInt upwards(const APInt &undefined) {
  unsigned width = undefined.getBitWidth();
  return APInt::getBitsSetFrom(width, undefined.countr_zero());
}

std::optional<FaultKind> divide(const BinaryOperator &op, const WideScalar &a, const WideScalar &b,
                                WideScalar &result) {
  if (!b.undefined.isZero())
    return FaultKind::UndefinedValue;
  bool isSigned = op.getOpcode() == Instruction::SDiv || op.getOpcode() == Instruction::SRem;
  if (b.bits.isZero() ||
      (isSigned && a.undefined.isZero() && b.bits.isAllOnes() && a.bits.isMinSignedValue()))
    return FaultKind::DivisionByZero;
  if (!a.undefined.isZero())
    return std::nullopt;
  APInt remainder = isSigned ? a.bits.srem(b.bits) : a.bits.urem(b.bits);
  if (op.getOpcode() == Instruction::SRem || op.getOpcode() == Instruction::URem)
    result = WideScalar(remainder);
  else if (op.isExact() && !remainder.isZero())
    result = wideUnknown(remainder.getBitWidth(), /*isPoison=*/true);
  else
    result = WideScalar(isSigned ? a.bits.sdiv(b.bits) : a.bits.udiv(b.bits));
  return std::nullopt;
}

WideScalar shift(const BinaryOperator &op, const WideScalar &a, const WideScalar &b) {
  unsigned width = a.bits.getBitWidth();
  bool isLeft = op.getOpcode() == Instruction::Shl, isDefined = a.undefined.isZero();
  if (!b.undefined.isZero())
    return wideUnknown(width);
  if (b.bits.uge(width) || (isDefined && isLeft && overflows(op, a.bits, b.bits)) ||
      (isDefined && !isLeft && op.isExact() && b.bits.ugt(a.bits.countr_zero())))
    return wideUnknown(width, /*isPoison=*/true);
  if (isLeft)
    return {a.bits.shl(b.bits), a.undefined.shl(b.bits)};
  if (op.getOpcode() == Instruction::LShr)
    return {a.bits.lshr(b.bits), a.undefined.lshr(b.bits)};
  return {a.bits.ashr(b.bits), a.undefined.ashr(b.bits)};
}

WideScalar addLike(const BinaryOperator &op, const WideScalar &a, const WideScalar &b) {
  APInt undefined = upwards(a.undefined | b.undefined);
  if (undefined.isZero() && overflows(op, a.bits, b.bits))
    return wideUnknown(a.bits.getBitWidth(), /*isPoison=*/true);
  return {op.getOpcode() == Instruction::Add   ? a.bits + b.bits
          : op.getOpcode() == Instruction::Sub ? a.bits - b.bits
                                               : a.bits * b.bits,
          undefined};
}

WideScalar bitwise(const BinaryOperator &op, const WideScalar &a, const WideScalar &b) {
  APInt undefined = a.undefined | b.undefined;
  if (op.getOpcode() == Instruction::Xor)
    return {a.bits ^ b.bits, undefined};
  if (op.getOpcode() == Instruction::And)
    return {a.bits & b.bits, undefined & (a.bits | a.undefined) & (b.bits | b.undefined)};
  if (cast<PossiblyDisjointInst>(op).isDisjoint() && undefined.isZero() &&
      a.bits.intersects(b.bits))
    return wideUnknown(undefined.getBitWidth(), /*isPoison=*/true);
  return {a.bits | b.bits, undefined & (~a.bits | a.undefined) & (~b.bits | b.undefined)};
}

std::optional<FaultKind> wideBinary(const Instruction &instruction, ArrayRef<WideScalar> operands,
                                    unsigned, WideScalar &result) {
  const auto &op = cast<BinaryOperator>(instruction);
  const WideScalar &a = operands[0], &b = operands[1];
  if (op.isIntDivRem() && (b.isPoison || !a.isPoison))
    return divide(op, a, b, result);
  if (a.isPoison || b.isPoison)
    result = wideUnknown(a.bits.getBitWidth(), /*isPoison=*/true);
  else if (op.isShift())
    result = shift(op, a, b);
  else if (op.isBitwiseLogicOp())
    result = bitwise(op, a, b);
  else
    result = addLike(op, a, b);
  return std::nullopt;
}

std::optional<FaultKind> wideCompare(const Instruction &instruction, ArrayRef<WideScalar> operands,
                                     unsigned, WideScalar &result) {
  const auto &comparison = cast<ICmpInst>(instruction);
  const WideScalar &a = operands[0], &b = operands[1];
  APInt defined = ~(a.undefined | b.undefined), x = a.bits & defined, y = b.bits & defined;
  result.isPoison = a.isPoison || b.isPoison;
  // If defined bits differ, so do the values.
  if (defined.isAllOnes() || (comparison.isEquality() && x != y))
    result = WideScalar(APInt(1, ICmpInst::compare(x, y, comparison.getPredicate())));
  return std::nullopt;
}

WideScalar toInteger(const APFloat &value, unsigned width, bool isSigned) {
  APSInt whole(width, /*isUnsigned=*/!isSigned);
  bool isExact = false;
  return value.convertToInteger(whole, APFloat::rmTowardZero, &isExact) == APFloat::opInvalidOp
             ? wideUnknown(width, /*isPoison=*/true)
             : WideScalar(whole);
}

WideScalar fromInteger(Type *type, const APInt &value, bool isSigned) {
  APFloat number(type->getFltSemantics());
  number.convertFromAPInt(value, isSigned, APFloat::rmNearestTiesToEven);
  return WideScalar(number.bitcastToAPInt());
}

std::optional<FaultKind> wideConvert(const Instruction &cast, ArrayRef<WideScalar> operands,
                                     unsigned width, WideScalar &result) {
  const WideScalar &value = operands[0];
  Type *from = cast.getOperand(0)->getType()->getScalarType();
  bool isSigned = isa<SExtInst, FPToSIInst, SIToFPInst>(cast), isDefined = value.undefined.isZero();
  result.isPoison = value.isPoison;
  if (value.isPoison || (!isDefined && (isa<FPToSIInst, FPToUIInst, SIToFPInst, UIToFPInst>(cast))))
    return std::nullopt;
  if (isa<FPToSIInst, FPToUIInst>(cast))
    result = toInteger(APFloat(from->getFltSemantics(), value.bits), width, isSigned);
  else if (isa<SIToFPInst, UIToFPInst>(cast))
    result = fromInteger(cast.getType()->getScalarType(), value.bits, isSigned);
  else if (isa<ZExtInst>(cast) && cast.hasNonNeg() && isDefined && value.bits.isNegative())
    result.isPoison = true;
  else if (isSigned)
    result = {value.bits.sext(width), value.undefined.sext(width)};
  else // trunc, zext, ptrtoint, inttoptr
    result = {value.bits.zextOrTrunc(width), value.undefined.zextOrTrunc(width)};
  return std::nullopt;
}

std::optional<FaultKind> wideSelect(const Instruction &, ArrayRef<WideScalar> operands, unsigned,
                                    WideScalar &result) {
  const WideScalar &condition = operands[0];
  if (condition.undefined.isZero())
    result = operands[condition.bits.isZero() ? 2 : 1];
  result.isPoison |= condition.isPoison;
  return std::nullopt;
}

/// Computes a lane of the result, of the given width, which is unknown before.
using LaneFunction = std::optional<FaultKind> (*)(const Instruction &, ArrayRef<WideScalar>,
                                                  unsigned, WideScalar &);

Builtin laneByLane(LaneFunction function) {
  return [function](Machine &machine, Thread &thread, const Step &step) {
    const Instruction &instruction = *step.instruction;
    Type *type = instruction.getType()->getScalarType();
    unsigned width = machine.program.layout().getTypeSizeInBits(type).getFixedValue();
    for (unsigned first = 0; first < step.leaves.size(); first += scalarCount(type)) {
      SmallVector<WideScalar, 3> operands;
      for (unsigned k = 0; k < instruction.getNumOperands(); ++k)
        operands.push_back(readWide(machine, thread, step, k, first / scalarCount(type)));
      WideScalar result = wideUnknown(width);
      if (auto kind = function(instruction, operands, width, result))
        return machine.fail(*kind, Twine("the divisor of ") + instruction.getOpcodeName());
      writeWide(machine, thread, step, result, first);
    }
    return true;
  };
}

} // namespace

bool regrain::hasWide(const User &user) {
  auto wide = [](const Value *value) { return isWide(value->getType()->getScalarType()); };
  return wide(&user) || any_of(user.operands(), wide);
}

bool regrain::movesWords(const Instruction &instruction) {
  if (auto *call = dyn_cast<CallBase>(&instruction))
    return !call->getCalledFunction() || !call->getCalledFunction()->isDeclaration();
  if (auto *extract = dyn_cast<ExtractElementInst>(&instruction))
    return !isWide(extract->getIndexOperand()->getType());
  if (auto *insert = dyn_cast<InsertElementInst>(&instruction))
    return !isWide(insert->getOperand(2)->getType());
  if (auto *select = dyn_cast<SelectInst>(&instruction))
    return !select->getCondition()->getType()->isVectorTy();
  if (isa<LoadInst, StoreInst>(instruction))
    return !instruction.isAtomic();
  return isa<ReturnInst, ExtractValueInst, InsertValueInst, ShuffleVectorInst, FreezeInst,
             GetElementPtrInst>(instruction);
}

std::string regrain::wideName(const Instruction &instruction) {
  std::string name;
  raw_string_ostream stream(name);
  stream << instruction.getOpcodeName() << " with integers of more than 64 bits:" << instruction;
  return name;
}

Builtin regrain::findWide(const Instruction &instruction) {
  if (auto *call = dyn_cast<CallBase>(&instruction))
    return findWideIntrinsic(*call);
  if (isa<BinaryOperator>(instruction))
    return laneByLane(wideBinary);
  if (isa<ICmpInst>(instruction))
    return laneByLane(wideCompare);
  if (isa<SelectInst>(instruction))
    return laneByLane(wideSelect);
  if (isa<BitCastInst>(instruction))
    return [](Machine &machine, Thread &thread, const Step &step) {
      return machine.reinterpret(thread, step);
    };
  return isa<CastInst>(instruction) ? laneByLane(wideConvert) : Builtin();
}

WideScalar regrain::readWide(const Machine &machine, const Thread &thread, const Step &step,
                             unsigned operand, unsigned lane) {
  Type *type = step.instruction->getOperand(operand)->getType();
  unsigned words = scalarCount(type->getScalarType());
  unsigned width = machine.program.layout().getTypeSizeInBits(type->getScalarType());
  SmallVector<uint64_t, 4> bits, undefined;
  bool isPoison = false;
  for (unsigned i = 0; i < words; ++i) {
    Scalar word = machine.read(thread, step, operand, (type->isVectorTy() ? lane : 0) * words + i);
    bits.push_back(word.bits);
    undefined.push_back(word.undefined);
    isPoison |= word.isPoison;
  }
  return isPoison ? wideUnknown(width, true)
                  : WideScalar(APInt(width, bits), APInt(width, undefined));
}

void regrain::writeWide(const Machine &machine, Thread &thread, const Step &step,
                        const WideScalar &value, unsigned first) {
  for (unsigned i = 0; i < value.bits.getNumWords(); ++i)
    machine.write(thread, step,
                  {value.bits.getRawData()[i], value.undefined.getRawData()[i], value.isPoison},
                  first + i);
}
