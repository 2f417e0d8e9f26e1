//===- MissingInstructions.cpp - What some chips do not have --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Chip/MissingInstructions.h"

#include "compiler/DeviceIR/References.h"
#include "compiler/Refusal/DebugPosition.h"
#include "compiler/Target/NVPTX/Chip/Occupancy.h"
#include "llvm/ADT/StringSwitch.h"
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

/// Returns CUDA's name of an operation without a mask, if an intrinsic is one.
static StringRef unmaskedName(StringRef intrinsic) {
  return StringSwitch<StringRef>(intrinsic)
      .StartsWith("llvm.nvvm.shfl.idx.", "__shfl")
      .StartsWith("llvm.nvvm.shfl.up.", "__shfl_up")
      .StartsWith("llvm.nvvm.shfl.down.", "__shfl_down")
      .StartsWith("llvm.nvvm.shfl.bfly.", "__shfl_xor")
      .Case("llvm.nvvm.vote.any", "__any")
      .Case("llvm.nvvm.vote.all", "__all")
      .Case("llvm.nvvm.vote.uni", "__uni")
      .Case("llvm.nvvm.vote.ballot", "__ballot")
      .Default({});
}

static std::optional<Refusal> refusalOfUnmasked(StringRef intrinsic) {
  StringRef name = unmaskedName(intrinsic);
  if (name.empty())
    return std::nullopt;
  return Refusal{RefusalKind::UnknownIntrinsic,
                 (name + " has no mask, which chips from compute capability 7.0 on need: use " +
                  name + "_sync")
                     .str()};
}

static std::optional<Refusal> refusalOf(const CallBase &call, unsigned capability) {
  auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
  const Function *callee = call.getCalledFunction();
  bool isIntrinsic = callee && callee->getName().starts_with("llvm.nvvm.");
  StringRef text = assembly ? assembly->getAsmString() : isIntrinsic ? callee->getName() : "";
  std::optional<Refusal> refusal;
  if (capability < 90)
    refusal = neededBy(text);
  if (!refusal && capability >= 70)
    refusal = refusalOfUnmasked(text);
  return refusal;
}

/// Returns where the file of a kernel contains an instruction, or refers to the function with it.
static SourcePosition placeInFileOf(const Function &kernel, const Instruction *at,
                                    const References &references) {
  for (; at; at = references.lookup(at->getFunction())) {
    const DILocation *location = innermostInFileOf(kernel, at->getDebugLoc());
    if (isInFileOf(kernel, location))
      return positionOf(location);
  }
  return {};
}

static std::optional<Refusal> refusalOfKernel(const Function &kernel, unsigned capability) {
  References references = findReferences({&kernel});
  for (auto [value, from] : references) {
    auto *function = dyn_cast<Function>(value);
    if (!function)
      continue;
    for (const Instruction &instruction : instructions(*function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      std::optional<Refusal> refusal = call ? refusalOf(*call, capability) : std::nullopt;
      if (!refusal)
        continue;
      refusal->where = placeInFileOf(kernel, call, references);
      refusal->reason += inParentheses(refusal->where);
      return refusal;
    }
  }
  return std::nullopt;
}

void findMissingInstructions(const Module &module, ArrayRef<std::string> kernels, StringRef arch,
                             RefusedKernels &refused) {
  for (const std::string &symbol : kernels)
    if (const Function *kernel = module.getFunction(symbol))
      if (std::optional<Refusal> refusal = refusalOfKernel(*kernel, capabilityOf(arch)))
        refused.try_emplace(symbol, *refusal);
}

} // namespace regrain::nvptx
