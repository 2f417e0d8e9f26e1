//===- VariableAllocas.cpp - Stack allocations of dynamic size ------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/VariableAllocas.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regrain::cpu {

static Value *pushed(AllocaInst &alloca, Value &list) {
  IRBuilder<> builder(&alloca);
  Module &module = *alloca.getModule();
  Type *i64 = builder.getInt64Ty();
  uint64_t elementBytes = module.getDataLayout().getTypeAllocSize(alloca.getAllocatedType());
  Value *count = builder.CreateZExt(alloca.getArraySize(), i64);
  Value *bytes = builder.CreateMul(count, builder.getInt64(elementBytes));
  return builder.CreateCall(module.getFunction("regrain_alloca_push"),
                            {&list, bytes, builder.getInt64(alloca.getAlign().value())});
}

void moveVariableAllocas(Function &function) {
  SmallVector<Instruction *> allocas;
  for (Instruction &inst : instructions(function))
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && !alloca->isStaticAlloca())
      allocas.push_back(alloca);
  if (allocas.empty())
    return;
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  Constant *none = ConstantPointerNull::get(builder.getPtrTy());
  Value *list = builder.CreateAlloca(builder.getPtrTy());
  builder.CreateStore(none, list);
  Function *pop = function.getParent()->getFunction("regrain_alloca_pop");
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
    Intrinsic::ID id = intrinsic ? intrinsic->getIntrinsicID() : Intrinsic::not_intrinsic;
    builder.SetInsertPoint(&inst);
    Value *replacement = nullptr;
    if (is_contained(allocas, &inst))
      replacement = pushed(cast<AllocaInst>(inst), *list);
    else if (id == Intrinsic::stacksave)
      replacement = builder.CreateLoad(builder.getPtrTy(), list);
    else if (id == Intrinsic::stackrestore)
      replacement = builder.CreateCall(pop, {list, intrinsic->getArgOperand(0)});
    else if (isa<ReturnInst>(inst))
      builder.CreateCall(pop, {list, none});
    if (!replacement)
      continue;
    if (!inst.use_empty())
      inst.replaceAllUsesWith(replacement);
    inst.eraseFromParent();
  }
}

} // namespace regrain::cpu
