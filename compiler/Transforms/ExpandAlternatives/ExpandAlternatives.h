//===- ExpandAlternatives.h - One kernel at several grains ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/RefusablePass.h"
#include "llvm/ADT/SmallVector.h"

namespace regrain {

/// Turns the nest of `kernel` into `grain.alternatives`: the original, then one region for each
/// legal grain, named by its canonical SPEC. A grain that is refused is left out, and the step is
/// appended to `refused`; a grain that occurs twice is used once. Fails with an error if the kernel
/// has alternatives already.
llvm::LogicalResult expandAlternatives(grain::KernelOp kernel, llvm::ArrayRef<Grain> grains,
                                       llvm::SmallVectorImpl<RefusedStep> &refused);

} // namespace regrain
