//===- Replay.cpp - Whether a launch can be repeated ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Identity/Replay.h"

#include "compiler/Analysis/Clocks.h"
#include "compiler/Analysis/ThreadSummary.h"
#include "compiler/DeviceIR/References.h"
#include "compiler/Import/InlineAssembly.h"
#include "compiler/Transforms/Refusal.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

constexpr StringLiteral systemScope =
    "it has a fence or an atomic operation of system scope, which the host takes part in";

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

/// Returns what an instruction does that cannot be repeated; empty if there is nothing.
std::string effectOf(const Instruction &instruction) {
  if (auto *fence = dyn_cast<FenceInst>(&instruction))
    return fence->getSyncScopeID() == SyncScope::System ? systemScope.str() : "";
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return "";
  if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand())) {
    std::string opcode = regrain::findForeignOpcode(*assembly);
    return opcode.empty()
               ? ""
               : "it has inline assembly that may reach beyond the device: '" + opcode + "'";
  }
  const Function *callee = outsideCallee(*call);
  if (!callee)
    return "";
  StringRef name = callee->getName();
  if (name == "vprintf")
    return "it prints";
  if (isAllocation(*call) || name == "free")
    return "it allocates or frees memory on the device";
  bool ofSystem =
      name.starts_with("llvm.nvvm.") && (name + ".").str().find(".sys.") != std::string::npos;
  return ofSystem ? systemScope.str() : "";
}

/// Returns what `kernel` reaches. Calls are also made through casts, and to functions from tables.
regrain::References reachedBy(const Function &kernel) {
  return regrain::findReferences(&kernel, regrain::PointerCalls::Followed);
}

/// Returns the instruction of the kernel that leads to `instruction`.
const Instruction &originOf(const Instruction &instruction, const regrain::References &reached) {
  const Instruction *by = reached.lookup(instruction.getFunction());
  return by ? originOf(*by, reached) : instruction;
}

std::string placeOf(const Instruction &instruction) {
  if (const DILocation *where = instruction.getDebugLoc())
    return (" (" + where->getFilename() + ":" + Twine(where->getLine()) + ")").str();
  return "";
}

std::string at(mlir::Operation *op, StringRef effect) {
  mlir::FileLineColLoc position = regrain::positionInKernel(op);
  if (!position)
    return effect.str();
  return (effect + " (" + position.getFilename().getValue() + ":" + Twine(position.getLine()) + ")")
      .str();
}

} // namespace

std::string regrain::whyNotReplayable(const Function &kernel) {
  References reached = reachedBy(kernel);
  for (const auto &[value, by] : reached)
    if (auto *function = dyn_cast<Function>(value))
      for (const Instruction &instruction : instructions(*function))
        if (std::string effect = effectOf(instruction); !effect.empty())
          return effect + placeOf(originOf(instruction, reached));
  return "";
}

bool regrain::mayAllocate(const Function &kernel) {
  return any_of(reachedBy(kernel), [](const auto &reached) {
    auto *function = dyn_cast<Function>(reached.first);
    return function && any_of(instructions(*function), isAllocation);
  });
}

std::string regrain::whyNotReplayable(grain::KernelOp kernel) {
  if (mlir::Operation *loop = ThreadSummary(kernel).findWait())
    return at(loop, "it may wait for another thread");
  if (mlir::Operation *store = findStoredTime(kernel))
    return at(store, "it stores the time");
  return "";
}
