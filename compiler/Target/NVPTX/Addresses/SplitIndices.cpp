//===- SplitIndices.cpp - Constant parts of many indices ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Addresses/SplitIndices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"

using namespace llvm;

namespace {

/// An index of 32 bits as a sum of 64 bits: exact, because its parts do not overflow.
struct WideSum {
  Value *rest = nullptr; ///< null: nothing but the constant
  int64_t constant = 0;
};

/// Rewrites one extended index.
class IndexSplitter {
public:
  explicit IndexSplitter(Instruction &extension) : builder(&extension), wide(extension.getType()) {}

  /// Returns whether a sum is multiplied in the index, and nothing overflows. Those without a
  /// constant share their address with those that have one.
  static bool multipliesSum(const Value *index) {
    return multiplies(index, [](const Value &part) { return isSum(part); });
  }

  /// Returns whether a sum with a constant is multiplied in the index, and nothing overflows.
  static bool multipliesConstant(const Value *index) {
    return multiplies(index, [](const Value &part) { return isa<ConstantInt>(part); });
  }

  /// Returns whether the value is a sum that does not overflow.
  static bool isSum(const Value &value) {
    auto *sum = dyn_cast<BinaryOperator>(&value);
    return sum && isExact(*sum) && !isMultiple(*sum);
  }

  WideSum split(Value *index, unsigned depth = 0) {
    if (auto *constant = dyn_cast<ConstantInt>(index))
      return {nullptr, constant->getSExtValue()};
    auto *sum = dyn_cast<BinaryOperator>(index);
    if (!sum || depth > deepest || !isExact(*sum))
      return {builder.CreateSExt(index, wide)};
    if (isMultiple(*sum))
      return times(split(multiplied(*sum), depth + 1), factorOf(*sum));
    WideSum left = split(sum->getOperand(0), depth + 1);
    WideSum right = split(sum->getOperand(1), depth + 1);
    if (sum->getOpcode() == Instruction::Sub)
      right = times(right, -1);
    Value *rest = !left.rest    ? right.rest
                  : !right.rest ? left.rest
                                : builder.CreateAdd(left.rest, right.rest);
    return {rest, left.constant + right.constant};
  }

  Value *valueOf(const WideSum &sum) {
    Value *constant = ConstantInt::getSigned(wide, sum.constant);
    return sum.rest ? builder.CreateAdd(sum.rest, constant) : constant;
  }

private:
  static constexpr unsigned deepest = 8;

  static bool multiplies(const Value *index, function_ref<bool(const Value &)> isWanted,
                         bool isMultiplied = false, unsigned depth = 0) {
    if (isMultiplied && isWanted(*index))
      return true;
    auto *operation = dyn_cast<BinaryOperator>(index);
    if (!operation || depth > deepest || !isExact(*operation))
      return false;
    if (isMultiple(*operation))
      return multiplies(multiplied(*operation), isWanted, /*isMultiplied=*/true, depth + 1);
    return any_of(operation->operands(), [&](const Use &operand) {
      return multiplies(operand, isWanted, isMultiplied, depth + 1);
    });
  }

  static bool isMultiple(const BinaryOperator &operation) {
    return operation.getOpcode() == Instruction::Mul || operation.getOpcode() == Instruction::Shl;
  }
  /// Returns the constant of a multiple, which may be on either side of a product: InstCombine has
  /// not run; null if there is none.
  static const ConstantInt *constantOf(const BinaryOperator &multiple) {
    auto *right = dyn_cast<ConstantInt>(multiple.getOperand(1));
    bool commutes = multiple.getOpcode() == Instruction::Mul;
    return right || !commutes ? right : dyn_cast<ConstantInt>(multiple.getOperand(0));
  }
  static Value *multiplied(const BinaryOperator &multiple) {
    return multiple.getOperand(constantOf(multiple) == multiple.getOperand(1) ? 0 : 1);
  }
  static int64_t factorOf(const BinaryOperator &multiple) {
    int64_t factor = constantOf(multiple)->getSExtValue();
    return multiple.getOpcode() == Instruction::Mul ? factor : int64_t(1) << (factor & 31);
  }
  /// Returns whether the operation is one that is split, and does not overflow.
  static bool isExact(const BinaryOperator &operation) {
    bool isSum =
        operation.getOpcode() == Instruction::Add || operation.getOpcode() == Instruction::Sub;
    return (isSum || (isMultiple(operation) && constantOf(operation))) &&
           operation.hasNoSignedWrap();
  }
  WideSum times(const WideSum &sum, int64_t factor) {
    if (!sum.rest)
      return {nullptr, sum.constant * factor};
    Value *rest = factor == -1 ? builder.CreateNeg(sum.rest)
                               : builder.CreateMul(sum.rest, builder.getInt64(factor));
    return {rest, sum.constant * factor};
  }

