//===- ApplyGrain.h - A kernel at another grain -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "compiler/Transforms/GrainPipeline.h"
#include "compiler/Transforms/RefusablePass.h"

namespace regrain {

/// Runs the passes of GrainPipeline.h on `kernel`, which has one nest. Returns the step that is
/// refused, if any; then the kernel is unchanged. Several threads may call this at once for kernels
/// of different modules. The passes are timed in `timing` if it is given.
[[nodiscard]] std::optional<RefusedStep> applyGrain(grain::KernelOp kernel, const Grain &grain,
                                                    GrainPart part,
                                                    mlir::TimingScope *timing = nullptr);

} // namespace regrain
