//===- SharedMemory.cpp - __shared__ variables on the CPU -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/SharedMemory.h"
#include "compiler/Target/CPU/Suspension.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

constexpr unsigned sharedAddressSpace = 3;

void replaceUses(GlobalVariable &variable, unsigned index) {
  Module &module = *variable.getParent();
  FunctionCallee address = module.getOrInsertFunction(sharedVariableName, variable.getType(),
                                                      Type::getInt32Ty(module.getContext()));
  auto *callee = cast<Function>(address.getCallee());
  callee->setDoesNotAccessMemory();
  callee->setDoesNotThrow();
  callee->setWillReturn();
  callee->setSpeculatable();
  convertUsersOfConstantsToInstructions({&variable});
  DenseMap<Function *, Value *> inFunction;
  for (Use &use : make_early_inc_range(variable.uses())) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      continue;
    Value *&value = inFunction[user->getFunction()];
    if (!value) {
      IRBuilder<> builder(&*user->getFunction()->getEntryBlock().getFirstInsertionPt());
      value = builder.CreateCall(address, builder.getInt32(index));
    }
    use.set(value);
  }
}

SmallVector<CallInst *> callsIn(Function &function) {
  SmallVector<CallInst *> calls;
  for (BasicBlock &block : function)
    for (Instruction &inst : block)
      if (CallInst *call = callOf(inst, sharedVariableName))
        calls.push_back(call);
  return calls;
}

uint64_t indexOf(const CallInst &call) {
  return cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
}

} // namespace

SharedVariables liftSharedVariables(Module &module) {
  SharedVariables result;
  SmallVector<GlobalVariable *> variables;
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == sharedAddressSpace)
      variables.push_back(&variable);
  const DataLayout &layout = module.getDataLayout();
  for (GlobalVariable *variable : variables) {
    uint64_t bytes = variable->isDeclaration()
                         ? 0
                         : layout.getTypeAllocSize(variable->getValueType()).getFixedValue();
    Align align = variable->getAlign().value_or(layout.getABITypeAlign(variable->getValueType()));
    replaceUses(*variable, result.variables.size());
    result.variables.push_back({bytes, align});
    variable->removeDeadConstantUsers();
    if (variable->use_empty())
      variable->eraseFromParent();
  }
  return result;
}

SharedLayout::SharedLayout(Module &module, ArrayRef<Function *> kernels,
                           const SharedVariables &variables)
    : shared(variables), commonOffsets(variables.variables.size(), -1) {
  for (Function &function : module)
    if (!is_contained(kernels, &function))
      commonBytes = assign(commonOffsets, function, commonBytes);
}

uint64_t SharedLayout::assign(std::vector<int64_t> &offsets, Function &function,
                              uint64_t bytes) const {
  std::vector<bool> used(shared.variables.size());
  for (CallInst *call : callsIn(function))
    used[indexOf(*call)] = true;
  for (size_t i = 0; i < used.size(); ++i) {
    const SharedVariables::Variable &variable = shared.variables[i];
    if (!used[i] || !variable.bytes || offsets[i] >= 0)
      continue;
    offsets[i] = alignTo(bytes, variable.align);
    bytes = offsets[i] + variable.bytes;
  }
  return bytes;
}

void SharedLayout::replace(Function &function, const std::vector<int64_t> &offsets,
                           uint64_t staticBytes) {
  FunctionCallee base = function.getParent()->getOrInsertFunction(
      sharedBaseName, PointerType::getUnqual(function.getContext()));
  for (CallInst *call : callsIn(function)) {
    uint64_t index = indexOf(*call);
    uint64_t offset =
        shared.variables[index].bytes ? offsets[index] : alignTo(staticBytes, sharedPadding);
    IRBuilder<> builder(call);
    call->replaceAllUsesWith(
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), builder.CreateCall(base), offset));
    call->eraseFromParent();
  }
}

uint64_t SharedLayout::place(Function &kernel) {
  std::vector<int64_t> offsets = commonOffsets;
  uint64_t bytes = assign(offsets, kernel, commonBytes);
  replace(kernel, offsets, bytes);
  return bytes;
}

void SharedLayout::placeCommon(Function &function) {
  replace(function, commonOffsets, commonBytes);
}

} // namespace regrain::cpu
