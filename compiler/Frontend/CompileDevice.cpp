//===- CompileDevice.cpp - The device side of a translation unit ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/DeviceFacts.h"
#include "compiler/Frontend/Invocation.h"
#include "compiler/Frontend/Unsupported.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInvocation.h"

namespace regrain {
namespace {

/// Inline assembly may name anything of the newest PTX that LLVM knows; which
/// version is written out is the NVPTX target's choice.
constexpr const char *ptxFeature = "+ptx85";

std::vector<std::string> deviceFlags(const FrontendOptions &options, unsigned arch) {
  std::vector<std::string> flags = commonFlags(options);
  flags.insert(flags.end(),
               {"--cuda-device-only", "-c", "-emit-llvm", "-O3", "-gline-tables-only",
                // Files keep the names that the user gave them.
                "-fdebug-compilation-dir=.", "--cuda-gpu-arch=sm_" + std::to_string(arch)});
  if (options.fastMath)
    flags.push_back("-fgpu-flush-denormals-to-zero");
  flags.insert(flags.end(), options.deviceArgs.begin(), options.deviceArgs.end());
  flags.insert(flags.end(), {"-o", "-", options.source});
  return flags;
}

} // namespace

llvm::Expected<DeviceCode> compileDevice(const FrontendOptions &options, unsigned arch) {
  std::unique_ptr<clang::CompilerInstance> instance =
      makeInstance(deviceFlags(options, arch), options.tool);
  if (!instance)
    return llvm::make_error<Diagnosed>();
  clang::CompilerInvocation &invocation = instance->getInvocation();
  invocation.getCodeGenOpts().DisableLLVMPasses = true;
  invocation.getTargetOpts().FeaturesAsWritten.push_back(ptxFeature);

  DeviceCode code;
  code.context = std::make_unique<llvm::LLVMContext>();
  clang::EmitLLVMOnlyAction action(code.context.get());
  if (llvm::Error error = execute(*instance, action))
    return std::move(error);
  code.module = action.takeModule();
  if (!code.module)
    return llvm::make_error<Diagnosed>();
  code.kernels = findKernels(*code.module);
  code.variables = findVariables(*code.module);
  if (reportUnsupported(*code.module, code.kernels))
    return llvm::make_error<Diagnosed>();
  return code;
}

} // namespace regrain
