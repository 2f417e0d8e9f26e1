//===- MathCalls.cpp - Calls of mathematical functions --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NVPTX/Calls/MathCalls.h"

#include "compiler/DeviceIR/PureFunctions.h"
#include "compiler/DeviceIR/RepeatedFunctions.h"
#include "compiler/Target/Pipeline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace regrain::nvptx {
namespace {

/// Returns whether the function is one of the math library, and has no other effect than its
/// result: those with several results store them through pointers.
bool dependsOnArgumentsAlone(const Function &function) {
  return function.isDeclaration() && function.getName().starts_with("__nv_") &&
         !function.getReturnType()->isVoidTy() &&
         none_of(function.args(),
                 [](const Argument &argument) { return argument.getType()->isPointerTy(); });
}

/// Returns whether the function is one of the program's of which the same is known, and has
/// branches, which LLVM does not compare once they are inlined.
bool isPureWithBranches(const Function &function) {
  return function.size() > 1 && !function.getReturnType()->isVoidTy() && isPure(function);
}

/// Returns whether the function makes several such calls, or one of the math library's in a block
/// that may be in a loop.
bool mayShare(const Function &function) {
  unsigned calls = 0;
  SmallPtrSet<const Function *, 8> called;
  for (const Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (callee && dependsOnArgumentsAlone(*callee))
      calls += function.size() > 1 ? 2 : 1;
    else if (callee && isPureWithBranches(*callee) && !called.insert(callee).second)
      calls += 2;
  }
  return calls > 1;
}

class ShareMathCalls : public PassInfoMixin<ShareMathCalls> {
public:
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (!mayShare(function))
      return PreservedAnalyses::all();
    LoopPassManager loops;
    loops.addPass(LoopRotatePass());
    loops.addPass(LICMPass(LICMOptions()));
    FunctionPassManager passes;
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(EarlyCSEPass());
    passes.addPass(createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
    return passes.run(function, analyses);
  }
};

} // namespace

void shareMathCalls(Module &module, TargetMachine &machine) {
  bool hasMath = false, repeats = hasRepeatedBranches(module);
  for (Function &function : module)
    if (dependsOnArgumentsAlone(function)) {
      function.removeFnAttr(Attribute::Convergent);
      function.setDoesNotAccessMemory();
      function.setDoesNotThrow();
      function.setWillReturn();
      for (User *user : function.users())
        if (auto *call = dyn_cast<CallInst>(user))
          call->removeFnAttr(Attribute::Convergent);
      hasMath = true;
    }
  if (!hasMath && !repeats)
    return;
  runPasses(module, machine, {}, [=](PassBuilder &) {
    ModulePassManager passes;
    if (repeats) {
      passes.addPass(createModuleToPostOrderCGSCCPassAdaptor(PostOrderFunctionAttrsPass()));
      passes.addPass(createModuleToFunctionPassAdaptor(ShareMathCalls()));
    }
    if (hasMath) {
      passes.addPass(AlwaysInlinerPass());
      passes.addPass(createModuleToFunctionPassAdaptor(ShareMathCalls()));
    }
    return passes;
  });
}

} // namespace regrain::nvptx
