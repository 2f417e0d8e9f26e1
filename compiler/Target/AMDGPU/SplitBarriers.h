//===- SplitBarriers.h - Warps of one wave at two barriers ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On an NVIDIA GPU two warps of a block may meet at different barriers of the same
// number, one in each branch of an if. Where a wave holds both warps it runs one branch
// after the other and arrives twice, and the block falls apart. CUDA's guide does not allow
// it ("Synchronization Functions"), its hardware does. A barrier in one branch alone is not
// refused: threads that have ended do not count.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/AMDGPU/Chip.h"
#include "compiler/Target/Reach.h"
#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Adds each of `kernels` in which a branch that threads of the block may decide differently has
/// barriers on both sides, where a wave holds more than one warp. Looks at
/// kernels with all that they call.
void findSplitBarriers(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                       const Chip &chip, MissingReasons &missing);

} // namespace regrain::amdgpu
