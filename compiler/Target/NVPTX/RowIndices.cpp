//===- RowIndices.cpp - Indices that step from row to row -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/RowIndices.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

constexpr unsigned deepest = 6;

/// Rewrites the indices of one loop.
class RowWidener {
public:
  explicit RowWidener(const Loop &loop) : loop(loop) {}

  bool run() {
    SmallVector<SExtInst *> extensions;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block)
        if (auto *extension = dyn_cast<SExtInst>(&instruction);
            extension && isIndex(*extension) && stepsByRow(extension->getOperand(0)))
          extensions.push_back(extension);
    if (extensions.size() != 1)
      return false;
    SExtInst *extension = extensions.front();
    IRBuilder<> builder(extension);
    extension->replaceAllUsesWith(widened(extension->getOperand(0), builder));
    extension->eraseFromParent();
    return true;
  }

private:
  static bool isIndex(const SExtInst &extension) {
    return extension.getType()->isIntegerTy(64) && extension.getSrcTy()->isIntegerTy(32) &&
           all_of(extension.users(), [](const User *user) { return isa<GetElementPtrInst>(user); });
  }

  /// Returns the operation if it is of the given kind and does not overflow.
  static const BinaryOperator *exact(const Value *value, ArrayRef<unsigned> opcodes) {
    auto *operation = dyn_cast<BinaryOperator>(value);
    return operation && is_contained(opcodes, operation->getOpcode()) &&
                   operation->hasNoSignedWrap()
               ? operation
               : nullptr;
  }
  static const BinaryOperator *exactSum(const Value *value) {
    return exact(value, {Instruction::Add, Instruction::Sub});
  }

  bool isCounter(const Value *value) const {
    auto *phi = dyn_cast<PHINode>(value);
    return phi && phi->getParent() == loop.getHeader();
  }

  /// Returns whether the value is the counter times something that only the loop does not change.
  bool isRow(const Value *value) const {
    const BinaryOperator *product = exact(value, {Instruction::Mul});
    auto isStep = [&](const Value *step) {
      return !isa<Constant>(step) && loop.isLoopInvariant(step);
    };
    return product && ((isCounter(product->getOperand(0)) && isStep(product->getOperand(1))) ||
                       (isCounter(product->getOperand(1)) && isStep(product->getOperand(0))));
  }

  bool stepsByRow(const Value *value, unsigned depth = 0) const {
    if (isRow(value))
      return true;
    const BinaryOperator *sum = depth < deepest ? exactSum(value) : nullptr;
    return sum &&
           (stepsByRow(sum->getOperand(0), depth + 1) || stepsByRow(sum->getOperand(1), depth + 1));
  }

  /// Returns the value in 64 bits. What contains no row is computed as before.
  Value *widened(Value *value, IRBuilder<> &builder, unsigned depth = 0) const {
    if (!stepsByRow(value, depth))
      return builder.CreateSExt(value, builder.getInt64Ty());
    auto *operation = cast<BinaryOperator>(value);
    bool isProduct = operation->getOpcode() == Instruction::Mul;
    auto part = [&](unsigned operand) {
      Value *narrow = operation->getOperand(operand);
      return isProduct ? builder.CreateSExt(narrow, builder.getInt64Ty())
                       : widened(narrow, builder, depth + 1);
    };
    Value *left = part(0), *right = part(1);
    Value *wide = builder.CreateBinOp(operation->getOpcode(), left, right);
    if (auto *result = dyn_cast<BinaryOperator>(wide))
      result->setHasNoSignedWrap();
    return wide;
  }

  const Loop &loop;
};

} // namespace

PreservedAnalyses WidenRowIndices::run(Function &function, FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty())
    return PreservedAnalyses::all();
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool isChanged = false;
  for (const Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && !evolution.getSmallConstantTripCount(loop))
      isChanged |= RowWidener(*loop).run();
  return flowPreserved(isChanged);
}

} // namespace regrain::nvptx
