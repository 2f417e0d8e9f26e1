//===- Print.cpp - printf and assert on AMD -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Print.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/Target/AMDGPU/Retarget.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Transforms/Utils/AMDGPUEmitPrintf.h"

using namespace llvm;

namespace regrain::amdgpu {

namespace {

/// The format of CUDA's own message (CUDA C++ Programming Guide, "Assertion").
constexpr StringLiteral assertionFormat =
    "%s:%d: %s: block: [%d,%d,%d], thread: [%d,%d,%d] Assertion `%s` failed.\n";

/// Loads the arguments that the caller has stored for vprintf; returns nothing if their types are
/// not known.
std::optional<SmallVector<Value *>> loadArguments(Value &buffer, IRBuilder<> &builder) {
  SmallVector<Value *> arguments;
  if (isa<ConstantPointerNull>(buffer))
    return arguments;
  auto *local = dyn_cast<AllocaInst>(buffer.stripPointerCasts());
  auto *type = local ? dyn_cast<StructType>(local->getAllocatedType()) : nullptr;
  if (!type)
    return std::nullopt;
  for (unsigned i = 0; i < type->getNumElements(); ++i)
    arguments.push_back(
        builder.CreateLoad(type->getElementType(i), builder.CreateStructGEP(type, local, i)));
  return arguments;
}

void lowerPrintf(CallInst &call) {
  StringRef format;
  if (!getConstantStringInfo(call.getArgOperand(0), format))
    return;
  IRBuilder<> builder(&call);
  auto arguments = loadArguments(*call.getArgOperand(1), builder);
  if (!arguments)
    return;
  Value *count = ConstantInt::get(call.getType(), arguments->size());
  arguments->insert(arguments->begin(), call.getArgOperand(0));
  emitAMDGPUPrintfCall(builder, *arguments, /*isBuffered=*/false);
  call.replaceAllUsesWith(count);
  call.eraseFromParent();
}

Value *formatOf(Module &module) {
  constexpr StringLiteral name = ".regrain.assertion";
  GlobalVariable *format = module.getNamedGlobal(name);
  if (!format) {
    Constant *text = ConstantDataArray::getString(module.getContext(), assertionFormat);
    format = new GlobalVariable(module, text->getType(), /*isConstant=*/true,
                                GlobalValue::InternalLinkage, text, name, nullptr,
                                GlobalValue::NotThreadLocal, constantSpace);
  }
  return ConstantExpr::getAddrSpaceCast(format, PointerType::getUnqual(module.getContext()));
}

void lowerAssertion(CallInst &call) {
  IRBuilder<> builder(&call);
  SmallVector<Value *> arguments = {formatOf(*call.getModule()), call.getArgOperand(1),
                                    call.getArgOperand(2), call.getArgOperand(3)};
  for (Intrinsic::ID id : {Intrinsic::amdgcn_workgroup_id_x, Intrinsic::amdgcn_workgroup_id_y,
                           Intrinsic::amdgcn_workgroup_id_z, Intrinsic::amdgcn_workitem_id_x,
                           Intrinsic::amdgcn_workitem_id_y, Intrinsic::amdgcn_workitem_id_z})
    arguments.push_back(builder.CreateIntrinsic(id, {}, {}));
  arguments.push_back(call.getArgOperand(0));
  emitAMDGPUPrintfCall(builder, arguments, /*isBuffered=*/false);
  builder.CreateIntrinsic(Intrinsic::trap, {}, {});
  call.eraseFromParent();
}

} // namespace

void lowerPrinting(Module &module) {
  SmallVector<CallInst *> calls;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&inst); call && call->getCalledFunction())
        calls.push_back(call);
  for (CallInst *call : calls) {
    StringRef name = call->getCalledFunction()->getName();
    if (name == "__assertfail")
      lowerAssertion(*call);
    else if (name == "vprintf")
      lowerPrintf(*call);
  }
}

} // namespace regrain::amdgpu
