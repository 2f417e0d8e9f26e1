//===- SplitBarriers.h - Warps of one wave at two barriers ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On an NVIDIA GPU two warps of a block may meet at different barriers with the same number, one in
// each branch of an if. If a wave contains both warps, it runs the branches one after the other and
// arrives twice, so the threads of the block lose step. CUDA's guide forbids such code
// ("Synchronization Functions"), but NVIDIA's hardware allows it. A barrier in only one branch is
// not refused, because threads that have exited do not count.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/AMDGPU/Chip.h"
#include "compiler/Target/Reach.h"
#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Refuses each of `kernels` in which a branch that threads of the block may decide differently has
/// barriers on both sides, if a wave contains more than one warp. Examines kernels with everything
/// that they call.
void findSplitBarriers(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                       const Chip &chip, RefusedKernels &refused);

} // namespace regrain::amdgpu
