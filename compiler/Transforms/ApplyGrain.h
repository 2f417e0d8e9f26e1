//===- ApplyGrain.h - A kernel at another grain -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Transforms/GrainPipeline.h"
#include "compiler/Transforms/Refusal.h"
#include "llvm/ADT/SmallVector.h"

namespace regrain {

/// Runs the passes of GrainPipeline.h on `kernel`, which has one nest. If a pass is refused, the
/// kernel is unchanged and the refusal is appended to `refusals`, if given. Several threads may
/// call this at once for kernels of different modules.
llvm::LogicalResult applyGrain(grain::KernelOp kernel, const Grain &grain, GrainPart part,
                               llvm::SmallVectorImpl<Refusal> *refusals);

} // namespace regrain
