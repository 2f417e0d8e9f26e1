//===- FoldRounded.cpp - Constants of the math library --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Folding/FoldRounded.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include <optional>

using namespace llvm;

namespace {

/// An intrinsic function's name: "llvm.nvvm.", operation, direction, ".ftz", and type.
struct Operation {
  StringRef name;
  std::optional<RoundingMode> rounding;
  bool flushes = false;
};

std::optional<RoundingMode> roundingOf(StringRef word) {
  return StringSwitch<std::optional<RoundingMode>>(word)
      .Case("rn", RoundingMode::NearestTiesToEven)
      .Case("rz", RoundingMode::TowardZero)
      .Case("rm", RoundingMode::TowardNegative)
      .Case("rp", RoundingMode::TowardPositive)
      .Default(std::nullopt);
}

/// Returns the operation of the callee; its name is empty if the callee is no such function or if
/// its name has a word that is not known here, such as "approx".
Operation operationOf(StringRef callee) {
  Operation operation;
  if (!callee.consume_front("llvm.nvvm."))
    return operation;
  StringRef name, word;
  for (std::tie(name, callee) = callee.split('.'); !callee.empty();) {
    std::tie(word, callee) = callee.split('.');
    if (std::optional<RoundingMode> rounding = roundingOf(word))
      operation.rounding = rounding;
    else if (word == "ftz")
      operation.flushes = true;
    else if (word == "hi" || word == "lo")
      name = word == "hi" ? "high" : "low";
    else if (word != "f" && word != "d" && !(name == "lohi" && word == "i2d"))
      return operation;
  }
  operation.name = name;
  return operation;
}

/// Returns the value if it is the same with and without flushing.
std::optional<APFloat> settled(const APFloat &value, const Operation &operation) {
  if (value.isNaN() || (operation.flushes && value.isDenormal()))
    return std::nullopt;
  return value;
}

/// The constant numbers among the arguments of `call`; nothing if one is not constant.
std::optional<SmallVector<APFloat, 3>> numbersOf(const CallInst &call, const Operation &operation) {
  SmallVector<APFloat, 3> numbers;
  for (const Value *argument : call.args()) {
    auto *constant = dyn_cast<ConstantFP>(argument);
    std::optional<APFloat> value =
        constant ? settled(constant->getValueAPF(), operation) : std::nullopt;
    if (!value)
      return std::nullopt;
    numbers.push_back(*value);
  }
  return numbers;
}

std::optional<APFloat> compute(const Operation &operation, ArrayRef<APFloat> numbers) {
  if (numbers.empty())
    return std::nullopt;
  APFloat result = numbers[0];
  if (operation.name == "fabs" && numbers.size() == 1) {
    result.clearSign();
    return result;
  }
  if (!operation.rounding)
    return std::nullopt;
  if (operation.name == "rcp" && numbers.size() == 1) {
    result = APFloat::getOne(result.getSemantics());
    result.divide(numbers[0], *operation.rounding);
    return result;
  }
  if (operation.name == "d2f" && numbers.size() == 1) {
    bool losesInfo = false;
    result.convert(APFloat::IEEEsingle(), *operation.rounding, &losesInfo);
    return result;
  }
  if (operation.name == "fma" && numbers.size() == 3) {
    result.fusedMultiplyAdd(numbers[1], numbers[2], *operation.rounding);
    return result;
  }
  if (numbers.size() != 2)
    return std::nullopt;
  if (operation.name == "add")
    result.add(numbers[1], *operation.rounding);
  else if (operation.name == "mul")
    result.multiply(numbers[1], *operation.rounding);
  else if (operation.name == "div")
    result.divide(numbers[1], *operation.rounding);
  else
    return std::nullopt;
  return result;
}

/// Returns the number as an integer if it fits.
Constant *toInteger(const APFloat &number, const Operation &operation, IntegerType &type) {
  bool isUnsigned = operation.name.ends_with("2ui") || operation.name.ends_with("2ull");
  bool isSigned = operation.name.ends_with("2i") || operation.name.ends_with("2ll");
  if (!operation.rounding || (!isUnsigned && !isSigned))
    return nullptr;
  APSInt integer(type.getBitWidth(), isUnsigned);
  bool isExact = false;
  if (number.convertToInteger(integer, *operation.rounding, &isExact) & APFloat::opInvalidOp)
    return nullptr;
  return ConstantInt::get(&type, integer);
}

/// Folds functions of integers: conversions to numbers, and a double of two halves.
Constant *foldIntegers(const CallInst &call, const Operation &operation) {
  auto *first = dyn_cast<ConstantInt>(call.getArgOperand(0));
  Type *type = call.getType();
  if (!first || !type->isFloatingPointTy())
    return nullptr;
  if (operation.name == "lohi" && call.arg_size() == 2) {
    auto *high = dyn_cast<ConstantInt>(call.getArgOperand(1));
    return high ? ConstantFP::get(
                      type->getContext(),
                      APFloat(APFloat::IEEEdouble(), high->getValue().concat(first->getValue())))
                : nullptr;
  }
  StringRef from = operation.name.take_front(operation.name.find('2'));
  bool isSigned = from == "i" || from == "ll", isUnsigned = from == "ui" || from == "ull";
  if (!operation.rounding || (!isSigned && !isUnsigned))
    return nullptr;
  APFloat result(type->getFltSemantics());
  result.convertFromAPInt(first->getValue(), isSigned, *operation.rounding);
  return ConstantFP::get(type->getContext(), result);
}

/// Returns the result of `call` if it is known.
Constant *resultOf(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  Operation operation = callee ? operationOf(callee->getName()) : Operation{};
  if (operation.name.empty() || call.arg_empty())
    return nullptr;
  if (call.getArgOperand(0)->getType()->isIntegerTy())
    return foldIntegers(call, operation);
  std::optional<SmallVector<APFloat, 3>> numbers = numbersOf(call, operation);
  if (!numbers)
    return nullptr;
  if (auto *type = dyn_cast<IntegerType>(call.getType())) {
    APInt bits = numbers->front().bitcastToAPInt();
    if (bits.getBitWidth() == 64 && (operation.name == "high" || operation.name == "low"))
      return ConstantInt::get(type, bits.extractBits(32, operation.name == "high" ? 32 : 0));
    return toInteger(numbers->front(), operation, *type);
  }
  std::optional<APFloat> result = compute(operation, *numbers);
  if (result)
    result = settled(*result, operation);
  return result && call.getType()->isFloatingPointTy() &&
                 &result->getSemantics() == &call.getType()->getFltSemantics()
             ? ConstantFP::get(call.getContext(), *result)
             : nullptr;
}

} // namespace

PreservedAnalyses regrain::FoldRounded::run(Function &function, FunctionAnalysisManager &) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  SmallSetVector<Instruction *, 16> work;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && resultOf(*call))
      work.insert(call);
  bool changed = false;
  while (!work.empty()) {
    Instruction *instruction = work.pop_back_val();
    auto *call = dyn_cast<CallInst>(instruction);
    Constant *result = call ? resultOf(*call) : nullptr;
    if (!result)
      result = ConstantFoldInstruction(instruction, layout);
    if (!result)
      continue;
    for (User *user : instruction->users())
      work.insert(cast<Instruction>(user));
    instruction->replaceAllUsesWith(result);
    if (isInstructionTriviallyDead(instruction))
      instruction->eraseFromParent();
    changed = true;
  }
  return flowPreserved(changed);
}
