//===- Builtins.h - CUDA's built-ins on AMD GPUs ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates what a device module asks of NVIDIA's hardware to AMD's:
// - llvm.nvvm.a.b becomes the device library's nvvm_a_b, or plain instructions;
// - inline PTX that is known becomes calls or instructions;
// - atomic functions of CUDA and PTX get the scope that they have there, and are relaxed, as in
//   HIP; operations that the program orders itself keep their ordering and scope.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/AMDGPU/Chip.h"
#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Replaces NVVM intrinsics and inline PTX in a module that has been retargeted. What has no
/// counterpart is kept; Unavailable.h then finds the kernels that need it. ROCm's library allocates
/// memory from a heap that code objects of version 5 are given; with version 4, malloc and free are
/// kept.
void lowerBuiltins(llvm::Module &module, const Chip &chip, unsigned codeObjectVersion);

} // namespace regrain::amdgpu
