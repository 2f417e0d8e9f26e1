//===- FoldApproximations.cpp - Constants of fast math --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Folding/FoldApproximations.h"

#include "compiler/Folding/ReplaceCalls.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include <cmath>
#include <optional>

using namespace llvm;

namespace {

constexpr int smallestExponent = -126, largestExponent = 127; ///< of normal floats

/// Returns lg2.approx.f32 if the result is exact.
std::optional<float> logarithm(float value) {
  int exponent = 0;
  if (!std::isfinite(value) || value < 1 || std::frexp(value, &exponent) != 0.5f)
    return std::nullopt;
  return static_cast<float>(exponent - 1);
}

/// Returns ex2.approx.f32 if the result is exact.
std::optional<float> power(float exponent) {
  if (!(exponent >= smallestExponent && exponent <= largestExponent) ||
      exponent != std::trunc(exponent))
    return std::nullopt;
  return std::ldexp(1.0f, static_cast<int>(exponent));
}

enum class Operation { None, Logarithm, Power, PowerOf };

Operation operationOf(StringRef callee) {
  return StringSwitch<Operation>(callee)
      .Cases("llvm.nvvm.lg2.approx.f", "llvm.nvvm.lg2.approx.ftz.f", "__nv_fast_log2f",
             Operation::Logarithm)
      .Cases("llvm.nvvm.ex2.approx.f", "llvm.nvvm.ex2.approx.ftz.f", Operation::Power)
      .Case("__nv_fast_powf", Operation::PowerOf)
      .Default(Operation::None);
}

std::optional<float> constantOf(const Value *value) {
  auto *constant = dyn_cast<ConstantFP>(value);
  if (!constant || !constant->getType()->isFloatTy())
    return std::nullopt;
  return constant->getValueAPF().convertToFloat();
}

/// Returns the result of `call` if it is known.
std::optional<float> resultOf(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  Operation operation = callee ? operationOf(callee->getName()) : Operation::None;
  if (operation == Operation::None || !call.getType()->isFloatTy())
    return std::nullopt;
  std::optional<float> first = constantOf(call.getArgOperand(0));
  if (!first)
    return std::nullopt;
  if (operation == Operation::Logarithm)
    return logarithm(*first);
  if (operation == Operation::Power)
    return power(*first);
  // __powf(x, y) is ex2.approx(y * lg2.approx(x)).
  std::optional<float> exponent = constantOf(call.getArgOperand(1)), base = logarithm(*first);
  return exponent && base ? power(*exponent * *base) : std::nullopt;
}

} // namespace

PreservedAnalyses regrain::FoldApproximations::run(Function &function, FunctionAnalysisManager &) {
  return replaceCalls(function, [](CallInst &call) -> Value * {
    std::optional<float> result = resultOf(call);
    return result ? ConstantFP::get(call.getType(), *result) : nullptr;
  });
}
