//===- Builtins.cpp - CUDA's built-ins on AMD GPUs ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Builtins.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/Frontend/DeviceScope.h"
#include "compiler/Target/AMDGPU/Retarget.h"
#include "compiler/Target/InlineAssembly.h"
#include "compiler/Target/LibraryCalls.h"
#include "compiler/Target/ThreadExit.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace regrain::amdgpu {

namespace {

/// Makes an operation relaxed, with the given scope: "agent" is the device.
void relax(Instruction &inst, StringRef scope) {
  SyncScope::ID id = inst.getContext().getOrInsertSyncScopeID(scope);
  if (auto *update = dyn_cast<AtomicRMWInst>(&inst)) {
    update->setOrdering(AtomicOrdering::Monotonic);
    update->setSyncScopeID(id);
  }
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst)) {
    exchange->setSuccessOrdering(AtomicOrdering::Monotonic);
    exchange->setFailureOrdering(AtomicOrdering::Monotonic);
    exchange->setSyncScopeID(id);
  }
}

void relaxDeviceAtomics(Module &module) {
  SyncScope::ID device = module.getContext().getOrInsertSyncScopeID(deviceScope);
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (inst.isAtomic() && getAtomicSyncScopeID(&inst) == device)
        relax(inst, "agent");
}

/// Makes an operation such as llvm.nvvm.atomic.add.gen.i.cta relaxed; without a scope in its name,
/// the scope is the device.
void relaxNamed(Value *atomic, StringRef name) {
  if (auto *extract = dyn_cast<ExtractValueInst>(atomic))
    atomic = extract->getAggregateOperand();
  relax(*cast<Instruction>(atomic), name.contains(".cta")   ? "workgroup"
                                    : name.contains(".sys") ? ""
                                                            : "agent");
}

/// Lowers ldg and ldu, which read global memory that the kernel does not write.
Value *loadInvariant(CallInst &call) {
  IRBuilder<> builder(&call);
  Value *address =
      builder.CreateAddrSpaceCast(call.getArgOperand(0), builder.getPtrTy(globalSpace));
  uint64_t align = cast<ConstantInt>(call.getArgOperand(1))->getZExtValue();
  LoadInst *load = builder.CreateAlignedLoad(call.getType(), address, Align(align));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(call.getContext(), {}));
  return load;
}

/// Returns the answer of __nvvm_reflect on the chip.
Value *reflectedOn(const Chip &chip, CallInst &call) {
  return reflectedValue(call, chip.matrixCores != MatrixCores::None);
}

Value *lowerIntrinsic(CallInst &call, const Chip &chip) {
  StringRef name = call.getCalledFunction()->getName();
  if (name.starts_with("llvm.nvvm.reflect"))
    return reflectedOn(chip, call);
  if (name.starts_with("llvm.nvvm.ldg.") || name.starts_with("llvm.nvvm.ldu."))
    return loadInvariant(call);
  Value *value = lowerNVVM(call);
  if (value && name.starts_with("llvm.nvvm.atomic."))
    relaxNamed(value, name);
  return value;
}

/// Calls ROCm's allocator (ROCm-Device-Libs, "ockl/src/dm.cl").
Value *lowerAllocation(CallInst &call, bool frees) {
  IRBuilder<> builder(&call);
  Type *type = frees ? builder.getVoidTy() : builder.getPtrTy(globalSpace);
  FunctionCallee callee = call.getModule()->getOrInsertFunction(
      frees ? "__ockl_dm_dealloc" : "__ockl_dm_alloc", type, builder.getInt64Ty());
  Value *argument = call.getArgOperand(0);
  if (frees)
    return builder.CreateCall(callee, builder.CreatePtrToInt(argument, builder.getInt64Ty()));
  return builder.CreateAddrSpaceCast(builder.CreateCall(callee, argument), call.getType());
}

void lowerCall(CallInst &call, const Chip &chip, unsigned codeObjectVersion) {
  if (call.isInlineAsm())
    return lowerInlineAssembly(call);
  Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration())
    return;
  if (callee->getName() == "__nvvm_reflect")
    return replaceCall(call, reflectedOn(chip, call));
  bool frees = callee->getName() == "free";
  if ((frees || callee->getName() == "malloc") && codeObjectVersion >= 5)
    return replaceCall(call, lowerAllocation(call, frees));
  if (callee->getName().starts_with("llvm.nvvm."))
    if (Value *value = lowerIntrinsic(call, chip))
      replaceCall(call, value);
}

} // namespace

void lowerBuiltins(Module &module, const Chip &chip, unsigned codeObjectVersion) {
  returnAtExits(module);
  relaxDeviceAtomics(module);
  SmallVector<CallInst *> calls;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&inst))
        calls.push_back(call);
  for (CallInst *call : calls)
    lowerCall(*call, chip, codeObjectVersion);
}

} // namespace regrain::amdgpu
