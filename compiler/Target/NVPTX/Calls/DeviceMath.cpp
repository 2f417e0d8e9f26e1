//===- DeviceMath.cpp - Definitions for __nv_ functions -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Calls/DeviceMath.h"

#include "compiler/DeviceIR/ProductFunctions.h"
#include "compiler/Target/Bitcode.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::nvptx {

static bool needsMath(const Module &module) {
  return any_of(module, [](const Function &function) {
    return function.isDeclaration() && function.getName().starts_with("__nv_");
  });
}

Expected<MathSource> linkDeviceMath(Module &module, const Toolkit &toolkit) {
  if (!needsMath(module))
    return MathSource::None;
  bool free = toolkit.libdevice.empty();
  if (!free)
    declareProductFunctions(module);
  if (free) {
    joinFactors(module);
    Expected<bool> needsLibclc = mapMathToLibclc(module, !toolkit.libclc.empty());
    if (!needsLibclc)
      return needsLibclc.takeError();
    if (!*needsLibclc)
      return MathSource::None;
  }
  Expected<std::unique_ptr<Module>> library =
      openBitcode(free ? toolkit.libclc : toolkit.libdevice, module.getContext());
  if (!library)
    return library.takeError();
  if (free) {
    (*library)->setTargetTriple(module.getTargetTriple());
    (*library)->setDataLayout(module.getDataLayout());
  }
  if (Error error = linkNeeded(module, std::move(*library)))
    return error;
  defineFactors(module);
  joinFactors(module);
  return free ? MathSource::Libclc : MathSource::Libdevice;
}

/// Returns the string to which `pointer` points; empty if it is not known.
static StringRef stringAt(const Value *pointer) {
  auto *variable = dyn_cast<GlobalVariable>(pointer->stripPointerCasts());
  auto *text = variable && variable->hasInitializer()
                   ? dyn_cast<ConstantDataArray>(variable->getInitializer())
                   : nullptr;
  return text && text->isCString() ? text->getAsCString() : StringRef();
}

void answerForRoots(Module &module, bool areExact) {
  Function *reflect = module.getFunction("__nvvm_reflect");
  if (!reflect)
    return;
  for (User *user : make_early_inc_range(reflect->users())) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || stringAt(call->getArgOperand(0)) != "__CUDA_PREC_SQRT")
      continue;
    call->replaceAllUsesWith(ConstantInt::get(call->getType(), areExact));
    call->eraseFromParent();
  }
}

} // namespace regrain::nvptx
