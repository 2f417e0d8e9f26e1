//===- Unavailable.h - Undefined symbols of AMD GPUs ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Reach.h"
#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Adds each of `kernels` that reaches inline PTX, an intrinsic or a system call that is not
/// supported, with the line: in the kernel's own file if the path leads through it. Call this when
/// the built-ins are lowered and the library is linked.
void findUnavailable(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                     MissingReasons &missing);

/// Returns the innermost of the calls inlined at `location` that is in the kernel's own file, else
/// `location` itself.
const llvm::DILocation *placeIn(const llvm::Function &kernel, const llvm::DILocation *location);

/// Adds each of `kernels` that reaches a function of `obstacles`, with `reason` and the place of
/// the instruction there.
void refuseReaching(
    const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
    const llvm::DenseMap<const llvm::GlobalValue *, const llvm::Instruction *> &obstacles,
    RefusalKind kind, llvm::StringRef reason, MissingReasons &missing);

/// Returns " (app.cu:12)" for the code at `location`; empty if that is not known.
std::string placeOf(const llvm::DILocation *location);

} // namespace regrain::amdgpu
