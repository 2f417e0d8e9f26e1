//===- Unavailable.cpp - Undefined symbols of AMD GPUs --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/Unavailable.h"

#include "compiler/Refusal/DebugPosition.h"
#include "compiler/Target/InlineAssembly.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace regrain::amdgpu {

namespace {

/// Returns whether the assembly has no instruction: ROCm's libraries use comments to keep values
/// apart.
bool isEmpty(StringRef assembly) {
  return assembly.trim().empty() || assembly.trim().starts_with(";");
}

/// Refuses a call of a library function that does not exist. The reason names
/// nvvm_barrier_n as llvm.nvvm.barrier.n, as far as the underscores allow.
std::optional<Refusal> checkCallee(const CallInst &call) {
  if (call.isInlineAsm() && !isEmpty(assemblyText(call)))
    return Refusal{RefusalKind::UnknownAssembly,
                   "it holds inline PTX assembly that has no counterpart on AMD GPUs: \"" +
                       assemblyText(call) + "\""};
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration())
    return std::nullopt;
  StringRef name = callee->getName();
  StringRef notFound = StringSwitch<StringRef>(name)
                           .Case("__ockl_dm_alloc", "malloc")
                           .Case("__ockl_dm_dealloc", "free")
                           .Default("");
  if (!notFound.empty())
    return Refusal{
        RefusalKind::UnknownIntrinsic,
        ("it calls " + notFound + ", which the device library found (ockl.bc) does not have")
            .str()};
  StringRef system = StringSwitch<StringRef>(name)
                         .Case("vprintf", "printf with a format that is not a constant string")
                         .Cases("malloc", "free", name)
                         .Case("__assertfail", "assert")
                         .Default("");
  if (!system.empty())
    return Refusal{RefusalKind::UnknownIntrinsic,
                   ("it calls " + system + ", which is not supported on AMD GPUs").str()};
  name.consume_front("mistyped.");
  if (name == "regrain_bar_arrive")
    return Refusal{RefusalKind::UnknownIntrinsic,
                   "it uses bar.arrive, which has no counterpart on AMD GPUs"};
  if (name.starts_with("llvm.nvvm.") || name.starts_with("nvvm_") || name.starts_with("regrain_"))
    return Refusal{
        RefusalKind::UnknownIntrinsic,
        ("it uses the PTX intrinsic " + name + ", which has no counterpart on AMD GPUs").str()};
  return std::nullopt;
}

/// Searches from a kernel what it calls, breadth first, so that the path to each function is short.
class Search {
public:
  explicit Search(const Function &kernel) : kernel(kernel) { from[&kernel] = nullptr; }

  std::optional<Refusal> run() {
    for (size_t next = 0; next < from.size(); ++next)
      for (const Instruction &inst : instructions(*from.begin()[next].first)) {
        auto *call = dyn_cast<CallInst>(&inst);
        if (!call)
          continue;
        if (std::optional<Refusal> refusal = checkCallee(*call)) {
          refusal->reason += placeIn(kernel, locationOf(*call));
          return refusal;
        }
        const Function *callee = call->getCalledFunction();
        if (callee && !callee->isDeclaration())
          from.insert({callee, call});
      }
    return std::nullopt;
  }

private:
  /// Returns the place in the kernel's file from which `call` is reached, else the call's own.
  const DILocation *locationOf(const CallInst &call) const {
    for (const CallInst *frame = &call; frame; frame = from.lookup(frame->getFunction()))
      if (const DILocation *at = innermostInFileOf(kernel, frame->getDebugLoc());
          isInFileOf(kernel, at))
        return at;
    return call.getDebugLoc();
  }

  const Function &kernel;
  MapVector<const Function *, const CallInst *> from; ///< the first call found of each function
};

} // namespace

std::string placeIn(const Function &kernel, const DILocation *location) {
  return inParentheses(positionOf(innermostInFileOf(kernel, location)));
}

void refuseReaching(const Module &module, ArrayRef<std::string> kernels,
                    const DenseMap<const GlobalValue *, const Instruction *> &causes,
                    const Refusal &refusal, RefusedKernels &refused) {
  if (causes.empty())
    return;
  for (const std::string &symbol : kernels) {
    const Function *kernel = module.getFunction(symbol);
    if (!kernel)
      continue;
    for (const GlobalValue *reached : reachableFrom(*kernel))
      if (const Instruction *inst = causes.lookup(reached)) {
        std::string place = placeIn(*kernel, inst->getDebugLoc());
        refused.try_emplace(symbol, Refusal{refusal.kind, refusal.reason + place});
        break;
      }
  }
}

void findUnavailable(const Module &module, ArrayRef<std::string> kernels, RefusedKernels &refused) {
  for (const std::string &symbol : kernels)
    if (const Function *kernel = module.getFunction(symbol))
      if (std::optional<Refusal> refusal = Search(*kernel).run())
        refused.try_emplace(symbol, std::move(*refusal));
}

} // namespace regrain::amdgpu
