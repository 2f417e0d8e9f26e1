//===- Intrinsics.h - LLVM's intrinsics for AMD GPUs ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Target/Waiting/Machine.h"

namespace regrain::amdgpu {

/// Returns the meaning of the intrinsics for the analyses of waiting.
const waiting::Machine &intrinsics();

/// Returns whether all threads of the block meet at `inst`.
bool isBarrier(const llvm::Instruction &inst);

} // namespace regrain::amdgpu
