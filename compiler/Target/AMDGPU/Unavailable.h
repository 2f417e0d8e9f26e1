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

/// Refuses each of `kernels` that reaches inline PTX, an intrinsic or a system call that is not
/// supported, with the line: in the kernel's own file if the path leads through it. Call this when
/// the built-ins are lowered and the library is linked.
void findUnavailable(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                     RefusedKernels &refused);

/// Refuses each of `kernels` that reaches a function of `causes`, for `refusal` with the place of
/// the instruction there.
void refuseReaching(
    const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
    const llvm::DenseMap<const llvm::GlobalValue *, const llvm::Instruction *> &causes,
    const Refusal &refusal, RefusedKernels &refused);

/// Returns " (app.cu:12)" for the code at `location`, preferably in the kernel's own file; empty if
/// that is not known. A refusal of this target has the place in its reason, because the reports
/// tell it at the kernel's definition like those of other targets.
std::string placeIn(const llvm::Function &kernel, const llvm::DILocation *location);

} // namespace regrain::amdgpu
