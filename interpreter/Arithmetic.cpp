//===- Arithmetic.cpp - Instructions on scalars ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Arithmetic.h"

#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace regrain;

namespace {

/// Returns the bits from the lowest undefined one upwards, which a carry can
/// reach.
uint64_t upwards(uint64_t undefined, unsigned width) {
  return undefined ? ~((undefined & -undefined) - 1) & maskOf(width) : 0;
}

std::optional<FaultKind> divide(const BinaryOperator &op, unsigned width, Scalar a, Scalar b,
                                Scalar &result) {
  if (b.undefined)
    return FaultKind::UndefinedValue;
  bool isSigned = op.getOpcode() == Instruction::SDiv || op.getOpcode() == Instruction::SRem;
  int64_t x = signExtend(a.bits, width), y = signExtend(b.bits, width);
  if (b.bits == 0 ||
      (isSigned && !a.undefined && y == -1 && x == signExtend(uint64_t(1) << (width - 1), width)))
    return FaultKind::DivisionByZero;
  if (a.undefined) {
    result = unknown(width);
    return std::nullopt;
  }
  uint64_t quotient = isSigned ? uint64_t(x / y) : a.bits / b.bits;
  uint64_t remainder = isSigned ? uint64_t(x % y) : a.bits % b.bits;
  bool takesRemainder = op.getOpcode() == Instruction::SRem || op.getOpcode() == Instruction::URem;
  result = {(takesRemainder ? remainder : quotient) & maskOf(width), 0};
  if (!takesRemainder && op.isExact() && remainder)
    result = poison(width);
  return std::nullopt;
}

Scalar shift(const BinaryOperator &op, unsigned width, Scalar a, Scalar b) {
  if (b.undefined)
    return unknown(width);
  if (b.bits >= width)
    return poison(width);
  unsigned n = b.bits;
  uint64_t mask = maskOf(width);
  if (op.getOpcode() == Instruction::Shl) {
    if (!a.undefined && overflows(op, APInt(width, a.bits), APInt(width, b.bits)))
      return poison(width);
    return {a.bits << n & mask, a.undefined << n & mask};
  }
  if (op.isExact() && !a.undefined && (a.bits & maskOf(n)))
    return poison(width);
  if (op.getOpcode() == Instruction::LShr)
    return {a.bits >> n, a.undefined >> n};
  return {uint64_t(signExtend(a.bits, width) >> n) & mask,
          uint64_t(signExtend(a.undefined, width) >> n) & mask};
}

Scalar bitwise(const BinaryOperator &op, unsigned width, Scalar a, Scalar b) {
  switch (op.getOpcode()) {
  case Instruction::And: {
    uint64_t zero = (~a.bits & ~a.undefined) | (~b.bits & ~b.undefined);
    return {a.bits & b.bits, (a.undefined | b.undefined) & ~zero};
  }
  case Instruction::Or: {
    if (cast<PossiblyDisjointInst>(op).isDisjoint() && !a.undefined && !b.undefined &&
        (a.bits & b.bits))
      return poison(width);
    uint64_t one = (a.bits & ~a.undefined) | (b.bits & ~b.undefined);
    return {a.bits | b.bits, (a.undefined | b.undefined) & ~one};
  }
  default:
    return {a.bits ^ b.bits, a.undefined | b.undefined};
  }
}

Scalar addLike(const BinaryOperator &op, unsigned width, Scalar a, Scalar b) {
  uint64_t undefined = upwards(a.undefined | b.undefined, width);
  if (!undefined && overflows(op, APInt(width, a.bits), APInt(width, b.bits)))
    return poison(width);
  uint64_t value = op.getOpcode() == Instruction::Add   ? a.bits + b.bits
                   : op.getOpcode() == Instruction::Sub ? a.bits - b.bits
                                                        : a.bits * b.bits;
  return {value & maskOf(width), undefined};
}

template <typename T> T floatOperation(unsigned opcode, T a, T b) {
  switch (opcode) {
  case Instruction::FAdd:
    return a + b;
  case Instruction::FSub:
    return a - b;
  case Instruction::FMul:
    return a * b;
  case Instruction::FDiv:
    return a / b;
  default:
    return std::fmod(a, b);
  }
}

bool compareIntegers(CmpInst::Predicate predicate, unsigned width, uint64_t a, uint64_t b) {
  int64_t x = signExtend(a, width), y = signExtend(b, width);
  switch (predicate) {
  case CmpInst::ICMP_EQ:
    return a == b;
  case CmpInst::ICMP_NE:
    return a != b;
  case CmpInst::ICMP_UGT:
    return a > b;
  case CmpInst::ICMP_UGE:
    return a >= b;
  case CmpInst::ICMP_ULT:
    return a < b;
  case CmpInst::ICMP_ULE:
    return a <= b;
  case CmpInst::ICMP_SGT:
    return x > y;
  case CmpInst::ICMP_SGE:
    return x >= y;
  case CmpInst::ICMP_SLT:
    return x < y;
  default:
    return x <= y;
  }
}

/// The four low bits of a floating-point predicate stand for unordered, less,
/// greater and equal.
bool compareFloats(CmpInst::Predicate predicate, double a, double b) {
  unsigned outcome = std::isnan(a) || std::isnan(b) ? 8 : a < b ? 4 : a > b ? 2 : 1;
  return (predicate & outcome) != 0;
}

/// Truncates towards zero; the result is poison if the integer type cannot
/// represent it.
Scalar toInteger(double value, unsigned width, bool isSigned) {
  double whole = std::trunc(value);
  double limit = std::ldexp(1.0, isSigned ? width - 1 : width);
  bool inside = isSigned ? whole >= -limit && whole < limit : whole >= 0 && whole < limit;
  if (!inside && whole != 0)
    return poison(width);
  uint64_t bits = isSigned ? uint64_t(int64_t(whole)) : uint64_t(whole);
  return {bits & maskOf(width), 0};
}

/// The nearest integer of 32 bits, and 0 for a NaN, as instructions of AMD GPUs convert. Their
/// device library counts on it: exp of a NaN scales a NaN by such an integer.
Scalar toNearestInteger(double value, bool isSigned) {
  if (std::isnan(value))
    return {0, 0};
  double least = isSigned ? -0x1p31 : 0, most = isSigned ? 0x1p31 - 1 : 0x1p32 - 1;
  return toInteger(std::clamp(value, least, most), 32, isSigned);
}

bool isForAmd(const Instruction &op) {
  return StringRef(op.getModule()->getTargetTriple()).starts_with("amdgcn");
}

Scalar convertToInteger(const CastInst &op, double value, unsigned width) {
  bool isSigned = op.getOpcode() == Instruction::FPToSI;
  Scalar result = toInteger(value, width, isSigned);
  return result.isPoison && width == 32 && isForAmd(op) ? toNearestInteger(value, isSigned)
                                                        : result;
}

Scalar fromInteger(Type *to, uint64_t bits, unsigned width, bool isSigned) {
  if (to->isFloatTy())
    return {bit_cast<uint32_t>(isSigned ? float(signExtend(bits, width)) : float(bits)), 0};
  return {fromDouble(to, isSigned ? double(signExtend(bits, width)) : double(bits)), 0};
}

} // namespace

