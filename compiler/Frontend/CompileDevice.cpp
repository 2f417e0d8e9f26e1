//===- CompileDevice.cpp - The device side of a translation unit ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/DeviceIR/AlignVariables.h"
#include "compiler/DeviceIR/SharedTables.h"
#include "compiler/Frontend/AtomicScopes.h"
#include "compiler/Frontend/BodyErrors.h"
#include "compiler/Frontend/CarryOrder.h"
#include "compiler/Frontend/ConstTables.h"
#include "compiler/Frontend/DeviceFacts.h"
#include "compiler/Frontend/DeviceHeap.h"
#include "compiler/Frontend/DynamicSharedObjects.h"
#include "compiler/Frontend/ExtendedLambdas.h"
#include "compiler/Frontend/GridConstantRules.h"
#include "compiler/Frontend/GridConstants.h"
#include "compiler/Frontend/Invocation.h"
#include "compiler/Frontend/KernelQualifiers.h"
#include "compiler/Frontend/LargeConstants.h"
#include "compiler/Frontend/LaunchFacts.h"
#include "compiler/Frontend/ManagedVariables.h"
#include "compiler/Frontend/ModuleVariables.h"
#include "compiler/Frontend/NamedKernels.h"
#include "compiler/Frontend/OfferedVariants.h"
#include "compiler/Frontend/Restrict.h"
#include "compiler/Frontend/SharedObjects.h"
#include "compiler/Frontend/TextureReferences.h"
#include "compiler/Frontend/UninitialisedArguments.h"
#include "compiler/Frontend/Unsupported.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace regrain {
namespace {

/// Inline assembly may use anything of the newest PTX version that LLVM knows; the NVPTX target
/// chooses the version that is written.
constexpr const char *ptxFeature = "+ptx85";

/// Returns the newest architecture of clang 19 whose code the chip runs.
std::string clangArchitecture(Architecture arch) {
  constexpr unsigned newest = 90;
  if (arch.number > newest)
    return Architecture(newest).chip();
  return arch.number == 88 ? "sm_87" : arch.chip();
}

/// Defines what programs ask for an architecture, as nvcc 13 does; clang knows less.
void addArchitectureMacros(Architecture arch, std::vector<std::string> &flags) {
  std::string value = "=" + std::to_string(arch.number * 10);
  if (clangArchitecture(arch) != arch.chip())
    flags.insert(flags.end(), {"-U__CUDA_ARCH__", "-D__CUDA_ARCH__" + value});
  if (arch.features != Architecture::Common)
    flags.push_back("-D__CUDA_ARCH_FAMILY_SPECIFIC__" + value);
  if (arch.features != Architecture::OfChip)
    return;
  flags.push_back("-D__CUDA_ARCH_SPECIFIC__" + value);
  if (clangArchitecture(arch) != arch.chip())
    flags.push_back("-D__CUDA_ARCH_FEAT_SM" + std::to_string(arch.number) + "_ALL");
}

std::vector<std::string> deviceFlags(const FrontendOptions &options, Architecture arch) {
  std::vector<std::string> flags = commonFlags(options);
  flags.insert(flags.end(),
               {"--cuda-device-only", "-c", "-emit-llvm",
                // Files keep the names that the user wrote.
                "-fdebug-compilation-dir=.", "--cuda-gpu-arch=" + clangArchitecture(arch)});
  addArchitectureMacros(arch, flags);
  // A kernel keeps its identity when it is debugged, so its IR is the same.
  // Programs read memory as another type, which nvcc's code and that of other compilers allow.
  flags.insert(flags.end(),
               {"-O3", "-fno-strict-aliasing", options.debug ? "-g" : "-gline-tables-only"});
  if (options.debug)
    flags.push_back("--cuda-noopt-device-debug"); // otherwise clang reduces -g
  if (options.fastMath)
    flags.push_back("-fgpu-flush-denormals-to-zero");
  if (options.offersVariants)
    flags.push_back("-DREGRAIN_OFFERS_VARIANTS");
  flags.insert(flags.end(), options.deviceArgs.begin(), options.deviceArgs.end());
  flags.insert(flags.end(), {"-o", "-", options.source});
  return flags;
}

using Launches = std::map<std::string, std::vector<SeenLaunch>>;

/// What the syntax tree says of kernels.
struct TreeFacts {
  bool wantsNamed = false;
  Launches launches;
  std::set<std::string> named; ///< findNamedKernels, if they are wanted
};

/// Reads these facts before code is generated from the same syntax tree.
class TreeReader : public clang::ASTConsumer {
public:
  TreeReader(const clang::CodeGenAction &action, TreeFacts &facts, BodyErrors &errors)
      : action(action), facts(facts), errors(errors) {}

