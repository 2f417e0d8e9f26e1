//===- NewerChips.cpp - Instructions that newer chips have ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/NewerChips.h"

#include "compiler/DeviceIR/References.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <optional>

using namespace llvm;

namespace regrain::nvptx {

/// Returns what an operation with such a name or text needs that chips before compute
/// capability 9.0 do not have.
static std::optional<Refusal> neededBy(StringRef text) {
  if (text.contains("cluster") || text.contains("mapa") || text.contains("getctarank"))
    return Refusal{
        RefusalKind::NoClusters,
        "it uses clusters of blocks, which chips before compute capability 9.0 do not have"};
  if (text.contains("atom.") && text.contains(".b128"))
    return Refusal{
        RefusalKind::NoWideAtomics,
        "it uses atomics of 16 bytes, which chips before compute capability 9.0 do not have"};
  return std::nullopt;
}

static std::optional<Refusal> neededBy(const Function &function) {
  for (const Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call)
      continue;
    auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand());
    const Function *callee = call->getCalledFunction();
    bool isIntrinsic = callee && callee->getName().starts_with("llvm.nvvm.");
    StringRef text = assembly ? assembly->getAsmString() : isIntrinsic ? callee->getName() : "";
    if (std::optional<Refusal> needed = neededBy(text))
      return needed;
  }
  return std::nullopt;
}

void findNewerInstructions(const Module &module, ArrayRef<std::string> kernels, StringRef arch,
                           RefusedKernels &refused) {
  constexpr unsigned firstWithAll = 90;
  unsigned capability = 0;
  if (arch.drop_until(isDigit).take_while(isDigit).getAsInteger(10, capability) ||
      capability >= firstWithAll)
    return;
  for (const std::string &symbol : kernels) {
    const Function *kernel = module.getFunction(symbol);
    if (!kernel)
      continue;
    for (const GlobalValue *value : reachableFrom(*kernel))
      if (auto *function = dyn_cast<Function>(value))
        if (std::optional<Refusal> needed = neededBy(*function))
          refused.try_emplace(symbol, *needed);
  }
}

} // namespace regrain::nvptx
