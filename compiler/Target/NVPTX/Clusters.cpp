//===- Clusters.cpp - Kernels with clusters of blocks ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Clusters.h"

#include "compiler/DeviceIR/References.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::nvptx {

/// Returns whether the name or the text of an operation is about clusters.
static bool isOfClusters(StringRef text) {
  return text.contains("cluster") || text.contains("mapa") || text.contains("getctarank");
}

static bool usesClusters(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call)
      return false;
    if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
      return isOfClusters(assembly->getAsmString());
    const Function *callee = call->getCalledFunction();
    return callee && callee->getName().starts_with("llvm.nvvm.") && isOfClusters(callee->getName());
  });
}

void findClusters(const Module &module, ArrayRef<std::string> kernels, StringRef arch,
                  RefusedKernels &refused) {
  constexpr unsigned firstWithClusters = 90;
  unsigned capability = 0;
  if (arch.drop_until(isDigit).take_while(isDigit).getAsInteger(10, capability) ||
      capability >= firstWithClusters)
    return;
  for (const std::string &symbol : kernels) {
    const Function *kernel = module.getFunction(symbol);
    if (!kernel)
      continue;
    for (const GlobalValue *value : reachableFrom(*kernel))
      if (auto *function = dyn_cast<Function>(value); function && usesClusters(*function))
        refused.try_emplace(symbol, Refusal{RefusalKind::NoClusters,
                                            "it uses clusters of blocks, which chips before "
                                            "compute capability 9.0 do not have"});
  }
}

} // namespace regrain::nvptx