  void HandleTranslationUnit(clang::ASTContext &context) override {
    errors.reportInstantiated(context);
    checkGridConstants(context);
    if (context.getDiagnostics().hasErrorOccurred())
      return;
    auto symbolOf = [&](const clang::FunctionDecl &kernel) {
      return action.getCodeGenerator()
          ->GetMangledName(clang::GlobalDecl(&kernel, clang::KernelReferenceKind::Kernel))
          .str();
    };
    facts.launches = findLaunches(context, symbolOf);
    if (facts.wantsNamed)
      facts.named = findNamedKernels(context, symbolOf);
  }

private:
  const clang::CodeGenAction &action;
  TreeFacts &facts;
  BodyErrors &errors;
};

class DeviceAction : public clang::EmitLLVMOnlyAction {
public:
  DeviceAction(llvm::LLVMContext *context, const FrontendOptions &options, BodyErrors &errors)
      : EmitLLVMOnlyAction(context), errors(errors), isModule(options.isModule) {
    facts.wantsNamed = options.offersVariants;
  }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &instance,
                                                        llvm::StringRef file) override {
    std::unique_ptr<clang::ASTConsumer> generator =
        EmitLLVMOnlyAction::CreateASTConsumer(instance, file);
    if (!generator)
      return nullptr;
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<TreeReader>(*this, facts, errors));
    consumers.push_back(markExtendedLambdas());
    if (isModule)
      consumers.push_back(keepStaticVariables());
    consumers.push_back(leaveConstTablesInGlobalMemory());
    consumers.push_back(std::move(generator));
    return placeSharedObjects(instance, std::move(consumers));
  }

  TreeFacts facts;

private:
  BodyErrors &errors;
  bool isModule;
};

/// Removes the array by which clang keeps what the host side names in a device link of its own. It
/// would be a variable of the program with the addresses of kernels.
void dropUsedExternals(llvm::Module &module) {
  llvm::GlobalVariable *used = module.getGlobalVariable("__clang_gpu_used_external", true);
  if (!used)
    return;
  llvm::removeFromUsedLists(module, [&](llvm::Constant *value) { return value == used; });
  used->eraseFromParent();
}

/// Gives a static variable one name. clang appends the name of the translation unit to one that the
/// host side names, but only after it has seen that: earlier uses have the plain name.
void joinStaticVariables(llvm::Module &module) {
  llvm::SmallVector<llvm::GlobalVariable *> joined;
  for (llvm::GlobalVariable &variable : module.globals()) {
    auto [name, unit] = variable.getName().split("__static__");
    llvm::GlobalVariable *plain = unit.empty() ? nullptr : module.getGlobalVariable(name);
    if (!plain || !plain->isDeclaration())
      continue;
    plain->replaceAllUsesWith(&variable);
    joined.push_back(plain);
  }
  for (llvm::GlobalVariable *plain : joined)
    plain->eraseFromParent();
}

