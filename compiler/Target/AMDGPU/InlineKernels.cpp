//===- InlineKernels.cpp - Kernels with all that they call ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/AMDGPU/InlineKernels.h"

#include "compiler/Target/AMDGPU/DeviceLibrary.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <deque>

using namespace llvm;

namespace regrain::amdgpu {

namespace {

/// The number of calls after which the rest is kept: a program with this many is large without
/// inlining.
constexpr unsigned mostCalls = 4000;

/// A call, and the functions through which the kernel reaches it.
struct Reached {
  WeakTrackingVH call;
  SmallVector<const Function *, 4> through;
};

void inlineCalls(Function &kernel, function_ref<bool(const Function &)> stays) {
  std::deque<Reached> pending;
  for (Instruction &inst : instructions(kernel))
    if (isa<CallBase>(inst))
      pending.push_back({&inst, {&kernel}});
  for (unsigned inlined = 0; !pending.empty() && inlined < mostCalls; pending.pop_front()) {
    Reached reached = pending.front();
    auto *call = dyn_cast_or_null<CallBase>(reached.call);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->isDeclaration() || callee->hasFnAttribute(systemAttribute) ||
        stays(*callee) || is_contained(reached.through, callee))
      continue;
    InlineFunctionInfo info;
    if (!InlineFunction(*call, info).isSuccess())
      continue;
    ++inlined;
    reached.through.push_back(callee);
    for (CallBase *inner : info.InlinedCallSites)
      pending.push_back({inner, reached.through});
  }
}

/// Keeps calls whose results are not used.
void keepCalls(Function &function) {
  function.setMemoryEffects(MemoryEffects::unknown());
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user))
      call->removeFnAttr(Attribute::Memory);
}

void promoteVariables(Function &function) {
  FunctionAnalysisManager analyses;
  PassBuilder().registerFunctionAnalyses(analyses);
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  passes.run(function, analyses);
}

} // namespace

std::unique_ptr<Module> inlineKernels(const Module &module,
                                      function_ref<bool(const Function &)> stays) {
  std::unique_ptr<Module> copy = CloneModule(module);
  for (Function &function : *copy)
    if (stays(function))
      keepCalls(function);
  for (Function &function : *copy) {
    if (function.isDeclaration())
      continue;
    if (function.getCallingConv() == CallingConv::AMDGPU_KERNEL)
      inlineCalls(function, stays);
    promoteVariables(function);
  }
  return copy;
}

} // namespace regrain::amdgpu
