//===- LockstepWaits.h - Waits that lanes of one wave never end -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes that have left a loop wait for those that are still in it, and of the two
// sides of a branch one runs first. So a loop hangs that waits for what a lane of
// its own wave does after the loop or on another side of a branch; NVIDIA's
// machines since Volta let that lane go on.
//
// Which loops may wait is for Target/Waiting to say. A wait is taken to hang where the
// kernel, with what it calls, writes what the loop reads after the loop or beside it, but
// where
//   - the loop gives back itself, in the round in which it has taken it, what it
//     takes by exchange;
//   - one and the same lane of a wave waits and writes (a comparison of the thread's
//     number, or of the lane's, stands in front of both);
//   - all threads of the block read one address, and none of them writes that:
//     another block's flag is waited for;
//   - all threads of the block wait together and read one address.
// Two parameters, neither of them __restrict__, may point to the same memory: an atomic or
// volatile write through another than the loop reads by is taken for what it waits for, too.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/AMDGPU/Chip.h"
#include "compiler/Target/AMDGPU/ThreadValues.h"
#include "compiler/Target/Reach.h"
#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Adds each of `kernels` that may hang so, with the loop's line; and to `single` what the others
/// rest on.
void findLockstepWaits(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                       const Chip &chip, SingleDimensions &single, MissingReasons &missing);

} // namespace regrain::amdgpu
