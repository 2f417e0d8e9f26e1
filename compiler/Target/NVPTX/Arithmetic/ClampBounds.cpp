//===- ClampBounds.cpp - How large clamped numbers are ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Arithmetic/ClampBounds.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include <cmath>

using namespace llvm;

namespace regrain::nvptx {

/// Returns the greatest that a number is if it is one, by the constants of a clamp; it is a number
/// unless nothing is known.
static std::optional<APFloat> boundOf(const Value *number, bool isUpper, unsigned levels = 4) {
  auto *constant = dyn_cast<ConstantFP>(number);
  if (constant && !constant->isNaN())
    return constant->getValueAPF();
  auto *intrinsic = dyn_cast<IntrinsicInst>(number);
  if (!intrinsic || levels == 0)
    return std::nullopt;
  Intrinsic::ID id = intrinsic->getIntrinsicID();
  bool isLeast = id == Intrinsic::minnum;
  if (!isLeast && id != Intrinsic::maxnum)
    return std::nullopt;
  auto left = boundOf(intrinsic->getArgOperand(0), isUpper, levels - 1);
  auto right = boundOf(intrinsic->getArgOperand(1), isUpper, levels - 1);
  if (left && right)
    return isLeast ? minnum(*left, *right) : maxnum(*left, *right);
  // The other one may be anything, and is not the result if it is no number.
  return isLeast == isUpper ? (left ? left : right) : std::nullopt;
}

std::optional<float> largestMagnitude(const Value *number) {
  auto upper = boundOf(number, true), lower = boundOf(number, false);
  if (!upper || !lower)
    return std::nullopt;
  return std::max(std::fabs(upper->convertToFloat()), std::fabs(lower->convertToFloat()));
}

} // namespace regrain::nvptx
