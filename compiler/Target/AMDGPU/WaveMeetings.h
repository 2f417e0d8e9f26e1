//===- WaveMeetings.h - Lanes that meet at different places -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes that a mask names may stand at different places of the code when they
// shuffle or vote on an NVIDIA GPU. The lanes of a wave are at one place only, so that
// those at another would not be heard. They may meet so where the lanes part at a branch
// and the next operation of one kind on one way is not the next one on another, or not in the
// same round of a loop, with no barrier of the block before it. Masks that are not shown to be
// different lanes are taken to name lanes of both sides.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/AMDGPU/ThreadValues.h"
#include "compiler/Target/Reach.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace regrain::amdgpu {

/// Adds each of `kernels` whose lanes may meet so, with the operation's line; and to `single` what
/// the others rest on. To be asked while calls of the device library's functions stand.
void findWaveMeetings(const llvm::Module &module, llvm::ArrayRef<std::string> kernels,
                      llvm::TargetMachine &machine, SingleDimensions &single,
                      MissingReasons &missing);

} // namespace regrain::amdgpu
