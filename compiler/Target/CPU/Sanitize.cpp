//===- Sanitize.cpp - Sanitizers of device code ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/Sanitize.h"
#include "compiler/Target/CPU/Analyses.h"
#include "compiler/Target/CPU/DeviceLibrary.h"
#include "compiler/Target/CPU/VariableAllocas.h"
#include "runtime/plugins/cpu/abi.h"
#include "llvm/CodeGen/AtomicExpandUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <cstddef>

using namespace llvm;

namespace regrain::cpu {

namespace {

/// Memory of dynamic size becomes the device heap's, where the sanitizer checks it. The program
/// sees the sizes of its module variables, so these get nothing beside them.
void checkAddresses(Module &module, Analyses &analyses) {
  for (GlobalVariable &variable : module.globals()) {
    GlobalValue::SanitizerMetadata none;
    none.NoAddress = true;
    variable.setSanitizerMetadata(none);
  }
  for (Function &function : module)
    if (function.hasFnAttribute(Attribute::SanitizeAddress))
      moveVariableAllocas(function);
  AddressSanitizerOptions options;
  options.UseAfterReturn = AsanDetectStackUseAfterReturnMode::Never;
  AddressSanitizerPass(options, /*UseGlobalGC=*/false, /*UseOdrIndicator=*/false,
                       AsanDtorKind::None)
      .run(module, analyses.modules);
  for (Function &function : module)
    if (function.getName().starts_with("asan.module_"))
      markAsLibrary(function);
}

bool mayBeAtomic(const Type &type, const DataLayout &layout) {
  return type.isIntOrPtrTy() &&
         isPowerOf2_64(layout.getTypeSizeInBits(const_cast<Type *>(&type))) &&
         layout.getTypeSizeInBits(const_cast<Type *>(&type)) <= 64;
}

/// Creates a cmpxchg for expandAtomicRMWToCmpXchg.
void createExchange(IRBuilderBase &builder, Value *address, Value *loaded, Value *stored,
                    Align align, AtomicOrdering ordering, SyncScope::ID scope, Value *&success,
                    Value *&newLoaded) {
  Type *type = stored->getType();
  Type *bits = type->isFloatingPointTy() ? builder.getIntNTy(type->getScalarSizeInBits()) : type;
  Value *pair = builder.CreateAtomicCmpXchg(
      address, builder.CreateBitCast(loaded, bits), builder.CreateBitCast(stored, bits), align,
      ordering, AtomicCmpXchgInst::getStrongestFailureOrdering(ordering), scope);
  success = builder.CreateExtractValue(pair, 1);
  newLoaded = builder.CreateBitCast(builder.CreateExtractValue(pair, 0), type);
}

/// The sanitizer knows fewer operations than CUDA has.
void expandUnknownUpdates(Function &function) {
  SmallVector<AtomicRMWInst *> unknown;
  for (Instruction &inst : instructions(function))
    if (auto *update = dyn_cast<AtomicRMWInst>(&inst);
        update && (update->getOperation() > AtomicRMWInst::Xor || update->getType()->isVectorTy()))
      unknown.push_back(update);
  for (AtomicRMWInst *update : unknown) {
    BasicBlock *before = update->getParent();
    expandAtomicRMWToCmpXchg(update, createExchange);
    // The loop starts from a value that is loaded in front of it.
    if (auto *load = dyn_cast<LoadInst>(before->getTerminator()->getPrevNode()))
      load->setAtomic(AtomicOrdering::Monotonic);
  }
}

/// Lets atomic operations and volatile accesses order memory. CUDA's programs order it by fences
/// beside them, which the sanitizer does not follow.
void orderByAtomics(Function &function) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  for (Instruction &inst : instructions(function)) {
    if (auto *update = dyn_cast<AtomicRMWInst>(&inst))
      update->setOrdering(AtomicOrdering::AcquireRelease);
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&inst)) {
      exchange->setSuccessOrdering(AtomicOrdering::AcquireRelease);
      exchange->setFailureOrdering(AtomicOrdering::Acquire);
    } else if (auto *load = dyn_cast<LoadInst>(&inst)) {
      if ((load->isVolatile() || load->isAtomic()) && mayBeAtomic(*load->getType(), layout))
        load->setAtomic(AtomicOrdering::Acquire);
    } else if (auto *store = dyn_cast<StoreInst>(&inst)) {
      if ((store->isVolatile() || store->isAtomic()) &&
          mayBeAtomic(*store->getValueOperand()->getType(), layout))
        store->setAtomic(AtomicOrdering::Release);
    }
  }
}

/// Returns whether all accesses to local memory show that it is local, so that the sanitizer leaves
/// them alone.
bool isSeenToBeLocal(const Value &pointer) {
  return all_of(pointer.users(), [&](const User *user) {
    if (auto *store = dyn_cast<StoreInst>(user))
      return store->getValueOperand() != &pointer;
    if (isa<GetElementPtrInst>(user))
      return isSeenToBeLocal(*user);
    return isa<LoadInst>(user) || cast<Instruction>(user)->isLifetimeStartOrEnd();
  });
}

/// Gives local memory that the sanitizer checks a place of its own. On the stack of the machine,
/// the threads of a block would use the same bytes one after the other.
void separateLocals(Function &function) {
  SmallVector<AllocaInst *> checked;
  for (Instruction &inst : function.getEntryBlock())
    if (auto *alloca = dyn_cast<AllocaInst>(&inst); alloca && !isSeenToBeLocal(*alloca))
      checked.push_back(alloca);
  if (checked.empty())
    return;
  // An alloca behind the entry block counts as one of dynamic size.
  BasicBlock &entry = function.getEntryBlock();
  BasicBlock *body = SplitBlock(&entry, entry.begin());
  for (Instruction &inst : make_early_inc_range(*body))
    if (isa<AllocaInst>(inst) && !is_contained(checked, &inst))
      inst.moveBefore(entry.getTerminator());
  moveVariableAllocas(function);
}

void checkThreads(Module &module, Analyses &analyses) {
  for (Function &function : module) {
    if (!function.hasFnAttribute(Attribute::SanitizeThread) || function.isDeclaration())
      continue;
    orderByAtomics(function);
    expandUnknownUpdates(function);
    separateLocals(function);
    ThreadSanitizerPass().run(function, analyses.functions);
  }
}

} // namespace

void instrument(Module &module, const Sanitizers &sanitizers, TargetMachine &machine) {
  Analyses analyses(machine);
  if (sanitizers.address)
    checkAddresses(module, analyses);
  if (sanitizers.thread)
    checkThreads(module, analyses);
}

void guardShared(Function &run, ArrayRef<SharedGap> gaps) {
  Module &module = *run.getParent();
  auto emit = [&](Instruction &before, StringRef name) {
    IRBuilder<> builder(&before);
    FunctionCallee callee = module.getOrInsertFunction(name, builder.getVoidTy(),
                                                       builder.getPtrTy(), builder.getInt64Ty());
    Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), run.getArg(1),
                                                      offsetof(RegrainCpuBlock, shared));
    Value *shared = builder.CreateLoad(builder.getPtrTy(), place);
    for (const SharedGap &gap : gaps)
      builder.CreateCall(
          callee, {builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), shared, gap.offset),
                   builder.getInt64(gap.bytes)});
  };
  emit(*run.getEntryBlock().getFirstInsertionPt(), "__asan_poison_memory_region");
  for (BasicBlock &block : run)
    if (isa<ReturnInst>(block.getTerminator()))
      emit(*block.getTerminator(), "__asan_unpoison_memory_region");
}

} // namespace regrain::cpu
