//===- ThreadStrides.cpp - How far apart threads access memory ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/ThreadStrides.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regrain::nvptx {

constexpr unsigned deepest = 64; ///< how far operands are followed

/// A distance that is a multiple of a number that the program gives.
constexpr int64_t farAway = int64_t(1) << 40;

static int64_t bounded(int64_t distance) { return std::clamp(distance, -farAway, farAway); }

/// Returns whether all threads agree on the values.
bool ThreadStrides::agree(ArrayRef<const SCEV *> values) {
  return all_of(values, [&](const SCEV *value) { return distanceOf(value) == 0; });
}

/// Threads with neighbouring first coordinates have the same other ones.
static std::optional<int64_t> distanceOfCall(const IntrinsicInst &call) {
  StringRef name = call.getCalledFunction()->getName();
  if (!name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return std::nullopt;
  if (name == "tid.x")
    return 1;
  for (StringRef same : {"tid.", "ntid.", "ctaid.", "nctaid."})
    if (name.starts_with(same))
      return 0;
  return std::nullopt;
}

ThreadStrides::Distance ThreadStrides::distanceOf(const Value &value) {
  if (isa<Constant, Argument>(value))
    return 0;
  if (auto *call = dyn_cast<IntrinsicInst>(&value))
    return distanceOfCall(*call);
  auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || isa<PHINode, CallBase, AllocaInst>(instruction) ||
      instruction->mayWriteToMemory())
    return std::nullopt;
  bool areSame = all_of(instruction->operand_values(), [&](const Value *operand) {
    return isa<Constant>(operand) ||
           (evolution.isSCEVable(operand->getType()) &&
            distanceOf(evolution.getSCEV(const_cast<Value *>(operand))) == 0);
  });
  return areSame ? Distance(0) : std::nullopt;
}

ThreadStrides::Distance ThreadStrides::distanceOfSum(const SCEVAddExpr &sum) {
  int64_t total = 0;
  for (const SCEV *operand : sum.operands()) {
    Distance one = distanceOf(operand);
    if (!one)
      return std::nullopt;
    total = bounded(total + *one);
  }
  return total;
}

/// Returns the distance of a product of constants, of numbers that threads agree on, and at most
/// one other.
ThreadStrides::Distance ThreadStrides::distanceOfProduct(const SCEVMulExpr &product) {
  int64_t factor = 1, distance = 0;
  bool isScaled = false;
  for (const SCEV *operand : product.operands()) {
    if (auto *constant = dyn_cast<SCEVConstant>(operand)) {
      if (constant->getAPInt().getSignificantBits() > 20)
        return std::nullopt;
      factor = constant->getAPInt().getSExtValue();
      continue;
    }
    Distance one = distanceOf(operand);
    if (!one || (*one != 0 && distance != 0))
      return std::nullopt;
    isScaled |= *one == 0;
    distance += *one;
  }
  return distance != 0 && isScaled ? farAway : bounded(distance * factor);
}

ThreadStrides::Distance ThreadStrides::distanceOf(const SCEV *value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  if (depth == deepest)
    return std::nullopt;
  ++depth;
  known[value] = std::nullopt; // for what depends on itself
  Distance distance = compute(value);
  known[value] = distance;
  --depth;
  return distance;
}

ThreadStrides::Distance ThreadStrides::compute(const SCEV *value) {
  if (isa<SCEVConstant>(value))
    return 0;
  if (auto *unknown = dyn_cast<SCEVUnknown>(value))
    return distanceOf(*unknown->getValue());
  if (auto *cast = dyn_cast<SCEVCastExpr>(value))
    return distanceOf(cast->getOperand());
  if (auto *sum = dyn_cast<SCEVAddExpr>(value))
    return distanceOfSum(*sum);
  if (auto *product = dyn_cast<SCEVMulExpr>(value))
    return distanceOfProduct(*product);
  if (auto *counter = dyn_cast<SCEVAddRecExpr>(value))
    return agree(counter->operands().drop_front()) ? distanceOf(counter->getStart()) : std::nullopt;
  return agree(value->operands()) ? Distance(0) : std::nullopt;
}

Reach ThreadStrides::reachOf(const Value &pointer) {
  constexpr int64_t near = 16, far = 32;
  Distance distance = distanceOf(evolution.getSCEV(const_cast<Value *>(&pointer)));
  if (!distance)
    return Reach::Unknown;
  if (std::abs(*distance) <= near)
    return Reach::Near;
  return std::abs(*distance) >= far ? Reach::Far : Reach::Unknown;
}

} // namespace regrain::nvptx
