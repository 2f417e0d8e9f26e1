//===- GenericAddresses.cpp - Addresses from another base -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Memory/GenericAddresses.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace regrain::nvptx {

/// Returns the address from which `address` is a cast or an offset; null if it is none.
static Value *before(Value &address) {
  if (auto *offset = dyn_cast<GEPOperator>(&address))
    return offset->getPointerOperand();
  auto *cast = dyn_cast<AddrSpaceCastOperator>(&address);
  return cast ? cast->getPointerOperand() : nullptr;
}

Value &rootOf(Value &address) {
  Value *root = &address;
  while (Value *next = before(*root))
    root = next;
  return *root;
}

GenericAddresses::GenericAddresses(Function &kernel, StringRef text, Value *operand) {
  auto *pointer = PointerType::get(kernel.getContext(), 0);
  SmallVector<Type *, 1> types;
  SmallVector<Value *, 1> operands;
  if (operand) {
    types.push_back(operand->getType());
    operands.push_back(operand);
  }
  IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
  base = builder.CreateCall(InlineAsm::get(FunctionType::get(pointer, types, false), text,
                                           operand ? "=l,l" : "=l", /*hasSideEffects=*/false),
                            operands);
  base->setDoesNotAccessMemory();
  base->setDoesNotThrow();
}

Value &GenericAddresses::of(Value &address) {
  Value *from = before(address);
  if (!from)
    return *base;
  if (Value *made = known.lookup(&address))
    return *made;
  Value *made = &of(*from);
  if (auto *offset = dyn_cast<GEPOperator>(&address)) {
    auto *instruction = dyn_cast<Instruction>(offset);
    IRBuilder<> builder(instruction ? instruction->getNextNode() : base->getNextNode());
    SmallVector<Value *> indices(offset->indices());
    made =
        builder.CreateGEP(offset->getSourceElementType(), made, indices, "", offset->isInBounds());
  }
  known[&address] = made;
  return *made;
}

} // namespace regrain::nvptx
