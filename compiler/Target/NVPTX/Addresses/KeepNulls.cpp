//===- KeepNulls.cpp - Null pointers beside short addresses ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Addresses/KeepNulls.h"

#include "compiler/DeviceIR/FlowPreserved.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include <map>
#include <optional>

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Returns the number that a generic pointer is, null among them; nothing for other values.
std::optional<uint64_t> numberOf(const Value *value, const DataLayout &layout) {
  auto *constant = dyn_cast<Constant>(value);
  if (!constant || !value->getType()->isPointerTy() ||
      value->getType()->getPointerAddressSpace() != 0 || isa<UndefValue>(value))
    return std::nullopt;
  Type *type = layout.getIntPtrType(value->getType());
  auto *number = dyn_cast_or_null<ConstantInt>(ConstantFoldCastOperand(
      Instruction::PtrToInt, const_cast<Constant *>(constant), type, layout));
  return number ? std::optional(number->getZExtValue()) : std::nullopt;
}

/// Returns whether the pointer may point to an object whose address is shorter than a generic one.
bool mayHaveShortAddress(const Value &pointer, const DataLayout &layout) {
  SmallVector<const Value *> objects;
  getUnderlyingObjects(&pointer, objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return any_of(objects, [&](const Value *object) {
    return isa<AllocaInst>(object) ||
           layout.getPointerTypeSizeInBits(object->getType()) < layout.getPointerSizeInBits(0);
  });
}

/// Returns the pointers that are selected or compared with numbers, if there are any.
SmallVector<const Value *> pointersBesideNumbers(const Instruction &instruction) {
  if (isa<PHINode, SelectInst>(instruction) && instruction.getType()->isPointerTy())
    return {&instruction};
  SmallVector<const Value *> pointers;
  if (isa<ICmpInst>(instruction) && instruction.getOperand(0)->getType()->isPointerTy())
    pointers.assign(instruction.value_op_begin(), instruction.value_op_end());
  return pointers;
}

CallInst *makeNumber(Function &function, uint64_t number) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  auto *type = FunctionType::get(builder.getPtrTy(), /*isVarArg=*/false);
  std::string text = "mov.u64 $0, " + std::to_string(number) + ";";
  CallInst *pointer =
      builder.CreateCall(type, InlineAsm::get(type, text, "=l", /*hasSideEffects=*/false));
  pointer->setDoesNotAccessMemory();
  pointer->setDoesNotThrow();
  return pointer;
}

} // namespace

PreservedAnalyses KeepNulls::run(Function &function, FunctionAnalysisManager &) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  SmallVector<std::pair<Use *, uint64_t>> numbers;
  for (Instruction &instruction : instructions(function)) {
    SmallVector<const Value *> pointers = pointersBesideNumbers(instruction);
    auto isNumber = [&](const Value *value) { return numberOf(value, layout).has_value(); };
    if (pointers.empty() || none_of(instruction.operand_values(), isNumber))
      continue;
    if (any_of(pointers, [&](const Value *each) { return mayHaveShortAddress(*each, layout); }))
      for (Use &operand : instruction.operands())
        if (std::optional<uint64_t> number = numberOf(operand.get(), layout))
          numbers.emplace_back(&operand, *number);
  }
  if (numbers.empty())
    return PreservedAnalyses::all();
  std::map<uint64_t, CallInst *> made; // any number is a key
  for (auto [use, number] : numbers) {
    CallInst *&pointer = made[number];
    if (!pointer)
      pointer = makeNumber(function, number);
    use->set(pointer);
  }
  return flowPreserved(/*isChanged=*/true);
}

} // namespace regrain::nvptx
