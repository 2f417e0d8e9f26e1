//===- UniteShared.h - One variable of shared memory per kernel -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include <string>

namespace regrain::nvptx {

/// Aligns the static shared variables that are at least as large as the widest access for such an
/// access, so that neighbouring accesses of one thread can become one. Nothing is changed if one of
/// `kernels` then had more than `most` bytes of shared memory.
void alignShared(llvm::Module &module, llvm::ArrayRef<std::string> kernels, uint64_t most);

/// Aligns dynamic shared memory for the widest access, as nvcc does: it begins behind the static
/// shared variables of a kernel.
void alignDynamicShared(llvm::Module &module);

/// Returns whether a shared variable is aligned to more than its type.
bool hasAlignedShared(const llvm::Module &module);

/// Puts the static shared variables of each kernel side by side into one variable. Then the same
/// place in several of them, which joined blocks access together, is one register with different
/// constants. Variables that other functions use are kept. Call this on optimised code, because
/// separate variables are easier to tell apart.
void uniteShared(llvm::Module &module, llvm::ArrayRef<std::string> kernels);

} // namespace regrain::nvptx
