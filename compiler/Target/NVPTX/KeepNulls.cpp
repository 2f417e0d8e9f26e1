//===- KeepNulls.cpp - Null pointers beside short addresses ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/KeepNulls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

bool isGenericNull(const Value *value) {
  return isa<ConstantPointerNull>(value) && value->getType()->getPointerAddressSpace() == 0;
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

/// Returns the pointers that are selected or compared with null.
SmallVector<const Value *> pointersBesideNull(const Instruction &instruction) {
  if (isa<PHINode, SelectInst>(instruction) && instruction.getType()->isPointerTy())
    return {&instruction};
  SmallVector<const Value *> pointers;
  if (isa<ICmpInst>(instruction) && instruction.getOperand(0)->getType()->isPointerTy())
    pointers.assign(instruction.value_op_begin(), instruction.value_op_end());
  return pointers;
}

CallInst *makeNull(Function &function) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  auto *type = FunctionType::get(builder.getPtrTy(), /*isVarArg=*/false);
  CallInst *null = builder.CreateCall(
      type, InlineAsm::get(type, "mov.u64 $0, 0;", "=l", /*hasSideEffects=*/false));
  null->setDoesNotAccessMemory();
  null->setDoesNotThrow();
  return null;
}

} // namespace

PreservedAnalyses KeepNulls::run(Function &function, FunctionAnalysisManager &) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  SmallVector<Use *> nulls;
  for (Instruction &instruction : instructions(function)) {
    SmallVector<const Value *> pointers = pointersBesideNull(instruction);
    if (pointers.empty() || none_of(instruction.operand_values(), isGenericNull))
      continue;
    if (any_of(pointers, [&](const Value *each) { return mayHaveShortAddress(*each, layout); }))
      for (Use &operand : instruction.operands())
        if (isGenericNull(operand.get()))
          nulls.push_back(&operand);
  }
  if (nulls.empty())
    return PreservedAnalyses::all();
  CallInst *null = makeNull(function);
  for (Use *use : nulls)
    use->set(null);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace regrain::nvptx
