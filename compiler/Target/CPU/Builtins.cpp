//===- Builtins.cpp - CUDA built-ins to library calls ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/Builtins.h"
#include "compiler/Target/InlineAssembly.h"
#include "compiler/Target/LibraryCalls.h"
#include "compiler/Target/ThreadExit.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

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

/// Computes a * b + c of halves, rounded once. The product is exact in double, and the sum contains
/// enough bits. It is cut to the bits of float, of which the last one records whether something was
/// lost.
Value *fuseHalves(IRBuilder<> &builder, Value *a, Value *b, Value *c) {
  constexpr unsigned lostBits = 29;
  Type *type = a->getType(), *wide = type->getWithNewType(builder.getDoubleTy());
  Type *integer = type->getWithNewType(builder.getInt64Ty());
  auto number = [&](uint64_t bits) { return ConstantInt::get(integer, bits); };
  Value *product = builder.CreateFMul(builder.CreateFPExt(a, wide), builder.CreateFPExt(b, wide));
  Value *sum = builder.CreateFAdd(product, builder.CreateFPExt(c, wide));
  Value *bits = builder.CreateBitCast(sum, integer);
  Value *lost = builder.CreateAnd(bits, number(maskTrailingOnes<uint64_t>(lostBits)));
  Value *kept = builder.CreateXor(bits, lost);
  Value *marked = builder.CreateSelect(builder.CreateICmpNE(lost, number(0)),
                                       builder.CreateOr(kept, number(1ull << lostBits)), kept);
  Value *cut = builder.CreateFPTrunc(builder.CreateBitCast(marked, wide),
                                     type->getWithNewType(builder.getFloatTy()));
  return builder.CreateFPTrunc(cut, type);
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
  if (id == Intrinsic::fma && type->getScalarType()->isHalfTy())
    return fuseHalves(builder, call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2));
  StringRef sleef = sleefNameFor(id);
  if (!sleef.empty() && (type->isFloatTy() || type->isDoubleTy()))
    return callLibrary(call, ("regrain_sleef_" + sleef + (type->isFloatTy() ? "f" : "")).str());
  return nullptr;
}

/// Returns the plugin's name of a function of the CUDA device runtime; empty for others.
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

SmallVector<CallInst *> callsIn(Function &function) {
  SmallVector<CallInst *> calls;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&inst))
      calls.push_back(call);
  return calls;
}

} // namespace

/// Lowers inline assembly first, because it becomes calls of built-ins.
void lowerBuiltins(Module &module) {
  returnAtExits(module);
  for (Function &function : module) {
    for (CallInst *call : callsIn(function))
      if (call->isInlineAsm())
        lowerInlineAssembly(*call);
    for (CallInst *call : callsIn(function))
      lowerCall(*call);
  }
}

} // namespace regrain::cpu
