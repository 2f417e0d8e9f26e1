//===- Replay.cpp - Whether a launch can be repeated ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Identity/Replay.h"

#include "compiler/Analysis/Clocks.h"
#include "compiler/Analysis/ThreadSummary.h"
#include "compiler/Import/InlineAssembly.h"
#include "compiler/Refusal/DebugPosition.h"
#include "compiler/Refusal/Refuse.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
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

bool isAllocation(const Function &callee) { return callee.getName() == "malloc"; }

/// Returns what a call does that cannot be repeated, or nothing if it can be repeated.
std::optional<std::string> effectOf(const CallBase &call) {
  if (auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand())) {
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
  if (isAllocation(*callee) || name == "free")
    return "it allocates or frees memory on the device";
  bool ofSystem =
      name.starts_with("llvm.nvvm.") && (name + ".").str().find(".sys.") != std::string::npos;
  return ofSystem ? std::optional(systemScope.str()) : std::nullopt;
}

/// Returns the same for any instruction.
std::optional<std::string> effectOf(const Instruction &instruction) {
  if (auto *fence = dyn_cast<FenceInst>(&instruction);
      fence && fence->getSyncScopeID() == SyncScope::System)
    return systemScope.str();
  auto *call = dyn_cast<CallBase>(&instruction);
  return call ? effectOf(*call) : std::nullopt;
}

/// The functions in the order in which they are reached, each with the instruction of the kernel
/// that leads to it.
class Reach {
public:
  explicit Reach(const Function &kernel) { functions.insert({&kernel, nullptr}); }

  std::optional<std::string> findEffect();
  bool findAllocation();

private:
  /// Calls `visit` with each instruction that is reached, until it returns true; returns whether it
  /// did.
  template <typename Visit> bool findIf(Visit visit);

  void follow(const Instruction &instruction, const Instruction &origin);
  void addTaken(const Module &module, const Instruction &origin);

  MapVector<const Function *, const Instruction *> functions;
  DenseSet<const Constant *> constants;
  bool tookAll = false;
};

void Reach::addTaken(const Module &module, const Instruction &origin) {
  if (std::exchange(tookAll, true))
    return;
  for (const Function &function : module)
    if (function.hasAddressTaken())
      functions.insert({&function, &origin});
}

/// Follows the operands, including constants: a function may be called through a cast, or from a
/// table.
void Reach::follow(const Instruction &instruction, const Instruction &origin) {
  auto *call = dyn_cast<CallBase>(&instruction);
  if (call && call->isIndirectCall())
    addTaken(*instruction.getModule(), origin);
  SmallVector<const Value *> worklist(instruction.operand_values());
  while (!worklist.empty()) {
    auto *constant = dyn_cast<Constant>(worklist.pop_back_val());
    if (!constant || !constants.insert(constant).second)
      continue;
    if (auto *function = dyn_cast<Function>(constant))
      functions.insert({function, &origin});
    else
      append_range(worklist, constant->operand_values());
  }
}

template <typename Visit> bool Reach::findIf(Visit visit) {
  for (size_t i = 0; i < functions.size(); ++i) {
    auto [function, from] = *(functions.begin() + i);
    for (const Instruction &instruction : instructions(*function)) {
      const Instruction &origin = from ? *from : instruction;
      if (visit(instruction, origin))
        return true;
      follow(instruction, origin);
    }
  }
  return false;
}

std::optional<std::string> Reach::findEffect() {
  std::optional<std::string> effect;
  findIf([&](const Instruction &instruction, const Instruction &origin) {
    effect = effectOf(instruction);
    if (effect)
      *effect += regrain::inParentheses(regrain::positionOf(origin.getDebugLoc()));
    return effect.has_value();
  });
  return effect;
}

bool Reach::findAllocation() {
  return findIf([](const Instruction &instruction, const Instruction &) {
    auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? outsideCallee(*call) : nullptr;
    return callee && isAllocation(*callee);
  });
}

std::string at(mlir::Operation *op, StringRef effect) {
  return effect.str() + regrain::inParentheses(regrain::positionInKernel(op));
}

} // namespace

std::optional<std::string> regrain::whyNotReplayable(const Function &kernel) {
  return Reach(kernel).findEffect();
}

bool regrain::mayAllocate(const Function &kernel) { return Reach(kernel).findAllocation(); }

std::optional<std::string> regrain::whyNotReplayable(grain::KernelOp kernel) {
  if (mlir::Operation *loop = ThreadSummary(kernel).findWait())
    return at(loop, "it may wait for another thread");
  if (mlir::Operation *store = findStoredTime(kernel))
    return at(store, "it stores the time");
  return std::nullopt;
}
