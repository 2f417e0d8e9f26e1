//===- LockstepWaits.h - Waits that lanes of one wave never end -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes that have left a loop wait for those that are still in it, and the two sides of a branch
// run one after the other. So a loop hangs if it waits for what a lane of its own wave does after
// the loop or on another side of a branch; NVIDIA's hardware since Volta lets that lane make
// progress.
//
// Target/Waiting determines which loops may wait. A wait is assumed to hang if the kernel, with
// what it calls, writes what the loop reads after the loop or beside it, unless
// - the loop itself releases, in the same iteration, what it acquires by an exchange;
// - the same lane of a wave waits and writes (a comparison of the thread's or the lane's number
//   precedes both);
// - all threads of the block read one address, and none of them writes it: they wait for another
//   block's flag;
// - all threads of the block wait together and read one address.
//
// Two parameters that are not __restrict__ may point to the same memory: an atomic or volatile
// write through another pointer than the one that the loop reads through also counts as what it
// waits for.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/AMDGPU/Chip.h"
#include "compiler/Target/AMDGPU/ThreadValues.h"
#include "compiler/Target/Reach.h"
#include "llvm/IR/Module.h"

namespace regrain::amdgpu {

/// Refuses each of `kernels` that may hang in this way, with the loop's line, and adds to `single`
/// the dimensions on which the absence of other waits depends.
void findLockstepWaits(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                       const Chip &chip, SingleDimensions &single, RefusedKernels &refused);

} // namespace regrain::amdgpu
