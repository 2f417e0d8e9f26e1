//===- Builtins.cpp - CUDA built-ins to library calls ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/Builtins.h"
#include "compiler/Target/InlineAssembly.h"
#include "compiler/Target/LibraryCalls.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

StringRef sleefNameFor(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::sin:
    return "sin";
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::tan:
    return "tan";
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::exp2:
    return "exp2";
  case Intrinsic::exp10:
    return "exp10";
  case Intrinsic::log:
    return "log";
  case Intrinsic::log2:
    return "log2";
  case Intrinsic::log10:
    return "log10";
  case Intrinsic::pow:
    return "pow";
  default:
    return "";
  }
}

Value *lowerIntrinsic(CallInst &call, Intrinsic::ID id) {
  IRBuilder<> builder(&call);
  StringRef name = call.getCalledFunction()->getName();
  if (name.starts_with("llvm.nvvm."))
    return lowerNVVM(call);
  if (id == Intrinsic::fmuladd)
    return builder.CreateFAdd(builder.CreateFMul(call.getArgOperand(0), call.getArgOperand(1)),
                              call.getArgOperand(2));
  Type *type = call.getType();
  StringRef sleef = sleefNameFor(id);
  if (!sleef.empty() && (type->isFloatTy() || type->isDoubleTy()))
    return callLibrary(call, ("regrain_sleef_" + sleef + (type->isFloatTy() ? "f" : "")).str());
  return nullptr;
}

/// Functions of the CUDA device runtime, under the names by which the plugin has them.
StringRef pluginNameFor(StringRef name) {
  return StringSwitch<StringRef>(name)
      .Case("vprintf", "regrain_cpu_vprintf")
      .Case("malloc", "regrain_cpu_malloc")
      .Case("free", "regrain_cpu_free")
      .Case("__assertfail", "regrain_cpu_assertfail")
      .Default("");
}

void lowerTrap(CallInst &call) {
  IRBuilder<> builder(&call);
  FunctionCallee trap = call.getModule()->getOrInsertFunction(
      "regrain_cpu_trap", builder.getVoidTy(), builder.getPtrTy());
  cast<Function>(trap.getCallee())->setDoesNotReturn();
  builder.CreateCall(trap, ConstantPointerNull::get(builder.getPtrTy()));
  call.eraseFromParent();
}

void lowerCall(CallInst &call) {
  if (call.isInlineAsm())
    return lowerInlineAssembly(call);
  Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration())
    return;
  StringRef name = callee->getName();
  if (callee->getIntrinsicID() == Intrinsic::trap)
    return lowerTrap(call);
  if (name == "__nvvm_reflect" || name.starts_with("llvm.nvvm.reflect"))
    return replaceCall(call, reflectedValue(call));
  if (callee->isIntrinsic()) {
    if (Value *value = lowerIntrinsic(call, callee->getIntrinsicID()))
      replaceCall(call, value);
    return;
  }
  if (StringRef plugin = pluginNameFor(name); !plugin.empty())
    replaceCall(call, callLibrary(call, plugin));
}

} // namespace

void lowerBuiltins(Module &module) {
  for (Function &function : module) {
    SmallVector<CallInst *> calls;
    for (BasicBlock &block : function)
      for (Instruction &inst : block)
        if (auto *call = dyn_cast<CallInst>(&inst))
          calls.push_back(call);
    for (CallInst *call : calls)
      lowerCall(*call);
  }
}

} // namespace regrain::cpu
