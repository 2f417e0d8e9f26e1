//===- AMDGPU.h - The back end for AMD GPUs ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "gfx90a" gives a code object that HIP's runtime loads. The way there:
//
//   Retarget        nvptx64 IR to amdgcn: kernels, address spaces, attributes
//   Builtins        NVVM intrinsics and inline PTX, with a warp of 32 lanes
//   DeviceLibrary   our own device functions, then OCML and OCKL of ROCm
//   CodeGenerator   clang's pipeline, machine code, resource figures
//   ld.lld          the code object; nothing may stay undefined
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Target.h"

namespace regrain {

/// What the modules are: LLVM IR as it goes to the code generator and assembly are
/// text for people and for tests.
enum class AMDGPUOutput { CodeObject, IR, Assembly };

struct AMDGPUOptions {
  /// Folder of ROCm's device libraries (ocml.bc); empty: the one that HIP_DEVICE_LIB_PATH
  /// names, else the first that has them below ROCM_PATH and of the usual ones.
  std::string deviceLibraries;
  AMDGPUOutput output = AMDGPUOutput::CodeObject;
};

/// Makes the target `name`: "gfx90a". An error that lists the known chips where it
/// is none, and one that says where was looked if there are no device libraries.
llvm::Expected<std::unique_ptr<Target>> createAMDGPUTarget(llvm::StringRef name,
                                                           const AMDGPUOptions &options = {});

} // namespace regrain
