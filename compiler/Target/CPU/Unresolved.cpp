//===- Unresolved.cpp - Undefined symbols of the CPU target ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/Unresolved.h"
#include "compiler/DeviceIR/Calls.h"
#include "compiler/Target/CPU/MathCalls.h"
#include "compiler/Target/CPU/Suspension.h"
#include "compiler/Target/InlineAssembly.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

std::optional<Refusal> checkCallee(const CallInst &call) {
  if (call.isInlineAsm())
    return Refusal{RefusalKind::UnknownAssembly,
                   "it holds inline PTX assembly that the CPU target does not know: \"" +
                       assemblyText(call) + "\""};
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration())
    return std::nullopt;
  StringRef name = callee->getName();
  if (name.starts_with("llvm.nvvm."))
    return Refusal{
        RefusalKind::UnknownIntrinsic,
        ("it uses the intrinsic " + name + ", which the CPU target does not know").str()};
  if (callee->isIntrinsic() || isPlaceholder(name) || isSuppliedAtLoad(name))
    return std::nullopt;
  if (name.starts_with("nvvm_"))
    return Refusal{
        RefusalKind::UnknownIntrinsic,
        ("it uses the PTX intrinsic " + name + ", which the CPU target does not know").str()};
  return Refusal{RefusalKind::Undefined,
                 "it calls " + demangle(name.str()) + ", which has no definition for the CPU"};
}

std::optional<Refusal> checkOperand(const Value &operand, bool variablesElsewhere,
                                    SmallPtrSetImpl<const Value *> &seen) {
  auto *constant = dyn_cast<Constant>(&operand);
  if (!constant || !seen.insert(constant).second)
    return std::nullopt;
  if (auto *variable = dyn_cast<GlobalVariable>(constant)) {
    if (variable->isDeclaration() && !variablesElsewhere)
      return Refusal{RefusalKind::Undefined, "it uses the variable " +
                                                 demangle(variable->getName().str()) +
                                                 ", which another file defines"};
    return std::nullopt;
  }
  if (isa<GlobalValue>(constant))
    return std::nullopt;
  for (const Use &use : constant->operands())
    if (auto refusal = checkOperand(*use, variablesElsewhere, seen))
      return refusal;
  return std::nullopt;
}

} // namespace

std::optional<Refusal> checkResolved(Function &kernel, bool variablesElsewhere) {
  SmallPtrSet<const Value *, 32> seen;
  FunctionSet called = Calls(*kernel.getParent()).calledFrom(kernel);
  SmallVector<Function *> functions = {&kernel};
  append_range(functions, called);
  for (Function *function : functions)
    for (Instruction &inst : instructions(*function)) {
      if (auto *call = dyn_cast<CallInst>(&inst))
        if (auto refusal = checkCallee(*call))
          return refusal;
      for (const Use &operand : inst.operands())
        if (auto refusal = checkOperand(*operand, variablesElsewhere, seen))
          return refusal;
    }
  return std::nullopt;
}

void trapUnresolved(Module &module) {
  FunctionCallee trap =
      module.getOrInsertFunction("regrain_cpu_trap", Type::getVoidTy(module.getContext()),
                                 PointerType::getUnqual(module.getContext()));
  SmallVector<CallInst *> calls;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&inst); call && checkCallee(*call))
        calls.push_back(call);
  for (CallInst *call : calls) {
    CallInst::Create(trap, ConstantPointerNull::get(PointerType::getUnqual(module.getContext())),
                     "", call->getIterator());
    call->replaceAllUsesWith(PoisonValue::get(call->getType()));
    call->eraseFromParent();
  }
}

} // namespace regrain::cpu
