//===- UninitialisedArguments.cpp - Lanes without a value -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Frontend/UninitialisedArguments.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace regrain {

/// Removes the attribute from a function or a call.
template <class Callable> static void forgetNoUndef(Callable &callable) {
  callable.removeRetAttr(Attribute::NoUndef);
  for (unsigned i = 0, e = callable.arg_size(); i < e; ++i)
    callable.removeParamAttr(i, Attribute::NoUndef);
}

void allowUninitialisedArguments(Module &module, ArrayRef<DeviceKernel> kernels) {
  SmallPtrSet<const Function *, 16> launched;
  for (const DeviceKernel &kernel : kernels)
    launched.insert(module.getFunction(kernel.symbol));
  for (Function &function : module) {
    if (!launched.contains(&function))
      forgetNoUndef(function);
    for (Instruction &inst : instructions(function)) {
      if (auto *call = dyn_cast<CallBase>(&inst))
        forgetNoUndef(*call);
      inst.setMetadata(LLVMContext::MD_noundef, nullptr);
    }
  }
}

} // namespace regrain
