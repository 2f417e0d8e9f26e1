//===- Builtins.cpp - CUDA built-ins to library calls ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/Builtins.h"
#include "compiler/Target/CPU/InlineAssembly.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace regrain::cpu {

std::string libraryNameFor(StringRef intrinsic) {
  SmallVector<StringRef, 8> parts;
  intrinsic.split(parts, '.');
  std::string name;
  for (StringRef part : ArrayRef(parts).drop_front())
    if (part != "ftz")
      name += (name.empty() ? "" : "_") + part.str();
  return name;
}

namespace {

/// Calls `name` with the operands of `call`; a structure of value and predicate
/// comes back packed in 64 bits.
Value *callLibrary(CallInst &call, StringRef name) {
  IRBuilder<> builder(&call);
  FunctionType *type = call.getFunctionType();
  auto *pair = dyn_cast<StructType>(type->getReturnType());
  Type *result = pair ? builder.getInt64Ty() : type->getReturnType();
  FunctionCallee callee =
      call.getModule()->getOrInsertFunction(name, FunctionType::get(result, type->params(), false));
  CallInst *replacement = builder.CreateCall(callee, SmallVector<Value *>(call.args()));
  if (!pair)
    return replacement;
  Value *low = builder.CreateTrunc(replacement, builder.getInt32Ty());
  if (!pair->getElementType(0)->isIntegerTy())
    low = builder.CreateBitCast(low, pair->getElementType(0));
  Value *high = builder.CreateTrunc(builder.CreateLShr(replacement, 32), pair->getElementType(1));
  Value *both = builder.CreateInsertValue(PoisonValue::get(pair), low, 0);
  return builder.CreateInsertValue(both, high, 1);
}

bool isPair(Type *type) {
  auto *pair = dyn_cast<StructType>(type);
  return pair && pair->getNumElements() == 2 &&
         pair->getElementType(0)->getPrimitiveSizeInBits() == 32 &&
         pair->getElementType(1)->isIntegerTy(1);
}

std::optional<AtomicRMWInst::BinOp> atomicOperation(StringRef name, bool floating) {
  return StringSwitch<std::optional<AtomicRMWInst::BinOp>>(name)
      .Case("add", floating ? AtomicRMWInst::FAdd : AtomicRMWInst::Add)
      .Case("exch", AtomicRMWInst::Xchg)
      .Case("and", AtomicRMWInst::And)
      .Case("or", AtomicRMWInst::Or)
      .Case("xor", AtomicRMWInst::Xor)
      .Case("max", AtomicRMWInst::Max)
      .Case("min", AtomicRMWInst::Min)
      .Case("inc", AtomicRMWInst::UIncWrap)
      .Case("dec", AtomicRMWInst::UDecWrap)
      .Default(std::nullopt);
}

/// llvm.nvvm.atomic.load.inc.32 and the scoped forms llvm.nvvm.atomic.add.gen.i.cta.
Value *lowerAtomic(CallInst &call, StringRef name) {
  IRBuilder<> builder(&call);
  name.consume_front("llvm.nvvm.atomic.");
  name.consume_front("load.");
  StringRef operation = name.take_until([](char c) { return c == '.'; });
  if (operation == "cas") {
    auto *exchange = builder.CreateAtomicCmpXchg(
        call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2), MaybeAlign(),
        AtomicOrdering::SequentiallyConsistent, AtomicOrdering::SequentiallyConsistent);
    return builder.CreateExtractValue(exchange, 0);
  }
  auto binary = atomicOperation(operation, call.getType()->isFloatingPointTy());
  if (!binary)
    return nullptr;
  return builder.CreateAtomicRMW(*binary, call.getArgOperand(0), call.getArgOperand(1),
                                 MaybeAlign(), AtomicOrdering::SequentiallyConsistent);
}

Value *lowerNVVM(CallInst &call, StringRef name) {
  IRBuilder<> builder(&call);
  if (name.starts_with("llvm.nvvm.ptr."))
    return builder.CreateAddrSpaceCast(call.getArgOperand(0), call.getType());
  if (name.starts_with("llvm.nvvm.move."))
    return call.getArgOperand(0);
  if (name.starts_with("llvm.nvvm.ldg.") || name.starts_with("llvm.nvvm.ldu.")) {
    uint64_t align = cast<ConstantInt>(call.getArgOperand(1))->getZExtValue();
    return builder.CreateAlignedLoad(call.getType(), call.getArgOperand(0), Align(align));
  }
  if (name.starts_with("llvm.nvvm.atomic."))
    return lowerAtomic(call, name);
  if (name.starts_with("llvm.nvvm.fma.rn.") && call.getType()->getScalarSizeInBits() == 16)
    return name.contains("relu") || name.contains("sat")
               ? nullptr
               : builder.CreateIntrinsic(Intrinsic::fma, {call.getType()},
                                         SmallVector<Value *>(call.args()));
  if (isa<StructType>(call.getType()) && !isPair(call.getType()))
    return nullptr;
  return callLibrary(call, libraryNameFor(name));
}

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
    return lowerNVVM(call, name);
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

void replace(CallInst &call, Value *value) {
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

void lowerTrap(CallInst &call) {
  IRBuilder<> builder(&call);
  FunctionCallee trap = call.getModule()->getOrInsertFunction(
      "regrain_cpu_trap", builder.getVoidTy(), builder.getPtrTy());
  cast<Function>(trap.getCallee())->setDoesNotReturn();
  builder.CreateCall(trap, ConstantPointerNull::get(builder.getPtrTy()));
  call.eraseFromParent();
}

/// What __nvvm_reflect answers: the architecture of the device compile; denormals kept.
Value *reflect(CallInst &call) {
  StringRef key;
  auto *global = dyn_cast<GlobalVariable>(call.getArgOperand(0)->stripPointerCasts());
  if (global && global->hasInitializer())
    if (auto *text = dyn_cast<ConstantDataArray>(global->getInitializer()))
      key = text->isCString() ? text->getAsCString() : text->getAsString();
  return ConstantInt::get(call.getType(), key == "__CUDA_ARCH" ? 700 : 0);
}

void lowerCall(CallInst &call) {
  if (call.isInlineAsm()) {
    if (std::optional<Value *> value = lowerInlineAssembly(call))
      replace(call, *value);
    return;
  }
  Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration())
    return;
  StringRef name = callee->getName();
  if (callee->getIntrinsicID() == Intrinsic::trap)
    return lowerTrap(call);
  if (name == "__nvvm_reflect" || name.starts_with("llvm.nvvm.reflect"))
    return replace(call, reflect(call));
  if (callee->isIntrinsic()) {
    if (Value *value = lowerIntrinsic(call, callee->getIntrinsicID()))
      replace(call, value);
    return;
  }
  if (StringRef plugin = pluginNameFor(name); !plugin.empty())
    replace(call, callLibrary(call, plugin));
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
