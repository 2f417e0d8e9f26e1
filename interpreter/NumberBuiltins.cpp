//===- NumberBuiltins.cpp - Intrinsics on the parts of numbers ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Arithmetic.h"
#include "interpreter/Builtins.h"
#include "interpreter/Elementwise.h"
#include "interpreter/WideIntegers.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/IR/IntrinsicInst.h"
#include <cmath>

using namespace llvm;
using namespace regrain;

namespace {

/// Returns the type of an element of the first operand.
Type *operandType(const CallBase &call) {
  return call.getArgOperand(0)->getType()->getScalarType();
}

APFloat number(Type *type, uint64_t bits) {
  return APFloat(type->getFltSemantics(), APInt(widthOf(type), bits));
}

uint64_t bitsOf(const APFloat &value) { return value.bitcastToAPInt().getZExtValue(); }

Builtin scale() {
  return elementwise([](const CallBase &call, const Leaf &leaf, const ElementBits &operands) {
    Type *powers = call.getArgOperand(1)->getType()->getScalarType();
    int64_t power = signExtend(operands[1], widthOf(powers));
    constexpr int64_t farthest = 5000; // beyond the range of every type
    return bitsOf(scalbn(number(leaf.type, operands[0]),
                         int(std::clamp(power, -farthest, farthest)),
                         APFloat::rmNearestTiesToEven));
  });
}

/// Signed zeros are ordered, and the result is NaN if an operand is.
template <typename Choose> Builtin extremum(Choose choose) {
  return elementwise([choose](const CallBase &, const Leaf &leaf, const ElementBits &operands) {
    return bitsOf(choose(number(leaf.type, operands[0]), number(leaf.type, operands[1])));
  });
}

/// Computes the mantissa and the power of two of one number.
bool splitNumber(Machine &machine, Thread &thread, const Step &step) {
  if (step.leaves.size() != 2)
    return machine.fail(FaultKind::Unsupported, "llvm.frexp of vectors");
  Scalar value = machine.read(thread, step, 0);
  Type *type = step.leaves[0].type;
  unsigned width = step.leaves[1].width;
  int power = 0;
  APFloat mantissa = value.undefined
                         ? number(type, 0)
                         : frexp(number(type, value.bits), power, APFloat::rmNearestTiesToEven);
  bool isFinite = mantissa.isFinite();
  machine.write(thread, step,
                value.undefined ? unknown(step.leaves[0].width, value.isPoison)
                                : Scalar{bitsOf(mantissa), 0});
  machine.write(thread, step,
                value.undefined ? unknown(width, value.isPoison)
                : isFinite      ? Scalar{uint64_t(power) & maskOf(width), 0}
                                : unknown(width),
                1);
  return true;
}

using Overflowing = APInt (APInt::*)(const APInt &, bool &) const;

/// Returns a result and whether it overflows.
Builtin overflowing(Overflowing operation) {
  return [operation](Machine &machine, Thread &thread, const Step &step) {
    if (step.instruction->getOperand(0)->getType()->isVectorTy())
      return machine.fail(FaultKind::Unsupported, "an overflow of vectors");
    WideScalar a = readWide(machine, thread, step, 0), b = readWide(machine, thread, step, 1);
    bool overflows = false, isPoison = a.isPoison || b.isPoison;
    bool isDefined = a.undefined.isZero() && b.undefined.isZero();
    APInt result = (a.bits.*operation)(b.bits, overflows);
    writeWide(machine, thread, step,
              isDefined ? WideScalar(result) : wideUnknown(result.getBitWidth(), isPoison));
    machine.write(thread, step, isDefined ? Scalar{overflows, 0} : unknown(1, isPoison),
                  result.getNumWords());
    return true;
  };
}

} // namespace

Builtin regrain::findOverflowing(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::sadd_with_overflow:
    return overflowing(&APInt::sadd_ov);
  case Intrinsic::uadd_with_overflow:
    return overflowing(&APInt::uadd_ov);
  case Intrinsic::ssub_with_overflow:
    return overflowing(&APInt::ssub_ov);
  case Intrinsic::usub_with_overflow:
    return overflowing(&APInt::usub_ov);
  case Intrinsic::smul_with_overflow:
    return overflowing(&APInt::smul_ov);
  case Intrinsic::umul_with_overflow:
    return overflowing(&APInt::umul_ov);
  default:
    return {};
  }
}

