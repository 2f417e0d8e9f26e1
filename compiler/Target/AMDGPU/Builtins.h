//===- Builtins.h - CUDA's built-ins on AMD ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/AMDGPU/Chip.h"
#include "compiler/Target/Reach.h"
#include "llvm/Support/Error.h"

namespace regrain::amdgpu {

/// Replaces NVVM intrinsics and inline PTX in a module that is retargeted. `missing`
/// receives each kernel that reaches something that cannot be had.
llvm::Error lowerBuiltins(llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                          const Chip &chip, unsigned codeObjectVersion, MissingReasons &missing);

} // namespace regrain::amdgpu
