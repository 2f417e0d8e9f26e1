//===- Pipeline.cpp - LLVM's passes over a device module ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Pipeline.h"

#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace regrain {

static bool isVerified = false;

void verifyPasses() { isVerified = true; }

bool verifiesPasses() { return isVerified; }

void setLLVMOption(StringRef name, StringRef value) {
  auto &options = cl::getRegisteredOptions();
  auto option = options.find(name);
  if (option != options.end())
    option->second->addOccurrence(0, option->first(), value);
}

CodeGenOptLevel codeGenLevel(unsigned level) {
  switch (level) {
  case 0:
    return CodeGenOptLevel::None;
  case 1:
    return CodeGenOptLevel::Less;
  case 2:
    return CodeGenOptLevel::Default;
  default:
    return CodeGenOptLevel::Aggressive;
  }
}

static OptimizationLevel pipelineLevel(unsigned level) {
  switch (level) {
  case 0:
    return OptimizationLevel::O0;
  case 1:
    return OptimizationLevel::O1;
  case 2:
    return OptimizationLevel::O2;
  default:
    return OptimizationLevel::O3;
  }
}

PipelineTuningOptions tuningFor(unsigned level) {
  PipelineTuningOptions tuning;
  tuning.LoopUnrolling = tuning.LoopInterleaving = level > 1;
  tuning.LoopVectorization = tuning.SLPVectorization = level > 1;
  tuning.CallGraphProfile = false;
  return tuning;
}

/// Returns the default alias analyses, with the target's first: the memory to which an address
/// belongs settles most questions, while the others compare how the addresses are computed.
static AAManager aliasAnalyses(TargetMachine &machine) {
  AAManager aliases;
  machine.registerDefaultAliasAnalyses(aliases);
  aliases.registerFunctionAnalysis<BasicAA>();
  aliases.registerFunctionAnalysis<ScopedNoAliasAA>();
  aliases.registerFunctionAnalysis<TypeBasedAA>();
  aliases.registerModuleAnalysis<GlobalsAA>();
  return aliases;
}

void runPasses(Module &module, TargetMachine &machine, const PipelineTuningOptions &tuning,
               function_ref<ModulePassManager(PassBuilder &)> build) {
  PassInstrumentationCallbacks callbacks;
  std::optional<StandardInstrumentations> instrumentations;
  if (isVerified)
    instrumentations.emplace(module.getContext(), /*DebugLogging=*/false, /*VerifyEach=*/true);
  PassBuilder builder(&machine, tuning, std::nullopt, isVerified ? &callbacks : nullptr);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  TargetLibraryInfoImpl library{Triple(module.getTargetTriple())};
  functions.registerPass([&] { return TargetLibraryAnalysis(library); });
  functions.registerPass([&] { return aliasAnalyses(machine); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  if (instrumentations)
    instrumentations->registerCallbacks(callbacks, &modules);
  build(builder).run(module, modules);
}

ModulePassManager defaultPipeline(PassBuilder &builder, unsigned level) {
  OptimizationLevel pipeline = pipelineLevel(level);
  return level == 0 ? builder.buildO0DefaultPipeline(pipeline)
                    : builder.buildPerModuleDefaultPipeline(pipeline);
}

} // namespace regrain