  IRBuilder<> builder;
  Type *wide;
};

bool hasManyAddresses(Function &function) {
  size_t addresses = count_if(instructions(function), [](const Instruction &instruction) {
    return isa<GetElementPtrInst>(instruction);
  });
  return addresses >= regrain::nvptx::manyAddresses;
}

/// Returns whether the value is part of an address, directly or in a sum. Arrays of the module are
/// left alone: their indices are few and small.
bool isInAddress(const Value &value, unsigned depth = 0) {
  return any_of(value.users(), [&](const User *user) {
    if (auto *address = dyn_cast<GetElementPtrInst>(user))
      return !isa<GlobalVariable>(getUnderlyingObject(address->getPointerOperand()));
    auto *sum = dyn_cast<BinaryOperator>(user);
    return sum && sum->getOpcode() == Instruction::Add && depth < 3 && isInAddress(*sum, depth + 1);
  });
}

} // namespace

/// Returns the extensions of indices that are split. The neighbours in a smaller function are split
/// together with the other sums in its indices, with which they share addresses. In loops, strength
/// reduction forms its addresses.
static SmallVector<SExtInst *> splitExtensions(Function &function, const LoopInfo &loops) {
  SmallVector<SExtInst *> sums, multiples;
  ptrdiff_t neighbours = 0;
  for (Instruction &instruction : instructions(function)) {
    auto *extension = dyn_cast<SExtInst>(&instruction);
    if (!extension || !extension->getType()->isIntegerTy(64) ||
        !extension->getSrcTy()->isIntegerTy(32) || !isInAddress(*extension))
      continue;
    const Value *index = extension->getOperand(0);
    bool multipliesSum = IndexSplitter::multipliesSum(index);
    if (multipliesSum)
      multiples.push_back(extension);
    if (loops.getLoopFor(extension->getParent()))
      continue;
    if (multipliesSum || IndexSplitter::isSum(*index))
      sums.push_back(extension);
    neighbours += IndexSplitter::multipliesConstant(index);
  }
  if (hasManyAddresses(function))
    return multiples;
  return neighbours >= regrain::nvptx::manyNeighbours ? sums : SmallVector<SExtInst *>();
}

PreservedAnalyses regrain::nvptx::WidenSplitIndices::run(Function &function,
                                                         FunctionAnalysisManager &analyses) {
  SmallVector<SExtInst *> extensions =
      splitExtensions(function, analyses.getResult<LoopAnalysis>(function));
  for (SExtInst *extension : extensions) {
    IndexSplitter splitter(*extension);
    extension->replaceAllUsesWith(splitter.valueOf(splitter.split(extension->getOperand(0))));
    extension->eraseFromParent();
  }
  return extensions.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

PreservedAnalyses regrain::nvptx::SplitIndices::run(Function &function,
                                                    FunctionAnalysisManager &analyses) {
  if (!hasManyAddresses(function))
    return PreservedAnalyses::all();
  FunctionPassManager passes;
  passes.addPass(SeparateConstOffsetFromGEPPass());
  passes.addPass(EarlyCSEPass());
  return passes.run(function, analyses);
}
