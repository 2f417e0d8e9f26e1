//===- StackSizes.h - Stack memory of a size known when run -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM 19 has no code for alloca in AMD kernels where the size is not constant, and in
// other functions takes the size of one lane for all. Where the most that is asked for is
// known and small, a thread gets as much; else the kernel is refused.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Reach.h"
#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Gives each alloca of a known limit constant size, and adds each of `kernels` that
/// reaches another one; other functions that hold one lose their bodies. Legal where no cycle of
/// the control flow holds the alloca: each turn would have memory of its own. Runs on optimised
/// code, which knows most.
void fixStackSizes(llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                   MissingReasons &missing);

} // namespace regrain::amdgpu
