//===- WaveMeetings.h - Lanes that meet at different places -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On an NVIDIA GPU the lanes that a mask names may be at different places of the code when they
// shuffle or vote. The lanes of a wave are at one place only, so lanes at another place would not
// take part. This may happen if the lanes diverge at a branch, and the next operation of one kind
// on one side is not the next one on another side, or not in the same iteration of a loop, without
// a barrier of the block before it. Masks that are not shown to name different lanes are assumed to
// name lanes of both sides.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/AMDGPU/ThreadValues.h"
#include "compiler/Target/Reach.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace regrain::amdgpu {

/// Refuses each of `kernels` whose lanes may meet in this way, with the operation's line, and adds
/// to `single` the dimensions on which the absence of others depends. Call this while calls of
/// the device library's functions still exist.
void findWaveMeetings(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                      llvm::TargetMachine &machine, SingleDimensions &single,
                      RefusedKernels &refused);

} // namespace regrain::amdgpu
