//===- Builtins.h - CUDA's built-ins on AMD GPUs ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device module asks of NVIDIA's machine, asked of AMD's:
//   - llvm.nvvm.a.b becomes the device library's nvvm_a_b, or plain instructions;
//   - inline PTX of a known set becomes calls or instructions;
//   - CUDA's atomic functions and PTX's get the scope that they have there, and are
//     relaxed, as in HIP; what the program orders itself keeps order and scope.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Replaces NVVM intrinsics and inline PTX in a module that has been retargeted.
/// What has no counterpart stays: Unavailable.h then finds the kernels that need it.
/// Memory is allocated by ROCm's library, from a heap that code objects of version 5
/// are told of; with version 4 malloc and free stay.
void lowerBuiltins(llvm::Module &module, unsigned codeObjectVersion);

} // namespace regrain::amdgpu
