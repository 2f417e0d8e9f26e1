//===- CompileHost.cpp - The host side of a translation unit --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Invocation.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"

namespace regrain {
namespace {

/// `mode` is -c, or -E where hostArgs do not already ask for preprocessing.
std::vector<std::string> hostFlags(const FrontendOptions &options, const char *mode,
                                   llvm::StringRef output) {
  std::vector<std::string> flags = commonFlags(options);
  flags.insert(flags.end(), {"--cuda-host-only", mode});
  flags.insert(flags.end(), options.hostArgs.begin(), options.hostArgs.end());
  flags.insert(flags.end(), {"-o", output.str(), options.source});
  return flags;
}

} // namespace

llvm::Error compileHost(const FrontendOptions &options, llvm::StringRef imagePath,
                        llvm::StringRef output) {
  std::unique_ptr<clang::CompilerInstance> instance =
      makeInstance(hostFlags(options, "-c", output));
  if (!instance)
    return llvm::make_error<Diagnosed>();
  instance->getInvocation().getCodeGenOpts().CudaGpuBinaryFileName = imagePath.str();
  clang::EmitObjAction action;
  return execute(*instance, action);
}

llvm::Error preprocess(const FrontendOptions &options, llvm::StringRef output) {
  std::unique_ptr<clang::CompilerInstance> instance =
      makeInstance(hostFlags(options, "-E", output));
  if (!instance)
    return llvm::make_error<Diagnosed>();
  // Dependencies alone are written by the preprocessor's listener.
  if (instance->getFrontendOpts().ProgramAction == clang::frontend::RunPreprocessorOnly) {
    clang::PreprocessOnlyAction action;
    return execute(*instance, action);
  }
  clang::PrintPreprocessedAction action;
  return execute(*instance, action);
}

} // namespace regrain
