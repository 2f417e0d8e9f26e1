//===- InlineKernels.h - Kernels with all that they call --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interaction of threads is spread over functions that are not inlined, and at -O0 over
// variables in memory. In a copy in which everything is inlined, an analysis sees it as a whole.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Returns a copy in which kernels contain what they call and variables are values. Recursive
/// calls, calls through pointers, and all calls after some thousand are kept, and so are functions
/// of ROCm's library and those for which `stays` returns true.
std::unique_ptr<llvm::Module> inlineKernels(
    const llvm::Module &module,
    llvm::function_ref<bool(const llvm::Function &)> stays = [](const llvm::Function &) {
      return false;
    });

} // namespace regrain::amdgpu
