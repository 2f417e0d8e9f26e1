//===- AMDGPU.h - The back end for AMD GPUs ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target "gfx90a" produces a code object that HIP's runtime loads, in these steps:
//
//   Retarget        nvptx64 IR to amdgcn: kernels, address spaces, attributes
//   Builtins        NVVM intrinsics and inline PTX, with a warp of 32 lanes
//   DeviceLibrary   our own device functions, then OCML and OCKL of ROCm
//   CodeGenerator   clang's pipeline, machine code, resource figures
//   ld.lld          the code object; nothing may stay undefined
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/CodeStage.h"
#include "compiler/Target/Target.h"

namespace regrain {

class TargetFamily;

/// Returns the family of the targets that chips name, such as "gfx90a".
const TargetFamily &amdgpuFamily();

struct AMDGPUOptions {
  /// The folder of ROCm's device libraries (ocml.bc). If it is empty, it is the one that
  /// HIP_DEVICE_LIB_PATH names; otherwise the first folder that contains them, below ROCM_PATH or
  /// among the usual ones.
  std::string deviceLibraries;
  CodeForm form = CodeForm::Image; ///< of the modules
};

/// Creates the target `name`, such as "gfx90a". Fails with the list of known chips if the name is
/// none, and with the list of folders searched if there are no device libraries.
llvm::Expected<std::unique_ptr<Target>> createAMDGPUTarget(llvm::StringRef name,
                                                           const AMDGPUOptions &options = {});

} // namespace regrain
