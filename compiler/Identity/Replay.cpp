//===- Replay.cpp - Whether a launch can be repeated ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Identity/Replay.h"

#include "compiler/Analysis/Clocks.h"
#include "compiler/Analysis/ThreadSummary.h"
#include "compiler/DeviceIR/InlineAssembly.h"
#include "compiler/DeviceIR/References.h"
#include "compiler/Refusal/DebugPosition.h"
#include "compiler/Refusal/Refuse.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

/// Returns the callee if another module defines it; null otherwise.
const Function *outsideCallee(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() ? callee : nullptr;
}

bool isAllocation(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? outsideCallee(*call) : nullptr;
  return callee && callee->getName() == "malloc";
}

/// Returns what a call does that cannot be repeated, or nothing if it can be repeated.
std::optional<std::string> effectOf(const CallBase &call) {
  if (auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand())) {
    if (regrain::writesSurface(*assembly))
      return "it writes through a surface, whose array is not saved";
    if (regrain::mayWaitForOutside(*assembly))
      return "it has inline assembly that may wait for another thread";
    std::string opcode = regrain::findForeignOpcode(*assembly);
    if (opcode.empty())
      return std::nullopt;
    return "it has inline assembly that may reach beyond the device: '" + opcode + "'";
  }
  const Function *callee = outsideCallee(call);
  if (!callee)
    return std::nullopt;
  StringRef name = callee->getName();
  if (name == "vprintf")
    return "it prints";
  if (isAllocation(call) || name == "free")
    return "it allocates or frees memory on the device";
  return std::nullopt;
}

/// Returns whether the instruction is a fence or an atomic operation of system scope.
bool isOfSystemScope(const Instruction &instruction) {
  if (std::optional<SyncScope::ID> scope = getAtomicSyncScopeID(&instruction))
    return *scope == SyncScope::System;
  auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? outsideCallee(*call) : nullptr;
  StringRef name = callee ? callee->getName() : StringRef();
  return name.starts_with("llvm.nvvm.") && (name + ".").str().find(".sys.") != std::string::npos;
}

/// Returns whether the instruction reads a register of PTX that has a size of shared memory.
bool readsSizeRegister(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return false;
  if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
    return StringRef(assembly->getAsmString()).contains("smem_size");
  const Function *callee = outsideCallee(*call);
  return callee && callee->getName().contains("smem_size");
}

/// Returns what `kernel` reaches. Calls are also made through casts, and to functions from tables.
regrain::References reachedBy(const Function &kernel) {
  return regrain::findReferences(&kernel, regrain::PointerCalls::Followed);
}

/// Returns whether the instruction may read memory as another thread has just written it, or makes
/// others do so.
bool seesOthers(const Instruction &instruction) {
  if (instruction.isVolatile() || instruction.isAtomic())
    return true;
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return false;
  if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
    return !regrain::onlyComputes(*assembly);
  const Function *callee = outsideCallee(*call);
  return callee && callee->getName().starts_with("llvm.nvvm.") && !callee->doesNotAccessMemory();
}

bool hasLoop(const Function &function) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> edges;
  FindFunctionBackedges(function, edges);
  return !edges.empty();
}

/// Returns whether a call leads back to the function.
bool isRecursive(const Function &function) {
  return any_of(instructions(function), [&](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && reachedBy(*callee).contains(&function);
  });
}

/// Returns whether the function, or what it reaches, may wait for another thread.
bool mayWait(const Function &function) {
  bool repeats = false, sees = false;
  for (const auto &[value, by] : reachedBy(function))
    if (auto *reached = dyn_cast<Function>(value); reached && !reached->isDeclaration()) {
      repeats |= hasLoop(*reached) || isRecursive(*reached);
      sees |= any_of(instructions(*reached), seesOthers);
    }
  return repeats && sees;
}

/// Returns the first call of a function that may wait; null if there is none.
mlir::Operation *findWaitInCall(regrain::grain::KernelOp kernel, const Module &functions) {
  mlir::Operation *found = nullptr;
  kernel.walk([&](mlir::LLVM::CallOp call) {
    const Function *callee = call.getCallee() ? functions.getFunction(*call.getCallee()) : nullptr;
    if (!callee || callee->isDeclaration() || !mayWait(*callee))
      return mlir::WalkResult::advance();
    found = call;
    return mlir::WalkResult::interrupt();
  });
  return found;
}

/// Returns the instruction of the kernel that leads to `instruction`.
const Instruction &originOf(const Instruction &instruction, const regrain::References &reached) {
  const Instruction *by = reached.lookup(instruction.getFunction());
  return by ? originOf(*by, reached) : instruction;
}

std::string at(mlir::Operation *op, StringRef effect) {
  return effect.str() + regrain::inParentheses(regrain::positionInKernel(op));
}

} // namespace

std::optional<std::string> regrain::whyNotReplayable(const Function &kernel) {
  References reached = reachedBy(kernel);
  for (const auto &[value, by] : reached)
    if (auto *function = dyn_cast<Function>(value))
      for (const Instruction &instruction : instructions(*function))
        if (auto *call = dyn_cast<CallBase>(&instruction))
          if (std::optional<std::string> effect = effectOf(*call))
            return *effect +
                   inParentheses(positionOf(originOf(instruction, reached).getDebugLoc()));
  return std::nullopt;
}

/// Returns whether the kernel, or what it reaches, has such an instruction.
static bool reaches(const Function &kernel, bool (*isSuch)(const Instruction &)) {
  return any_of(reachedBy(kernel), [&](const auto &reached) {
    auto *function = dyn_cast<Function>(reached.first);
    return function && any_of(instructions(*function), isSuch);
  });
}

bool regrain::mayAllocate(const Function &kernel) { return reaches(kernel, isAllocation); }

bool regrain::usesSystemScope(const Function &kernel) { return reaches(kernel, isOfSystemScope); }

bool regrain::readsSharedSize(const Function &kernel) { return reaches(kernel, readsSizeRegister); }

std::optional<std::string> regrain::whyNotReplayable(grain::KernelOp kernel,
                                                     const Module &functions) {
  mlir::Operation *wait = ThreadSummary(kernel).findWaitForOutside();
  if (!wait)
    wait = findWaitInCall(kernel, functions);
  if (wait)
    return at(wait, "it may wait for another thread");
  if (mlir::Operation *store = findStoredTime(kernel))
    return at(store, "it stores the time");
  return std::nullopt;
}
