//===- Builtins.h - CUDA's built-ins on AMD GPUs ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device module asks of NVIDIA's machine, asked of AMD's:
//   - llvm.nvvm.a.b becomes the device library's nvvm_a_b, or plain instructions;
//   - inline PTX of a known set becomes calls or instructions;
//   - atomics get the scope that CUDA gives them: the device, unless they say
//     otherwise. Their order stays as it is.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Replaces NVVM intrinsics and inline PTX in a module that has been retargeted.
/// What has no counterpart stays: Unavailable.h then finds the kernels that need it.
void lowerBuiltins(llvm::Module &module);

} // namespace regrain::amdgpu
