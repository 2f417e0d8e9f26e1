//===- FoldLongDouble.cpp - Logarithms of constants on the host -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/FoldLongDouble.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <cmath>
#include <cstring>
#include <limits>

using namespace llvm;

namespace regrain {
namespace {

using Logarithm = long double (*)(long double);

/// Whether this machine's long double is x86_fp80.
constexpr bool hasX87 = std::numeric_limits<long double>::digits == 64;
constexpr unsigned x87Bits = 80;

/// Returns the function that `call` evaluates, or null.
Logarithm logarithmOf(const CallInst &call, const TargetLibraryInfo &library) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::log:
    return std::log;
  case Intrinsic::log2:
    return std::log2;
  case Intrinsic::log10:
    return std::log10;
  default:
    break;
  }
  LibFunc known;
  if (!library.getLibFunc(call, known) || !library.has(known))
    return nullptr;
  switch (known) {
  case LibFunc_logl:
    return std::log;
  case LibFunc_log2l:
    return std::log2;
  case LibFunc_log10l:
    return std::log10;
  default:
    return nullptr;
  }
}

Constant *evaluate(Logarithm logarithm, const ConstantFP &argument) {
  APInt bits = argument.getValueAPF().bitcastToAPInt();
  long double value = 0;
  std::memcpy(&value, bits.getRawData(), x87Bits / 8);
  long double result = logarithm(value);
  uint64_t words[2] = {};
  std::memcpy(words, &result, x87Bits / 8);
  return ConstantFP::get(argument.getContext(),
                         APFloat(APFloat::x87DoubleExtended(), APInt(x87Bits, words)));
}

} // namespace

PreservedAnalyses FoldLongDouble::run(Function &function, FunctionAnalysisManager &analyses) {
  if (!hasX87 || function.hasFnAttribute(Attribute::StrictFP))
    return PreservedAnalyses::all();
  const auto &library = analyses.getResult<TargetLibraryAnalysis>(function);
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call || !call->getType()->isX86_FP80Ty() || call->arg_size() != 1)
      continue;
    auto *argument = dyn_cast<ConstantFP>(call->getArgOperand(0));
    if (!argument || !argument->getValueAPF().isFiniteNonZero() || argument->isNegative())
      continue;
    Logarithm logarithm = logarithmOf(*call, library);
    if (!logarithm)
      continue;
    call->replaceAllUsesWith(evaluate(logarithm, *argument));
    call->eraseFromParent();
    changed = true;
  }
  return flowPreserved(changed);
}

} // namespace regrain
