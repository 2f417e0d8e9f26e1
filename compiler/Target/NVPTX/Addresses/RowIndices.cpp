//===- RowIndices.cpp - Indices that step from row to row -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Addresses/RowIndices.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

constexpr unsigned deepest = 6;
/// Blocks of a loop in front of its rotation, with one for its condition, one for what it repeats,
/// and at least one for what a condition in it guards.
constexpr unsigned fewestOfGuarded = 4;
constexpr unsigned mostRows = 4; ///< that step by pointers, each of which takes two registers

/// Rewrites the indices of one loop.
class RowWidener {
public:
  RowWidener(const Loop &loop, bool usesPointers) : loop(loop), usesPointers(usesPointers) {}

  bool run() {
    SmallVector<SExtInst *> extensions = findIndices();
    if (extensions.empty())
      return widenElements();
    bool isOne = extensions.size() == 1;
    size_t rows = isOne ? extensions.front()->getNumUses() : extensions.size();
    if (usesPointers && rows > 1 && rows <= mostRows && stepByPointers(extensions))
      return true;
    if (isOne)
      widen(*extensions.front());
    return isOne;
  }

private:
  /// Returns the extensions of indices that step with the loop.
  SmallVector<SExtInst *> findIndices() const {
    SmallVector<SExtInst *> extensions;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block)
        if (auto *extension = dyn_cast<SExtInst>(&instruction);
            extension && isIndex(*extension) && stepsByRow(extension->getOperand(0)))
          extensions.push_back(extension);
    return extensions;
  }

  static bool isIndex(const SExtInst &extension) {
    return extension.getType()->isIntegerTy(64) && extension.getSrcTy()->isIntegerTy(32) &&
           all_of(extension.users(), [](const User *user) { return isa<GetElementPtrInst>(user); });
  }

  /// Returns the operation if it is of the given kind and does not overflow.
  static const BinaryOperator *exact(const Value *value, ArrayRef<unsigned> opcodes) {
    auto *operation = dyn_cast_if_present<BinaryOperator>(value);
    return operation && is_contained(opcodes, operation->getOpcode()) &&
                   operation->hasNoSignedWrap()
               ? operation
               : nullptr;
  }
  static const BinaryOperator *exactSum(const Value *value) {
    return exact(value, {Instruction::Add, Instruction::Sub});
  }

  void widen(SExtInst &extension) {
    IRBuilder<> builder(&extension);
    extension.replaceAllUsesWith(widened(extension.getOperand(0), builder));
    extension.eraseFromParent();
  }

  /// Widens indices that step from element to element, where the loop has conditions: these let
  /// LLVM forget more of what it knows about sums.
  bool widenElements() {
    if (loop.getNumBlocks() < fewestOfGuarded)
      return false;
    stepsByElements = true;
    SmallVector<SExtInst *> extensions = findIndices();
    if (extensions.empty() || extensions.size() > mostRows || !loop.getLoopPredecessor() ||
        !all_of(extensions,
                [&](const SExtInst *extension) { return stepsEvenly(extension->getOperand(0)); }))
      return false;
    for (SExtInst *extension : extensions)
      widen(*extension);
    return true;
  }

  /// Returns whether all counters in the index grow by constants.
  bool stepsEvenly(const Value *value, unsigned depth = 0) const {
    if (isCounter(value))
      return strideOf(*cast<PHINode>(value)) != 0;
    auto *sum = stepsByRow(value, depth) ? cast<BinaryOperator>(value) : nullptr;
    return !sum || (stepsEvenly(sum->getOperand(0), depth + 1) &&
                    stepsEvenly(sum->getOperand(1), depth + 1));
  }

  /// Returns a counter of 64 bits with the same numbers.
  PHINode *wideCounterOf(PHINode &counter) {
    PHINode *&result = wideCounters[&counter];
    if (result)
      return result;
    BasicBlock *before = loop.getLoopPredecessor(), *latch = loop.getLoopLatch();
    Type *wide = Type::getInt64Ty(counter.getContext());
    IRBuilder<> builder(before->getTerminator());
    result = PHINode::Create(wide, 2, "element", loop.getHeader()->begin());
    result->addIncoming(builder.CreateSExt(counter.getIncomingValueForBlock(before), wide), before);
    builder.SetInsertPoint(latch->getTerminator());
    result->addIncoming(builder.CreateNSWAdd(result, builder.getInt64(strideOf(counter))), latch);
    return result;
  }

  bool isCounter(const Value *value) const {
    auto *phi = dyn_cast<PHINode>(value);
    return phi && phi->getParent() == loop.getHeader();
  }

  /// Returns whether the value is the counter times something that only the loop does not change.
  bool isRow(const Value *value) const {
    if (stepsByElements)
      return isCounter(value);
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
  Value *widened(Value *value, IRBuilder<> &builder, unsigned depth = 0) {
    if (!stepsByRow(value, depth))
      return builder.CreateSExt(value, builder.getInt64Ty());
    if (isCounter(value))
      return wideCounterOf(*cast<PHINode>(value));
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

  /// Returns how the value grows with the counter: the other factor of its only row. Null if there
  /// are several, if the row is subtracted, or if something else changes in the loop.
  Value *stepOf(Value *value, unsigned depth = 0) const {
    if (isRow(value)) {
      auto *product = cast<BinaryOperator>(value);
      return product->getOperand(isCounter(product->getOperand(0)) ? 1 : 0);
    }
    if (!stepsByRow(value, depth))
      return nullptr;
    auto *sum = cast<BinaryOperator>(value);
    unsigned side = stepsByRow(sum->getOperand(0), depth + 1) ? 0 : 1;
    bool isPlain = loop.isLoopInvariant(sum->getOperand(1 - side)) &&
                   (side == 0 || sum->getOpcode() == Instruction::Add);
    return isPlain ? stepOf(sum->getOperand(side), depth + 1) : nullptr;
  }

  /// Returns the counter that is a factor of the value's row.
  PHINode *counterOf(Value *value) const {
    if (isRow(value) && isCounter(value))
      return cast<PHINode>(value);
    auto *operation = cast<BinaryOperator>(value);
    for (Value *operand : operation->operands()) {
      if (isRow(value) && isCounter(operand))
        return cast<PHINode>(operand);
      if (!isRow(value) && stepsByRow(operand))
        return counterOf(operand);
    }
    return nullptr;
  }

  /// Returns by which constant the counter grows in each iteration, without overflow, or 0.
  int64_t strideOf(const PHINode &counter) const {
    const BasicBlock *latch = loop.getLoopLatch();
    auto *next =
        latch ? dyn_cast<BinaryOperator>(counter.getIncomingValueForBlock(latch)) : nullptr;
    auto *stride =
        exactSum(next) && next->getOpcode() == Instruction::Add && next->getOperand(0) == &counter
            ? dyn_cast<ConstantInt>(next->getOperand(1))
            : nullptr;
    return stride ? stride->getSExtValue() : 0;
  }

  /// Returns whether a pointer can take the place of each address with the index. What an address
  /// behind the loop starts at may not be known in front of it.
  bool canStep(const SExtInst &extension) const {
    Value *step = stepOf(extension.getOperand(0));
    return step && strideOf(*counterOf(extension.getOperand(0))) > 0 &&
           all_of(extension.users(), [&](const User *user) {
             auto *address = cast<GetElementPtrInst>(user);
             return loop.contains(address) && address->getNumIndices() == 1 &&
                    loop.isLoopInvariant(address->getPointerOperand());
           });
  }

  /// Lets a pointer for each row step with the loop, if this is possible for all of them.
  bool stepByPointers(ArrayRef<SExtInst *> extensions) {
    if (!loop.getLoopPredecessor() || !loop.getLoopLatch() ||
        !all_of(extensions, [&](const SExtInst *each) { return canStep(*each); }))
      return false;
    for (SExtInst *extension : extensions) {
      for (User *user : make_early_inc_range(extension->users()))
        stepByPointer(*cast<GetElementPtrInst>(user), *extension);
      extension->eraseFromParent();
    }
    return true;
  }

  /// Replaces an address by a pointer of the loop.
  void stepByPointer(GetElementPtrInst &address, const SExtInst &extension) {
    BasicBlock *before = loop.getLoopPredecessor(), *latch = loop.getLoopLatch();
    Value *index = extension.getOperand(0);
    PHINode *counter = counterOf(index);
    IRBuilder<> builder(before->getTerminator());
    Value *first = startOf(index, counter->getIncomingValueForBlock(before), builder);
    Value *start =
        builder.CreateGEP(address.getSourceElementType(), address.getPointerOperand(), first);
    uint64_t size =
        address.getDataLayout().getTypeAllocSize(address.getSourceElementType()).getFixedValue();
    Value *step = builder.CreateMul(builder.CreateSExt(stepOf(index), builder.getInt64Ty()),
                                    builder.getInt64(size * uint64_t(strideOf(*counter))));
    PHINode *pointer = PHINode::Create(address.getType(), 2, "row", loop.getHeader()->begin());
    builder.SetInsertPoint(latch->getTerminator());
    pointer->addIncoming(start, before);
    pointer->addIncoming(builder.CreatePtrAdd(pointer, step), latch);
    address.replaceAllUsesWith(pointer);
    address.eraseFromParent();
  }

  /// Returns the index in 64 bits for one number of the counter.
  Value *startOf(Value *value, Value *counter, IRBuilder<> &builder, unsigned depth = 0) const {
    auto wide = [&](Value *narrow) { return builder.CreateSExt(narrow, builder.getInt64Ty()); };
    if (isRow(value))
      return builder.CreateMul(wide(counter), wide(stepOf(value)));
    if (!stepsByRow(value, depth))
      return wide(value);
    auto *sum = cast<BinaryOperator>(value);
    Value *left = startOf(sum->getOperand(0), counter, builder, depth + 1);
    return builder.CreateBinOp(sum->getOpcode(), left,
                               startOf(sum->getOperand(1), counter, builder, depth + 1));
  }

  const Loop &loop;
  bool usesPointers;
  bool stepsByElements = false; ///< the counter itself is a row
  SmallDenseMap<const PHINode *, PHINode *, 4> wideCounters;
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
      isChanged |= RowWidener(*loop, usesPointers).run();
  return flowPreserved(isChanged);
}

} // namespace regrain::nvptx