/// The 16-bit types are computed in double, whose results round to them as one
/// operation does.
Scalar regrain::floating(unsigned opcode, Type *type, Scalar a, Scalar b) {
  if (a.undefined || b.undefined)
    return unknown(widthOf(type));
  double x = toDouble(type, a.bits), y = toDouble(type, b.bits);
  if (type->isFloatTy())
    return floatResult(type, floatOperation<float>(opcode, float(x), float(y)));
  return floatResult(type, floatOperation<double>(opcode, x, y));
}

bool regrain::overflows(const BinaryOperator &op, const APInt &a, const APInt &b) {
  auto *flags = dyn_cast<OverflowingBinaryOperator>(&op);
  if (!flags)
    return false;
  // Only the overflow flags of the results are used.
  bool isSigned = false, isUnsigned = false;
  switch (op.getOpcode()) {
  case Instruction::Add:
    (void)a.sadd_ov(b, isSigned);
    (void)a.uadd_ov(b, isUnsigned);
    break;
  case Instruction::Sub:
    (void)a.ssub_ov(b, isSigned);
    (void)a.usub_ov(b, isUnsigned);
    break;
  case Instruction::Mul:
    (void)a.smul_ov(b, isSigned);
    (void)a.umul_ov(b, isUnsigned);
    break;
  default:
    (void)a.sshl_ov(b, isSigned);
    (void)a.ushl_ov(b, isUnsigned);
    break;
  }
  return (isSigned && flags->hasNoSignedWrap()) || (isUnsigned && flags->hasNoUnsignedWrap());
}

Scalar regrain::floatResult(Type *type, double value) { return {fromDouble(type, value), 0}; }

