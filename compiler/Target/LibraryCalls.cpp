//===- LibraryCalls.cpp - Intrinsics as calls of a device library ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/LibraryCalls.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regrain {

std::string libraryNameFor(StringRef intrinsic) {
  SmallVector<StringRef, 8> parts;
  intrinsic.split(parts, '.');
  std::string name;
  for (StringRef part : ArrayRef(parts).drop_front())
    if (part != "ftz")
      name += (name.empty() ? "" : "_") + part.str();
  return name;
}

/// Returns whether a library function can return the type: no structure, or one of 32 bits and a
/// predicate.
static bool isLibraryResult(Type *type) {
  auto *pair = dyn_cast<StructType>(type);
  return !pair ||
         (pair->getNumElements() == 2 && pair->getElementType(0)->getPrimitiveSizeInBits() == 32 &&
          pair->getElementType(1)->isIntegerTy(1));
}

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

/// Returns the operation of a name: "inc" for llvm.nvvm.atomic.load.inc.32, "max" for
/// llvm.nvvm.atomic.max.gen.i.cta.
static std::optional<AtomicRMWInst::BinOp> atomicOperation(StringRef name, bool floating) {
  name.consume_front("llvm.nvvm.atomic.");
  name.consume_front("load.");
  return StringSwitch<std::optional<AtomicRMWInst::BinOp>>(
             name.take_until([](char c) { return c == '.'; }))
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

/// Lowers llvm.nvvm.atomic.load.inc.32 and scoped forms such as llvm.nvvm.atomic.add.gen.i.cta.
static Value *lowerAtomic(CallInst &call, StringRef name) {
  IRBuilder<> builder(&call);
  if (name.starts_with("llvm.nvvm.atomic.cas.")) {
    auto *exchange = builder.CreateAtomicCmpXchg(
        call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2), MaybeAlign(),
        AtomicOrdering::SequentiallyConsistent, AtomicOrdering::SequentiallyConsistent);
    return builder.CreateExtractValue(exchange, 0);
  }
  auto binary = atomicOperation(name, call.getType()->isFloatingPointTy());
  if (!binary)
    return nullptr;
  return builder.CreateAtomicRMW(*binary, call.getArgOperand(0), call.getArgOperand(1),
                                 MaybeAlign(), AtomicOrdering::SequentiallyConsistent);
}

Value *lowerNVVM(CallInst &call) {
  StringRef name = call.getCalledFunction()->getName();
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
  return isLibraryResult(call.getType()) ? callLibrary(call, libraryNameFor(name)) : nullptr;
}

void replaceCall(CallInst &call, Value *value) {
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

Value *reflectedValue(CallInst &call, bool hasMatrixCores) {
  StringRef key;
  auto *global = dyn_cast<GlobalVariable>(call.getArgOperand(0)->stripPointerCasts());
  if (global && global->hasInitializer())
    if (auto *text = dyn_cast<ConstantDataArray>(global->getInitializer()))
      key = text->isCString() ? text->getAsCString() : text->getAsString();
  unsigned value = key == "__CUDA_ARCH"              ? 700
                   : key == "__REGRAIN_MATRIX_CORES" ? hasMatrixCores
                                                     : 0;
  return ConstantInt::get(call.getType(), value);
}

} // namespace regrain
