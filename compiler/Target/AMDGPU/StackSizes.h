//===- StackSizes.h - Stack allocations of dynamic size ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM 19 cannot compile an alloca of non-constant size in AMD kernels, and in other functions it
// uses the size of one lane for all. If the maximum size is known and small, a thread gets that
// much; otherwise the kernel is refused.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Reach.h"
#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Gives each alloca of known maximum a constant size, and refuses each of `kernels` that reaches
/// another one; other functions that contain one lose their bodies. Legal for an
/// alloca that is in no cycle of the control flow, in which each iteration would need memory of its
/// own. Call this on optimised code, about which most is known.
void fixStackSizes(llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                   RefusedKernels &refused);

} // namespace regrain::amdgpu