std::optional<FaultKind> regrain::binary(const BinaryOperator &op, Type *type, Scalar a, Scalar b,
                                         Scalar &result) {
  unsigned width = widthOf(type);
  bool isFault = op.isIntDivRem() && b.isPoison;
  if ((a.isPoison || b.isPoison) && !isFault) {
    result = poison(width);
    return std::nullopt;
  }
  switch (op.getOpcode()) {
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return divide(op, width, a, b, result);
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    result = shift(op, width, a, b);
    return std::nullopt;
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    result = bitwise(op, width, a, b);
    return std::nullopt;
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
    result = addLike(op, width, a, b);
    return std::nullopt;
  default:
    result = floating(op.getOpcode(), type, a, b);
    return std::nullopt;
  }
}

Scalar regrain::compare(CmpInst::Predicate predicate, Type *type, Scalar a, Scalar b) {
  uint64_t undefined = a.undefined | b.undefined;
  if (a.isPoison || b.isPoison)
    return poison(1);
  if (CmpInst::isFPPredicate(predicate)) {
    if (undefined)
      return unknown(1);
    return {compareFloats(predicate, toDouble(type, a.bits), toDouble(type, b.bits)), 0};
  }
  // If defined bits differ, so do the values.
  bool equality = CmpInst::isEquality(predicate);
  if (undefined && !(equality && ((a.bits ^ b.bits) & ~undefined)))
    return unknown(1);
  return {compareIntegers(predicate, widthOf(type), a.bits & ~undefined, b.bits & ~undefined), 0};
}

Scalar regrain::convert(const CastInst &op, Type *from, const Leaf &to, Scalar value) {
  unsigned width = widthOf(from), newWidth = to.width;
  if (value.isPoison)
    return poison(newWidth);
  switch (op.getOpcode()) {
  case Instruction::SExt:
    return {uint64_t(signExtend(value.bits, width)) & maskOf(newWidth),
            uint64_t(signExtend(value.undefined, width)) & maskOf(newWidth)};
  case Instruction::ZExt:
    if (op.hasNonNeg() && !value.undefined && value.bits >> (width - 1))
      return poison(newWidth);
    return value;
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return value.undefined ? unknown(newWidth)
                           : convertToInteger(op, toDouble(from, value.bits), newWidth);
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return value.undefined
               ? unknown(newWidth)
               : fromInteger(to.type, value.bits, width, op.getOpcode() == Instruction::SIToFP);
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    return value.undefined ? unknown(newWidth) : floatResult(to.type, toDouble(from, value.bits));
  default: // trunc, ptrtoint, inttoptr, addrspacecast, bitcast
    return {value.bits & maskOf(newWidth), value.undefined & maskOf(newWidth)};
  }
}

static uint64_t updateInteger(AtomicRMWInst::BinOp op, unsigned width, uint64_t old,
                              uint64_t value) {
  int64_t x = signExtend(old, width), y = signExtend(value, width);
  switch (op) {
  case AtomicRMWInst::Add:
    return old + value;
  case AtomicRMWInst::Sub:
    return old - value;
  case AtomicRMWInst::And:
    return old & value;
  case AtomicRMWInst::Nand:
    return ~(old & value);
  case AtomicRMWInst::Or:
    return old | value;
  case AtomicRMWInst::Xor:
    return old ^ value;
  case AtomicRMWInst::Max:
    return x > y ? old : value;
  case AtomicRMWInst::Min:
    return x < y ? old : value;
  case AtomicRMWInst::UMax:
    return std::max(old, value);
  case AtomicRMWInst::UMin:
    return std::min(old, value);
  case AtomicRMWInst::UIncWrap:
    return old >= value ? 0 : old + 1;
  case AtomicRMWInst::UDecWrap:
    return old == 0 || old > value ? value : old - 1;
  default:
    return value;
  }
}

Scalar regrain::update(AtomicRMWInst::BinOp op, Type *type, Scalar old, Scalar value) {
  if (op == AtomicRMWInst::Xchg)
    return value;
  unsigned width = widthOf(type);
  if (old.undefined || value.undefined)
    return unknown(width, old.isPoison || value.isPoison);
  switch (op) {
  case AtomicRMWInst::FAdd:
    return floating(Instruction::FAdd, type, old, value);
  case AtomicRMWInst::FSub:
    return floating(Instruction::FSub, type, old, value);
  case AtomicRMWInst::FMax:
    return floatResult(type, std::fmax(toDouble(type, old.bits), toDouble(type, value.bits)));
  case AtomicRMWInst::FMin:
    return floatResult(type, std::fmin(toDouble(type, old.bits), toDouble(type, value.bits)));
  default:
    return {updateInteger(op, width, old.bits, value.bits) & maskOf(width), 0};
  }
}
