//===- WideBuiltins.cpp - LLVM's intrinsics on integers of any width ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Builtins.h"
#include "interpreter/Machine.h"
#include "interpreter/WideIntegers.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace regrain;

namespace {

/// Returns an element of the result from those of the operands; nothing if it is
/// poison.
using Function = std::optional<APInt> (*)(const CallBase &, ArrayRef<APInt>);

/// The result is undefined if an operand is.
Builtin ofElements(Function function) {
  return [function](Machine &machine, Thread &thread, const Step &step) {
    const auto &call = *cast<CallBase>(step.instruction);
    Type *type = call.getType()->getScalarType();
    for (unsigned first = 0; first < step.leaves.size(); first += scalarCount(type)) {
      SmallVector<APInt, 3> operands;
      bool isUndefined = false, isPoison = false;
      for (unsigned k = 0; k < call.arg_size(); ++k) {
        WideScalar value = readWide(machine, thread, step, k, first / scalarCount(type));
        isUndefined |= !value.undefined.isZero();
        isPoison |= value.isPoison;
        operands.push_back(std::move(value.bits));
      }
      std::optional<APInt> result = isUndefined ? std::nullopt : function(call, operands);
      writeWide(machine, thread, step,
                result ? WideScalar(*result) : wideUnknown(widthOf(type), isPoison || !isUndefined),
                first);
    }
    return true;
  };
}

/// Counts the zeros at one end; the result for 0 is poison if the second
/// operand says so.
std::optional<APInt> zeros(ArrayRef<APInt> operands, unsigned count) {
  if (operands[0].isZero() && operands[1].isOne())
    return std::nullopt;
  return APInt(operands[0].getBitWidth(), count);
}

std::optional<APInt> magnitude(const CallBase &, ArrayRef<APInt> operands) {
  if (operands[0].isMinSignedValue() && operands[1].isOne())
    return std::nullopt;
  return operands[0].abs();
}

/// Concatenates two numbers, the first one above.
APInt funnel(ArrayRef<APInt> operands, bool isLeft) {
  unsigned width = operands[0].getBitWidth(), count = operands[2].urem(width);
  APInt row = operands[0].concat(operands[1]);
  return isLeft ? row.shl(count).extractBits(width, width) : row.lshr(count).trunc(width);
}

/// Converts towards zero; a value out of range becomes the nearest integer, and
/// a NaN 0.
APInt saturated(const CallBase &call, const APInt &bits, bool isSigned) {
  APSInt result(widthOf(call.getType()->getScalarType()), /*isUnsigned=*/!isSigned);
  bool isExact = false;
  const fltSemantics &from = call.getArgOperand(0)->getType()->getScalarType()->getFltSemantics();
  (void)APFloat(from, bits).convertToInteger(result, APFloat::rmTowardZero, &isExact);
  return result;
}

#define ELEMENT(expression)                                                                        \
  ofElements([]([[maybe_unused]] const CallBase &call,                                             \
                ArrayRef<APInt> o) -> std::optional<APInt> { return expression; })

Builtin findSaturating(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::uadd_sat:
    return ELEMENT(o[0].uadd_sat(o[1]));
  case Intrinsic::sadd_sat:
    return ELEMENT(o[0].sadd_sat(o[1]));
  case Intrinsic::usub_sat:
    return ELEMENT(o[0].usub_sat(o[1]));
  case Intrinsic::ssub_sat:
    return ELEMENT(o[0].ssub_sat(o[1]));
  case Intrinsic::fptosi_sat:
    return ELEMENT(saturated(call, o[0], true));
  case Intrinsic::fptoui_sat:
    return ELEMENT(saturated(call, o[0], false));
  default:
    return {};
  }
}

} // namespace

Builtin regrain::findWideIntrinsic(const CallBase &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::smin:
    return ELEMENT(APIntOps::smin(o[0], o[1]));
  case Intrinsic::smax:
    return ELEMENT(APIntOps::smax(o[0], o[1]));
  case Intrinsic::umin:
    return ELEMENT(APIntOps::umin(o[0], o[1]));
  case Intrinsic::umax:
    return ELEMENT(APIntOps::umax(o[0], o[1]));
  case Intrinsic::abs:
    return ofElements(magnitude);
  case Intrinsic::ctpop:
    return ELEMENT(APInt(o[0].getBitWidth(), o[0].popcount()));
  case Intrinsic::ctlz:
    return ELEMENT(zeros(o, o[0].countl_zero()));
  case Intrinsic::cttz:
    return ELEMENT(zeros(o, o[0].countr_zero()));
  case Intrinsic::bswap:
    return ELEMENT(o[0].byteSwap());
  case Intrinsic::bitreverse:
    return ELEMENT(o[0].reverseBits());
  case Intrinsic::fshl:
    return ELEMENT(funnel(o, true));
  case Intrinsic::fshr:
    return ELEMENT(funnel(o, false));
  case Intrinsic::expect:
    return ELEMENT(o[0]);
  default:
    break;
  }
  if (Builtin found = findSaturating(call.getIntrinsicID()))
    return found;
  return findOverflowing(call.getIntrinsicID());
}
#undef ELEMENT
