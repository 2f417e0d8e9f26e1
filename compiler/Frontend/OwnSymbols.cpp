//===- OwnSymbols.cpp - The runtime's symbols in host code ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/OwnSymbols.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace regrain {

void useOwnSymbols(Module &module) {
  static constexpr StringLiteral written[] = {
#define REGRAIN_REGISTRATION_CALL(RESULT, NAME, PARAMETERS) #NAME,
#include "runtime/cudart/registration_calls.def"
      "__cudaPopCallConfiguration",
      "cudaLaunchKernel",
      "cudaLaunchKernel_ptsz",
  };
  for (StringRef name : written) {
    Function *function = module.getFunction(name);
    if (!function || !function->isDeclaration())
      continue;
    std::string symbol = ("regrain_" + name).str();
    if (Function *known = module.getFunction(symbol)) {
      function->replaceAllUsesWith(known);
      function->eraseFromParent();
    } else {
      function->setName(symbol);
    }
  }
}

} // namespace regrain
