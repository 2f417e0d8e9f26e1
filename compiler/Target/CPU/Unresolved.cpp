//===- Unresolved.cpp - What the CPU cannot supply ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/Unresolved.h"
#include "compiler/Target/CPU/InlineAssembly.h"
#include "compiler/Target/CPU/MathCalls.h"
#include "compiler/Target/CPU/Suspension.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

std::string missingCallee(const CallInst &call) {
  if (call.isInlineAsm())
    return "it holds inline PTX assembly that the CPU target does not know: \"" +
           assemblyText(call) + "\"";
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration())
    return "";
  StringRef name = callee->getName();
  if (name.starts_with("llvm.nvvm."))
    return ("it uses the intrinsic " + name + ", which the CPU target does not know").str();
  if (callee->isIntrinsic() || isPlaceholder(name) || isSuppliedAtLoad(name))
    return "";
  if (name.starts_with("nvvm_"))
    return ("it uses the PTX intrinsic " + name + ", which the CPU target does not know").str();
  return "it calls " + demangle(name.str()) + ", which nobody defines for the CPU";
}

std::string missingOperand(const Value &operand, bool variablesElsewhere,
                           SmallPtrSetImpl<const Value *> &seen) {
  auto *constant = dyn_cast<Constant>(&operand);
  if (!constant || !seen.insert(constant).second)
    return "";
  if (auto *variable = dyn_cast<GlobalVariable>(constant)) {
    if (variable->isDeclaration() && !variablesElsewhere)
      return ("it uses the variable " + demangle(variable->getName().str()) +
              ", which another file defines");
    return "";
  }
  if (isa<GlobalValue>(constant))
    return "";
  for (const Use &use : constant->operands())
    if (std::string missing = missingOperand(*use, variablesElsewhere, seen); !missing.empty())
      return missing;
  return "";
}

/// What `function` may call.
void addCallees(Function &function, SmallSetVector<Function *, 16> &reached) {
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&inst);
    if (!call || call->isInlineAsm())
      continue;
    if (Function *callee = call->getCalledFunction()) {
      if (!callee->isDeclaration())
        reached.insert(callee);
      continue;
    }
    for (Function &other : *function.getParent())
      if (!other.isDeclaration() && other.hasAddressTaken())
        reached.insert(&other);
  }
}

} // namespace

std::string missingFor(Function &kernel, bool variablesElsewhere) {
  SmallSetVector<Function *, 16> reached;
  reached.insert(&kernel);
  SmallPtrSet<const Value *, 32> seen;
  for (size_t i = 0; i < reached.size(); ++i) {
    for (Instruction &inst : instructions(*reached[i])) {
      if (auto *call = dyn_cast<CallInst>(&inst))
        if (std::string missing = missingCallee(*call); !missing.empty())
          return missing;
      for (const Use &operand : inst.operands())
        if (std::string missing = missingOperand(*operand, variablesElsewhere, seen);
            !missing.empty())
          return missing;
    }
    addCallees(*reached[i], reached);
  }
  return "";
}

void trapUnresolved(Module &module) {
  FunctionCallee trap =
      module.getOrInsertFunction("regrain_cpu_trap", Type::getVoidTy(module.getContext()),
                                 PointerType::getUnqual(module.getContext()));
  SmallVector<CallInst *> calls;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&inst); call && !missingCallee(*call).empty())
        calls.push_back(call);
  for (CallInst *call : calls) {
    CallInst::Create(trap, ConstantPointerNull::get(PointerType::getUnqual(module.getContext())),
                     "", call->getIterator());
    call->replaceAllUsesWith(PoisonValue::get(call->getType()));
    call->eraseFromParent();
  }
}

} // namespace regrain::cpu
