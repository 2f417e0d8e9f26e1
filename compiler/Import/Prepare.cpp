//===- Prepare.cpp - LLVM passes before import ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Import/Prepare.h"

#include "compiler/DeviceIR/AddressSpaces.h"
#include "compiler/DeviceIR/CastShared.h"
#include "compiler/DeviceIR/FuseProducts.h"
#include "compiler/DeviceIR/LaunchWaits.h"
#include "compiler/DeviceIR/OnlyRead.h"
#include "compiler/DeviceIR/PureFunctions.h"
#include "compiler/DeviceIR/References.h"
#include "compiler/DeviceIR/RepeatedFunctions.h"
#include "compiler/DeviceIR/WideCopies.h"
#include "compiler/Folding/FoldApproximations.h"
#include "compiler/Target/Limits.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
}

using namespace llvm;

namespace {

/// The passes of -O3 up to its loop passes. The first simplifycfg must come before sroa, and ipsccp
/// is needed; otherwise the code of an unchanged kernel differs from what clang makes of it.
constexpr StringLiteral pipeline =
    "always-inline,function(lower-expect,simplifycfg,sroa<modify-cfg>,early-cse),"
    "ipsccp,called-value-propagation,globalopt,"
    "function(instcombine<no-verify-fixpoint>,simplifycfg),"
    "cgscc(inline,function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,"
    "fold-approximations,instcombine<no-verify-fixpoint>)),"
    "function(wide-copies,sroa<modify-cfg>),globaldce";

/// The beginning of -O3, for modules in which equal calls can be one call. Once functions with
/// branches are inlined, LLVM does not compare them any more.
constexpr StringLiteral sharing = "function(lower-expect,simplifycfg,sroa<modify-cfg>,early-cse),"
                                  "mark-pure-functions,function(early-cse),";

/// Creates the target machine, which determines inlining thresholds and address spaces.
std::unique_ptr<TargetMachine> createTargetMachine(const Module &module) {
  static std::once_flag initialised;
  std::call_once(initialised, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
  });
  std::string error;
  const llvm::Target *target = TargetRegistry::lookupTarget(module.getTargetTriple(), error);
  if (!target)
    return nullptr;
  StringRef cpu, features;
  for (const Function &function : module)
    if (function.hasFnAttribute("target-cpu")) {
      cpu = function.getFnAttribute("target-cpu").getValueAsString();
      features = function.getFnAttribute("target-features").getValueAsString();
      break;
    }
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      module.getTargetTriple(), cpu, features, TargetOptions(), std::nullopt));
}

Error runPipeline(Module &module) {
  std::string text = pipeline.str();
  if (regrain::hasRepeatedBranches(module))
    text.insert(0, sharing);
  std::unique_ptr<TargetMachine> machine = createTargetMachine(module);
  if (!machine)
    return createStringError("device module has the unknown target '" + module.getTargetTriple() +
                             "'");
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(machine.get());
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.registerPipelineParsingCallback(
      [](StringRef name, FunctionPassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        if (name == "fold-approximations")
          passes.addPass(regrain::FoldApproximations());
        else if (name == "wide-copies")
          passes.addPass(regrain::WideCopies(regrain::WideCopies::Time::BeforeSroa));
        else
          return false;
        return true;
      });
  builder.registerPipelineParsingCallback(
      [](StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        if (name != "mark-pure-functions")
          return false;
        passes.addPass(regrain::MarkPureFunctions());
        return true;
      });
  ModulePassManager passes;
  if (Error error = builder.parsePassPipeline(passes, text))
    return error;
  passes.run(module, modules);
  return Error::success();
}

/// Pins variables: one that can be written exists only in the base module, so no pass may split,
/// shrink or fold it.
void pinVariables(Module &module) {
  for (GlobalVariable &global : module.globals()) {
    global.setComdat(nullptr);
    if (global.isDeclaration() || global.isConstant() || global.hasAppendingLinkage() ||
        global.getAddressSpace() == regrain::sharedSpace)
      continue;
    global.setLinkage(GlobalValue::ExternalLinkage);
    global.setExternallyInitialized(true);
  }
}

/// A thread that writes to a by-value parameter writes to its own copy. A coarser thread stands for
/// several threads, so the copy has to be explicit in the body. There is none of what is only read.
void privatiseParameters(Function &kernel) {
  IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
  const DataLayout &layout = kernel.getParent()->getDataLayout();
  for (Argument &argument : kernel.args()) {
    if (!argument.hasByValAttr() || regrain::isOnlyRead(argument))
      continue;
    Type *type = argument.getParamByValType();
    AllocaInst *copy = builder.CreateAlloca(type);
    copy->setAlignment(argument.getParamAlign().value_or(layout.getABITypeAlign(type)));
    argument.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, copy->getAlign(), &argument, copy->getAlign(),
                         layout.getTypeAllocSize(type));
  }
}

} // namespace

void regrain::dropUnreached(Module &module, ArrayRef<Function *> kernels) {
  auto keep = functionsReachedFrom(kernels);
  for (Function &function : module)
    if (!function.isDeclaration() && !keep.contains(&function))
      function.deleteBody();
}

Expected<bool> regrain::prepareForAll(Module &module, ArrayRef<Function *> kernels) {
  pinVariables(module);
  for (Function &function : module) {
    function.setComdat(nullptr);
    function.removeFnAttr(Attribute::OptimizeNone);
  }
  alignCastShared(module, kernels, mostDeclaredShared);
  FunctionsOfModule staying = findRepeatedFunctions(module);
  forceInlining(module, kernels, staying);
  if (Error error = runPipeline(module))
    return std::move(error);
  for (Function &function : module)
    fuseProducts(function);
  markProductsFixed(module);
  return !staying.empty();
}

Error regrain::inlineStaying(Module &module, ArrayRef<Function *> kernels) {
  forceInlining(module, kernels);
  return runPipeline(module);
}

void regrain::prepareForImport(Module &module, ArrayRef<Function *> kernels) {
  // Source positions survive the round trip through MLIR; the locations of variables would not.
  stripNonLineTableDebugInfo(module);
  for (StringRef list : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *used = module.getNamedGlobal(list))
      used->eraseFromParent();
  dropUnreached(module, kernels);
  for (Function *kernel : kernels) {
    privatiseParameters(*kernel);
    takeLaunchWaits(*kernel);
  }
}
