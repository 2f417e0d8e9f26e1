//===- SelectedMemories.cpp - Loads from one of two memories --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/SelectedMemories.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// The most steps from an address to what it is selected from.
constexpr unsigned mostSteps = 6;

/// Returns whether the address is known to be one of shared memory.
bool isShared(const Value *address) {
  auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(address, 2 * mostSteps));
  return variable && variable->getAddressSpace() == sharedSpace;
}

/// Returns whether the address is a number, such as null, and stands for no object.
bool isNumber(const Value *address) {
  const Value *object = getUnderlyingObject(address, 2 * mostSteps);
  return isa<Constant>(object) && !isa<GlobalValue>(object);
}

/// A load whose address follows from selections by one condition.
class SelectedLoad {
public:
  explicit SelectedLoad(LoadInst &load) : load(load) {
    if (!load.isSimple() || load.getPointerAddressSpace() != genericSpace ||
        !find(load.getPointerOperand()))
      condition = nullptr;
  }

  /// Returns whether one side is known to lie in shared memory, and the other one in an object that
  /// may lie elsewhere.
  bool isApart() const {
    return condition && isSharedOn(true) != isSharedOn(false) && !isNumber(startOn(true)) &&
           !isNumber(startOn(false));
  }

  /// Replaces the load by two. An undefined condition is no new fault: the address would be
  /// undefined as well.
  void split() {
    bool isSharedIfTrue = isSharedOn(true);
    Instruction *ends[2];
    SplitBlockAndInsertIfThenElse(condition, load.getIterator(), &ends[1], &ends[0]);
    auto *result = PHINode::Create(load.getType(), 2, "", load.getParent()->begin());
    for (bool side : {true, false}) {
      IRBuilder<> builder(ends[side]);
      Value *address = on(side, load.getPointerOperand(), builder);
      if (side == isSharedIfTrue)
        address = builder.CreateAddrSpaceCast(address, builder.getPtrTy(sharedSpace));
      auto *own = cast<LoadInst>(builder.Insert(load.clone()));
      own->setOperand(LoadInst::getPointerOperandIndex(), address);
      result->addIncoming(own, own->getParent());
    }
    result->takeName(&load);
    load.replaceAllUsesWith(result);
    load.eraseFromParent();
  }

private:
  /// Returns whether the address is computed by this step, which can be done once for each side.
  static bool isStep(const Value *value) {
    return isa<GetElementPtrInst, SExtInst, ZExtInst, AddrSpaceCastInst>(value);
  }

  /// Looks for the condition. Returns false if there are several.
  bool find(Value *value, unsigned depth = 0) {
    if (auto *selection = dyn_cast<SelectInst>(value)) {
      Value *own = selection->getCondition();
      if ((condition && condition != own) || !own->getType()->isIntegerTy(1))
        return false;
      condition = own;
      return true;
    }
    return !isStep(value) || depth == mostSteps ||
           all_of(cast<Instruction>(value)->operand_values(),
                  [&](Value *operand) { return find(operand, depth + 1); });
  }

  bool isSelected(const Value *value, unsigned depth = 0) const {
    if (auto *selection = dyn_cast<SelectInst>(value))
      return selection->getCondition() == condition;
    return isStep(value) && depth < mostSteps &&
           any_of(
               cast<Instruction>(value)->operand_values(),
               [&](const Value *operand) { return isSelected(operand, depth + 1); });
  }

  /// Returns the address on a side before the steps behind the selection.
  const Value *startOn(bool side) const {
    const Value *address = load.getPointerOperand();
    while (isa<GetElementPtrInst, AddrSpaceCastInst>(address))
      address = cast<Instruction>(address)->getOperand(0);
    auto *selection = dyn_cast<SelectInst>(address);
    if (!selection || selection->getCondition() != condition)
      return address;
    return side ? selection->getTrueValue() : selection->getFalseValue();
  }

  bool isSharedOn(bool side) const { return isShared(startOn(side)); }

  /// Returns what the value is on a side.
  Value *on(bool side, Value *value, IRBuilder<> &builder) const {
    if (!isSelected(value))
      return value;
    if (auto *selection = dyn_cast<SelectInst>(value))
      return side ? selection->getTrueValue() : selection->getFalseValue();
    Instruction *step = cast<Instruction>(value)->clone();
    for (Use &operand : step->operands())
      operand.set(on(side, operand.get(), builder));
    return builder.Insert(step);
  }

  LoadInst &load;
  Value *condition = nullptr;
};

/// Returns where the two ways meet on which an address has been chosen from which this loads, if
/// they only lead there, one address lies in shared memory, and the other one may not.
PHINode *choiceOf(LoadInst &load) {
  auto *choice = dyn_cast<PHINode>(load.getPointerOperand());
  bool isHere = choice && choice->getParent() == load.getParent() && load.isSimple() &&
                load.getPointerAddressSpace() == genericSpace &&
                choice->getNumIncomingValues() == 2;
  if (!isHere || isShared(choice->getIncomingValue(0)) == isShared(choice->getIncomingValue(1)) ||
      any_of(choice->incoming_values(), isNumber))
    return nullptr;
  bool areApart = all_of(choice->blocks(), [&](const BasicBlock *way) {
    return way->getSingleSuccessor() == load.getParent();
  });
  auto before = make_range(load.getParent()->begin(), load.getIterator());
  bool isFirst = none_of(
      before, [](const Instruction &instruction) { return instruction.mayHaveSideEffects(); });
  return areApart && isFirst && choice->getIncomingBlock(0) != choice->getIncomingBlock(1)
             ? choice
             : nullptr;
}

/// Loads at the end of each way from the address that was chosen there.
void loadOnEachWay(LoadInst &load, PHINode &choice) {
  auto *result = PHINode::Create(load.getType(), 2, "", load.getParent()->begin());
  for (auto [way, chosen] : zip_equal(choice.blocks(), choice.incoming_values())) {
    IRBuilder<> builder(way->getTerminator());
    Value *address = chosen;
    if (isShared(address))
      address = builder.CreateAddrSpaceCast(address, builder.getPtrTy(sharedSpace));
    auto *own = cast<LoadInst>(builder.Insert(load.clone()));
    own->setOperand(LoadInst::getPointerOperandIndex(), address);
    result->addIncoming(own, way);
  }
  result->takeName(&load);
  load.replaceAllUsesWith(result);
  load.eraseFromParent();
}

} // namespace

PreservedAnalyses SelectedMemories::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<LoadInst *> loads;
  for (Instruction &instruction : instructions(function))
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      loads.push_back(load);
  bool hasChanged = false;
  for (LoadInst *load : loads) {
    SelectedLoad selected(*load);
    PHINode *choice = choiceOf(*load);
    if (selected.isApart())
      selected.split();
    else if (choice)
      loadOnEachWay(*load, *choice);
    else
      continue;
    hasChanged = true;
  }
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace regrain::nvptx