/// Returns why `undefined` cannot be used, or nothing for relocatable device code, in which the
/// device link decides.
UndefinedReason reasonAgainstUndefined(const FrontendOptions &options) {
  if (!options.unit.empty())
    return [](const llvm::GlobalValue &) { return std::nullopt; };
  return [](const llvm::GlobalValue &undefined) {
    return describeUndefined(undefined) +
           " is not defined in this translation unit; -rdc=true takes it from another one";
  };
}

/// Defines the objects blockIdx, threadIdx, ..., which the header only declares. They are empty;
/// passing one as a whole takes only its address.
void defineCoordinateObjects(llvm::Module &module) {
  for (llvm::GlobalVariable &variable : module.globals()) {
    auto *type = llvm::dyn_cast<llvm::StructType>(variable.getValueType());
    if (!variable.isDeclaration() || !type || !type->hasName() ||
        !type->getName().starts_with("struct.__cuda_builtin_"))
      continue;
    variable.removeDeadConstantUsers();
    if (variable.use_empty())
      continue;
    variable.setInitializer(llvm::Constant::getNullValue(type));
    variable.setLinkage(llvm::GlobalValue::InternalLinkage);
    variable.setConstant(true);
  }
}

/// Finds the kernels and variables of the module, and writes down there what later stages need to
/// know. Returns whether something in it is wrong, which is printed.
bool prepareModule(DeviceCode &code, const FrontendOptions &options) {
  llvm::Module &module = *code.module;
  joinStaticVariables(module);
  if (options.isModule) {
    showStaticVariables(module);
    dropReferences(module);
  }
  dropDynamicSharedSizes(module);
  markManagedVariables(module);
  bool isWrong = applyKernelQualifiers(module);
  keepGridConstants(module);
  storeTextureReferences(module);
  storeSharedTables(module);
  moveLargeConstants(module, /*isRelocatable=*/!options.unit.empty());
  alignVariables(module);
  code.kernels = findKernels(module);
  code.variables = findVariables(module);
  dropUsedExternals(module);
  defineCoordinateObjects(module);
  markDeviceAtomics(module);
  orderCarries(module);
  keepAllocations(module);
  allowUninitialisedArguments(module, code.kernels);
  return isWrong;
}

} // namespace

llvm::Expected<DeviceCode> compileDevice(const FrontendOptions &options, Architecture arch) {
  std::unique_ptr<clang::CompilerInstance> instance =
      makeInstance(deviceFlags(options, arch), options);
  if (!instance)
    return llvm::make_error<Diagnosed>();
  clang::CompilerInvocation &invocation = instance->getInvocation();
  invocation.getCodeGenOpts().DisableLLVMPasses = true;
  invocation.getTargetOpts().FeaturesAsWritten.push_back(ptxFeature);

  DeviceCode code;
  code.context = std::make_unique<llvm::LLVMContext>();
  BodyErrors bodyErrors(*instance);
  DeviceAction action(code.context.get(), options, bodyErrors);
  if (llvm::Error error = execute(*instance, action))
    return std::move(error);
  code.module = action.takeModule();
  if (!code.module)
    return llvm::make_error<Diagnosed>();
  if (options.unit.empty()) {
    auto variants = takeVariants(*code.module);
    if (!variants)
      return llvm::make_error<Diagnosed>();
    code.variants = std::move(*variants);
  }
  bool isWrong = prepareModule(code, options);
  for (DeviceKernel &kernel : code.kernels)
    if (auto launches = action.facts.launches.extract(kernel.symbol))
      kernel.launches = std::move(launches.mapped());
  fixClusters(code);
  if (isWrong || reportWrongVariants(code) ||
      reportUnsupported(*code.module, code.kernels, reasonAgainstUndefined(options)))
    return llvm::make_error<Diagnosed>();
  if (options.unit.empty()) {
    keepRestrictToOneThread(*code.module);
    setApartOffered(code, action.facts.named);
  } else {
    code.launchesElsewhere = std::move(action.facts.launches);
  }
  return code;
}

} // namespace regrain
