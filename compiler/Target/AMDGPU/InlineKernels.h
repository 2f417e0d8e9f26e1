//===- InlineKernels.h - Kernels with all that they call --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads do to each other is spread over functions that are not inlined, and at -O0
// over variables in memory. An analysis sees it in one piece in a copy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// A copy in which kernels hold what they call, but for recursion, calls through pointers,
/// and what comes after some thousand calls, and in which variables are values. Functions
/// of ROCm's library stay calls, and those for which `stays` is true.
std::unique_ptr<llvm::Module> inlineKernels(
    const llvm::Module &module,
    llvm::function_ref<bool(const llvm::Function &)> stays = [](const llvm::Function &) {
      return false;
    });

} // namespace regrain::amdgpu
