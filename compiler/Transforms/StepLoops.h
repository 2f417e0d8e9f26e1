//===- StepLoops.h - Loops over the steps of a launched block ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace regrain {

/// Returns the loops of which each iteration is a block of the program (`stepsAttribute` of
/// CoarsenBlocks.h).
[[nodiscard]] llvm::SmallVector<mlir::scf::ForOp> loopsOverSteps(grain::KernelOp kernel);

/// Unrolls the loops of known length in which steps load elements, and simplifies the kernel then.
/// `patterns` are those of the clean-up.
[[nodiscard]] mlir::LogicalResult unrollInSteps(grain::KernelOp kernel,
                                                const mlir::FrozenRewritePatternSet &patterns);

} // namespace regrain
