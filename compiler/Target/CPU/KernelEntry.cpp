//===- KernelEntry.cpp - A kernel's entry for the plugin ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/KernelEntry.h"
#include "runtime/plugins/cpu/abi.h"

using namespace llvm;

namespace regrain::cpu {

void emitKernelEntry(Module &module, StringRef symbol, const KernelEntry &entry) {
  LLVMContext &context = module.getContext();
  Type *i32 = Type::getInt32Ty(context), *i64 = Type::getInt64Ty(context);
  Constant *fields[] = {ConstantInt::get(i32, REGRAIN_CPU_ABI_VERSION),
                        ConstantInt::get(i32, entry.staticSharedBytes),
                        ConstantInt::get(i64, entry.arenaFixedBytes),
                        ConstantInt::get(i64, entry.arenaBytesPerThread),
                        entry.runBlock,
                        ConstantInt::get(i32, entry.mayWait)};
  Constant *value = ConstantStruct::getAnon(fields);
  auto *variable = new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                                      GlobalValue::ExternalLinkage, value, symbol);
  variable->setVisibility(GlobalValue::ProtectedVisibility);
  variable->setDSOLocal(true);
}

Function *createRunBlock(Module &module, StringRef name) {
  Type *pointer = PointerType::getUnqual(module.getContext());
  auto *function = Function::Create(
      FunctionType::get(Type::getVoidTy(module.getContext()), {pointer, pointer}, false),
      GlobalValue::InternalLinkage, name, &module);
  function->getArg(0)->setName("args");
  function->getArg(1)->setName("block");
  for (Argument &argument : function->args())
    argument.addAttr(Attribute::NoAlias);
  return function;
}

/// Loads an argument; a pointer is aligned as its parameter is.
static Value *loadArgument(IRBuilder<> &builder, const Argument &argument, Value *address) {
  LoadInst *load = builder.CreateLoad(argument.getType(), address);
  if (MaybeAlign alignment = argument.getParamAlign(); alignment && load->getType()->isPointerTy())
    load->setMetadata(LLVMContext::MD_align,
                      MDNode::get(builder.getContext(),
                                  ConstantAsMetadata::get(builder.getInt64(alignment->value()))));
  return load;
}

SmallVector<Value *> loadArguments(IRBuilder<> &builder, Function &kernel, Value *args) {
  SmallVector<Value *> values;
  Type *pointer = builder.getPtrTy();
  for (Argument &argument : kernel.args()) {
    Value *slot = builder.CreateConstInBoundsGEP1_64(pointer, args, argument.getArgNo());
    Value *address = builder.CreateLoad(pointer, slot);
    bool byValue = kernel.getAttributes().hasParamAttr(argument.getArgNo(), byValueAttribute);
    values.push_back(byValue ? address : loadArgument(builder, argument, address));
  }
  return values;
}

} // namespace regrain::cpu