namespace {

using Combine = uint64_t (*)(uint64_t a, uint64_t b, unsigned width);

/// Combines all elements of the last operand in order, starting from the first
/// operand if there are two.
Builtin reduction(Combine combine) {
  return [combine](Machine &machine, Thread &thread, const Step &step) {
    const auto &call = *cast<CallBase>(step.instruction);
    unsigned last = call.arg_size() - 1, width = step.leaves[0].width;
    Scalar result = machine.read(thread, step, 0);
    for (unsigned i = last ? 0 : 1; i < scalarCount(call.getArgOperand(last)->getType()); ++i) {
      Scalar element = machine.read(thread, step, last, i);
      result.bits = combine(result.bits, element.bits, width) & maskOf(width);
      result.undefined |= element.undefined;
      result.isPoison |= element.isPoison;
    }
    machine.write(thread, step,
                  result.undefined ? unknown(width, result.isPoison) : Scalar{result.bits, 0});
    return true;
  };
}

template <typename Operation> uint64_t single(uint64_t a, uint64_t b, Operation operation) {
  return bit_cast<uint32_t>(operation(bit_cast<float>(uint32_t(a)), bit_cast<float>(uint32_t(b))));
}

template <typename Operation>
uint64_t real(uint64_t a, uint64_t b, unsigned width, Operation operation) {
  return width == 32 ? single(a, b, operation)
                     : bit_cast<uint64_t>(operation(bit_cast<double>(a), bit_cast<double>(b)));
}

Builtin findReduction(const CallBase &call) {
#define COMBINE(expression)                                                                        \
  reduction([](uint64_t a, uint64_t b, [[maybe_unused]] unsigned width) -> uint64_t {              \
    return expression;                                                                             \
  })
  switch (call.getIntrinsicID()) {
  case Intrinsic::vector_reduce_add:
    return COMBINE(a + b);
  case Intrinsic::vector_reduce_mul:
    return COMBINE(a * b);
  case Intrinsic::vector_reduce_and:
    return COMBINE(a & b);
  case Intrinsic::vector_reduce_or:
    return COMBINE(a | b);
  case Intrinsic::vector_reduce_xor:
    return COMBINE(a ^ b);
  case Intrinsic::vector_reduce_umin:
    return COMBINE(std::min(a, b));
  case Intrinsic::vector_reduce_umax:
    return COMBINE(std::max(a, b));
  case Intrinsic::vector_reduce_smin:
    return COMBINE(signExtend(a, width) < signExtend(b, width) ? a : b);
  case Intrinsic::vector_reduce_smax:
    return COMBINE(signExtend(a, width) > signExtend(b, width) ? a : b);
  case Intrinsic::vector_reduce_fadd:
    return COMBINE(real(a, b, width, std::plus<>()));
  case Intrinsic::vector_reduce_fmul:
    return COMBINE(real(a, b, width, std::multiplies<>()));
  default:
    return {};
  }
#undef COMBINE
}

/// Returns whether reductions of the elements are exact here.
bool isReducible(const CallBase &call) {
  Type *type = call.getType();
  return type->isIntegerTy() || type->isFloatTy() || type->isDoubleTy();
}

} // namespace

Builtin regrain::classTest() {
  return elementwise([](const CallBase &call, const Leaf &, const ElementBits &operands) {
    return uint64_t((number(operandType(call), operands[0]).classify() & operands[1]) != 0);
  });
}

Builtin regrain::findNumberParts(const CallBase &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::is_fpclass:
    return classTest();
  case Intrinsic::ldexp:
    return scale();
  case Intrinsic::frexp:
    return splitNumber;
  case Intrinsic::canonicalize:
    return elementwise([](const CallBase &, const Leaf &leaf, const ElementBits &operands) {
      APFloat value = number(leaf.type, operands[0]);
      return bitsOf(value.isSignaling() ? value.makeQuiet() : value);
    });
  case Intrinsic::minimum:
    return extremum([](const APFloat &a, const APFloat &b) { return minimum(a, b); });
  case Intrinsic::maximum:
    return extremum([](const APFloat &a, const APFloat &b) { return maximum(a, b); });
  default:
    break;
  }
  if (Builtin found = findOverflowing(call.getIntrinsicID()))
    return found;
  return isReducible(call) ? findReduction(call) : Builtin();
}
