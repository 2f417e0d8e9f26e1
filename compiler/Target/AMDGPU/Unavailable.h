//===- Unavailable.h - What AMD GPUs cannot supply --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Reach.h"
#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Adds each of `kernels` that reaches inline PTX, an intrinsic or a system call for
/// which there is nothing, with the line: in the kernel's own file where the way
/// there leads through it. Runs when the built-ins are lowered and the library is
/// linked.
void findUnavailable(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                     MissingReasons &missing);

/// The innermost of the calls that were inlined at `location` which stands in the
/// kernel's own file, else `location` itself.
const llvm::DILocation *placeIn(const llvm::Function &kernel, const llvm::DILocation *location);

/// Adds each of `kernels` that reaches a function of `obstacles`, with `reason` and the place
/// of the instruction there.
void refuseReaching(
    const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
    const llvm::DenseMap<const llvm::GlobalValue *, const llvm::Instruction *> &obstacles,
    RefusalKind kind, llvm::StringRef reason, MissingReasons &missing);

/// " (app.cu:12)" for the code at `location`, empty where that is not known.
std::string placeOf(const llvm::DILocation *location);

} // namespace regrain::amdgpu
