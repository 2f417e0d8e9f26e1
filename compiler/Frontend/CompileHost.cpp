//===- CompileHost.cpp - The host side of a translation unit --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/BodyErrors.h"
#include "compiler/Frontend/ExtendedLambdas.h"
#include "compiler/Frontend/FoldLongDouble.h"
#include "compiler/Frontend/ImageWrapper.h"
#include "compiler/Frontend/Invocation.h"
#include "compiler/Frontend/ManagedVariables.h"
#include "compiler/Frontend/OwnSymbols.h"
#include "compiler/Frontend/SharedObjects.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/Utils.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

namespace regrain {
namespace {

/// Returns the flags of the host side. `mode` is -c, or -E if hostArgs do not ask for preprocessing
/// already.
std::vector<std::string> hostFlags(const FrontendOptions &options, const char *mode,
                                   llvm::StringRef output) {
  std::vector<std::string> flags = commonFlags(options);
  flags.insert(flags.end(), {"--cuda-host-only", mode});
  flags.insert(flags.end(), options.hostArgs.begin(), options.hostArgs.end());
  flags.insert(flags.end(), {"-o", output.str(), options.source});
  return flags;
}

/// Writes make rules as clang does, but without our headers, which count as system headers although
/// they must come first on the path. A file that cannot be written in full is removed.
class RuleWriter : public clang::DependencyFileGenerator {
public:
  RuleWriter(const clang::DependencyOutputOptions &rules, llvm::StringRef headers)
      : DependencyFileGenerator(rules), headers(headers), file(rules.OutputFile),
        acceptsMissing(rules.AddMissingHeaderDeps) {}

  void maybeAddDependency(llvm::StringRef file, bool fromModule, bool isSystem, bool isModuleFile,
                          bool isMissing) override {
    misses |= isMissing && !acceptsMissing;
    bool isOurs = file.starts_with(headers);
    DependencyFileGenerator::maybeAddDependency(file, fromModule, isSystem || isOurs, isModuleFile,
                                                isMissing);
  }

  void finishedMainFile(clang::DiagnosticsEngine &diagnostics) override {
    if (misses) { // which has been reported, and the rule would lack it
      llvm::sys::fs::remove(file);
      return;
    }
    if (std::error_code code = write())
      diagnostics.Report(
          diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "cannot write '%0': %1"))
          << file << code.message();
  }

private:
  std::error_code write() {
    std::error_code code;
    llvm::raw_fd_ostream out(file, code, llvm::sys::fs::OF_TextWithCRLF);
    if (code)
      return code;
    outputDependencyFile(out);
    out.close();
    if (!out.has_error())
      return code;
    code = out.error();
    out.clear_error();
    if (out.isRegularFile())
      llvm::sys::fs::remove(file);
    return code;
  }

  std::string headers, file;
  bool acceptsMissing;
  bool misses = false; ///< a header
};

/// Rewrites host code before LLVM's passes, at every level of optimisation.
class HostRewritesPass : public llvm::PassInfoMixin<HostRewritesPass> {
public:
  explicit HostRewritesPass(unsigned cudaVersion) : cudaVersion(cudaVersion) {}

  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    reachManagedVariables(module);
    useOwnSymbols(module);
    nameRelease(module);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; } // also without optimisation

private:
  void nameRelease(llvm::Module &module) const {
    llvm::GlobalVariable *wrapper =
        module.getGlobalVariable("__cuda_fatbin_wrapper", /*AllowInternal=*/true);
    if (wrapper && wrapper->hasInitializer())
      setCudaVersion(*wrapper, cudaVersion);
  }

  unsigned cudaVersion;
};

void addPasses(llvm::PassBuilder &builder, unsigned cudaVersion) {
  builder.registerPipelineStartEPCallback(
      [cudaVersion](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(HostRewritesPass(cudaVersion));
      });
  builder.registerPeepholeEPCallback(
      [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(FoldLongDouble());
      });
}

/// Gives the module the name of its translation unit. clang derives the name of the function that
/// registers relocatable device code from it, which must differ between objects.
class UnitNamer : public clang::ASTConsumer {
public:
  UnitNamer(const clang::CodeGenAction &action, llvm::StringRef unit)
      : action(action), unit(unit) {}

  void HandleTranslationUnit(clang::ASTContext &context) override {
    action.getCodeGenerator()->GetModule()->setSourceFileName(unit);
  }

private:
  const clang::CodeGenAction &action;
  std::string unit;
};

class HostAction : public clang::EmitObjAction {
public:
  explicit HostAction(llvm::StringRef unit) : unit(unit) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &instance,
                                                        llvm::StringRef file) override {
    std::unique_ptr<clang::ASTConsumer> generator =
        EmitObjAction::CreateASTConsumer(instance, file);
    if (!generator)
      return nullptr;
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    if (!unit.empty())
      consumers.push_back(std::make_unique<UnitNamer>(*this, unit));
    consumers.push_back(markExtendedLambdas());
    consumers.push_back(std::move(generator));
    return placeSharedObjects(instance, std::move(consumers));
  }

private:
  std::string unit;
};

std::unique_ptr<clang::CompilerInstance>
makeHostInstance(const FrontendOptions &options, const char *mode, llvm::StringRef output) {
  std::unique_ptr<clang::CompilerInstance> instance =
      makeInstance(hostFlags(options, mode, output), options);
  if (!instance)
    return nullptr;
  clang::DependencyOutputOptions &rules = instance->getDependencyOutputOpts();
  if (!rules.OutputFile.empty()) {
    instance->addDependencyCollector(std::make_shared<RuleWriter>(rules, options.headers));
    rules.OutputFile.clear();
  }
  return instance;
}

} // namespace

std::vector<std::string> hostCommand(const FrontendOptions &options, llvm::StringRef output) {
  std::vector<std::string> command = hostFlags(options, "-c", output.empty() ? "a.o" : output);
  command.insert(command.end() - 1,
                 {"-Xclang", "-target-sdk-version=" + clangsRelease.getAsString()});
  return command;
}

llvm::Error compileHost(const FrontendOptions &options, llvm::StringRef imagePath,
                        llvm::StringRef output) {
  std::unique_ptr<clang::CompilerInstance> instance = makeHostInstance(options, "-c", output);
  if (!instance)
    return llvm::make_error<Diagnosed>();
  clang::CodeGenOptions &generation = instance->getInvocation().getCodeGenOpts();
  generation.CudaGpuBinaryFileName = imagePath.str();
  generation.PassBuilderCallbacks.push_back(
      [version = options.cudaVersion](llvm::PassBuilder &builder) { addPasses(builder, version); });
  BodyErrors bodyErrors(*instance);
  HostAction action(options.unit);
  return execute(*instance, action);
}

llvm::Error preprocess(const FrontendOptions &options, llvm::StringRef output) {
  std::unique_ptr<clang::CompilerInstance> instance = makeHostInstance(options, "-E", output);
  if (!instance)
    return llvm::make_error<Diagnosed>();
  // The preprocessor's listener writes the rules if only dependencies are asked for.
  if (instance->getFrontendOpts().ProgramAction == clang::frontend::RunPreprocessorOnly) {
    clang::PreprocessOnlyAction action;
    return execute(*instance, action);
  }
  clang::PrintPreprocessedAction action;
  return execute(*instance, action);
}

} // namespace regrain
