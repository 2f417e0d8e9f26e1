//===- Flatten.cpp - Kernels without calls --------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/CPU/Flatten.h"
#include "compiler/DeviceIR/InlinedSizes.h"
#include "compiler/Target/CPU/Analyses.h"
#include "compiler/Target/CPU/DeviceLibrary.h"
#include "compiler/Target/CPU/GuardedDivisions.h"
#include "compiler/Target/SumOrder.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"

using namespace llvm;

namespace regrain::cpu {

namespace {

/// Allows every function to be inlined that is not recursive, and not too large to be copied.
void markInlinable(Module &module, ArrayRef<std::string> kernels) {
  CallGraph graph(module);
  InlinedSizes sizes;
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component)
    for (CallGraphNode *node : *component) { // callees precede callers
      Function *function = node->getFunction();
      if (!function || function->isDeclaration())
        continue;
      bool mayBeCopied = sizes.mayBeCopied(*node);
      if (!component.hasCycle() && mayBeCopied && !isLibraryFunction(*function) &&
          !is_contained(kernels, function->getName()))
        function->addFnAttr(Attribute::AlwaysInline);
    }
}

FunctionPassManager variablePasses() {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  passes.addPass(SimplifyCFGPass());
  return passes;
}

/// Returns the passes for kernels; without optimisation only those that keep variables out of
/// memory.
FunctionPassManager kernelPasses(bool optimizes) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  if (!optimizes)
    return passes;
  passes.addPass(InstCombinePass());
  LoopPassManager loops;
  loops.addPass(LoopRotatePass(/*EnableHeaderDuplication=*/true));
  loops.addPass(IndVarSimplifyPass());
  loops.addPass(LoopFullUnrollPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(loops)));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(ADCEPass());
  return passes;
}

} // namespace

void flatten(Module &module, ArrayRef<std::string> kernels, TargetMachine &machine) {
  markInlinable(module, kernels);
  Analyses analyses(machine);
  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(variablePasses()));
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.addPass(GlobalDCEPass());
  passes.addPass(createModuleToFunctionPassAdaptor(
      kernelPasses(machine.getOptLevel() != CodeGenOptLevel::None)));
  passes.run(module, analyses.modules);
}

/// Functions that the source wants inlined are, like those of the device library: what a thread
/// waits for must be constant in the code that waits. A coroutine has one return.
void keepStructure(Module &module, TargetMachine &machine) {
  Analyses analyses(machine);
  AlwaysInlinerPass(/*InsertLifetime=*/false).run(module, analyses.modules);
  for (Function &function : module) {
    for (BasicBlock &block : function)
      ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
    if (function.isDeclaration())
      continue;
    removeUnreachableBlocks(function);
    UnifyFunctionExitNodesPass().run(function, analyses.functions);
  }
  GlobalDCEPass().run(module, analyses.modules);
}

void inlineLibrary(Module &module, TargetMachine &machine) {
  for (Function &function : module)
    if (isLibraryFunction(function))
      function.setLinkage(GlobalValue::InternalLinkage);
  Analyses analyses(machine);
  AlwaysInlinerPass(/*InsertLifetime=*/false).run(module, analyses.modules);
}

/// Returns whether a kernel is too large for unrolling. Unrolling a loop makes LLVM examine the
/// loop around it again, and a large kernel at a coarse grain is one loop around thousands.
static bool isLarge(const Function &function) {
  constexpr unsigned largeFunction = 20000; // instructions
  return function.getInstructionCount() > largeFunction;
}

void optimize(Module &module, TargetMachine &machine, unsigned level, bool reordersSums) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = level > 1;
  tuning.SLPVectorization = level > 1;
  tuning.LoopUnrolling = !any_of(module, isLarge);
  Analyses analyses(machine, tuning);
  analyses.builder.registerVectorizerStartEPCallback(
      [reordersSums](FunctionPassManager &passes, OptimizationLevel) {
        passes.addPass(GuardedDivisionsPass());
        if (reordersSums)
          passes.addPass(PermitSumOrder());
      });
  OptimizationLevel levels[] = {OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
                                OptimizationLevel::O3};
  ModulePassManager passes =
      level == 0 ? analyses.builder.buildO0DefaultPipeline(levels[0])
                 : analyses.builder.buildPerModuleDefaultPipeline(levels[std::min(level, 3u)]);
  passes.run(module, analyses.modules);
}

} // namespace regrain::cpu
