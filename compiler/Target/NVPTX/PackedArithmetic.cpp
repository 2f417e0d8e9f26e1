//===- PackedArithmetic.cpp - Sums and products of pairs ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/PackedArithmetic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <map>
#include <tuple>

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// One element of a vector that has pairs alone.
struct Lane {
  Value *vector;
  uint64_t number;
};

std::optional<Lane> laneOf(Value *value) {
  auto *element = dyn_cast<ExtractElementInst>(value);
  auto *number = element ? dyn_cast<ConstantInt>(element->getIndexOperand()) : nullptr;
  auto *type = element ? dyn_cast<FixedVectorType>(element->getVectorOperandType()) : nullptr;
  if (!number || !type || type->getNumElements() % 2 || number->uge(type->getNumElements()))
    return std::nullopt;
  return Lane{element->getVectorOperand(), number->getZExtValue()};
}

/// Returns the operation, if it may be one half of a packed instruction; otherwise 0.
unsigned packedOperation(const Instruction &instruction, unsigned capability) {
  constexpr unsigned firstWithHalf = 53, firstWithBrainFused = 80, firstWithBrain = 90;
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  bool isFused = call && call->getIntrinsicID() == Intrinsic::fma;
  unsigned opcode = instruction.getOpcode();
  bool isPlain =
      opcode == Instruction::FAdd || opcode == Instruction::FSub || opcode == Instruction::FMul;
  if (!isFused && !isPlain)
    return 0;
  Type *type = instruction.getType();
  bool isPacked =
      (type->isHalfTy() && capability >= firstWithHalf) ||
      (type->isBFloatTy() && capability >= (isFused ? firstWithBrainFused : firstWithBrain));
  return isPacked ? opcode : 0;
}

/// Returns the numbers with which the operation computes.
iterator_range<User::op_iterator> numbersOf(Instruction &operation) {
  auto *call = dyn_cast<CallBase>(&operation);
  return call ? make_range(call->arg_begin(), call->arg_end()) : operation.operands();
}

class BlockPacking {
public:
  BlockPacking(BasicBlock &block, unsigned capability) : block(block), capability(capability) {}

  bool run() {
    SmallVector<Instruction *> operations;
    for (Instruction &instruction : block)
      if (packedOperation(instruction, capability))
        operations.push_back(&instruction);
    for (Instruction *operation : operations)
      visit(*operation);
    for (Instruction *old : replaced)
      old->eraseFromParent();
    return !replaced.empty();
  }

private:
  /// The operation, its type and an operand: a vector's lane, and the operand's position.
  using Key = std::tuple<unsigned, Type *, Value *, uint64_t, unsigned>;

  /// Pairs the operation with an earlier one whose operands are the neighbours, or lets it wait.
  void visit(Instruction &operation) {
    for (auto [position, operand] : enumerate(numbersOf(operation))) {
      std::optional<Lane> lane = laneOf(operand);
      if (!lane)
        continue;
      auto keyAt = [&](uint64_t number) {
        return Key(operation.getOpcode(), operation.getType(), lane->vector, number,
                   unsigned(position));
      };
      bool isHigh = lane->number % 2;
      SmallVector<Instruction *> &others = waiting[keyAt(lane->number ^ 1)];
      for (Instruction *&other : others) {
        Instruction &low = isHigh ? *other : operation, &high = isHigh ? operation : *other;
        if (!areNeighbours(low, high))
          continue;
        pack(*other, low, high);
        others.erase(&other);
        return;
      }
      waiting[keyAt(lane->number)].push_back(&operation);
      return; // the first such operand decides for both
    }
  }

  static bool areNeighbours(Instruction &low, Instruction &high) {
    return all_of(zip_equal(numbersOf(low), numbersOf(high)), [](auto both) {
      auto &[left, right] = both;
      std::optional<Lane> first = laneOf(left), second = laneOf(right);
      bool areLanes = first && second && first->vector == second->vector &&
                      first->number % 2 == 0 && second->number == first->number + 1;
      return areLanes || left == right || (isa<ConstantFP>(left) && isa<ConstantFP>(right));
    });
  }

  static Value *join(IRBuilder<> &builder, Value *low, Value *high) {
    if (auto *constant = dyn_cast<ConstantFP>(low))
      return ConstantVector::get({constant, cast<ConstantFP>(high)});
    if (low == high)
      return builder.CreateVectorSplat(2, low);
    Lane lane = *laneOf(low);
    int first = int(lane.number);
    bool isWhole = cast<FixedVectorType>(lane.vector->getType())->getNumElements() == 2;
    return isWhole ? lane.vector : builder.CreateShuffleVector(lane.vector, {first, first + 1});
  }

  /// Every operand is a vector of which `first` has an element, or its own operand. So the pair can
  /// be computed there.
  void pack(Instruction &first, Instruction &low, Instruction &high) {
    IRBuilder<> builder(&first);
    SmallVector<Value *> operands;
    for (auto [left, right] : zip_equal(numbersOf(low), numbersOf(high)))
      operands.push_back(join(builder, left, right));
    Value *pair = isa<CallBase>(low)
                      ? builder.CreateIntrinsic(Intrinsic::fma, {operands[0]->getType()}, operands)
                      : builder.CreateBinOp(Instruction::BinaryOps(low.getOpcode()), operands[0],
                                            operands[1]);
    if (auto *packed = dyn_cast<Instruction>(pair)) {
      packed->copyIRFlags(&low);
      packed->andIRFlags(&high);
    }
    low.replaceAllUsesWith(builder.CreateExtractElement(pair, uint64_t(0)));
    high.replaceAllUsesWith(builder.CreateExtractElement(pair, uint64_t(1)));
    replaced.append({&low, &high});
  }

  BasicBlock &block;
  unsigned capability;
  std::map<Key, SmallVector<Instruction *>> waiting;
  SmallVector<Instruction *> replaced;
};

} // namespace

bool packArithmetic(Function &function, unsigned capability) {
  bool isChanged = false;
  for (BasicBlock &block : function)
    // What is computed with pairs may be paired in turn.
    while (BlockPacking(block, capability).run())
      isChanged = true;
  return isChanged;
}

} // namespace regrain::nvptx
