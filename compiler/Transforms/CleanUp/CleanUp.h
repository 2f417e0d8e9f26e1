//===- CleanUp.h - Fold, drop and merge -------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace regrain {

/// Returns the rewrites of cleanUp. To make them takes longer than to clean up a small kernel, so
/// callers keep them.
mlir::FrozenRewritePatternSet cleanUpPatterns(mlir::MLIRContext *context);

/// Folds constants, removes what is unused and merges what is computed twice. Loops and regions
/// that carry loop hints keep their form.
llvm::LogicalResult cleanUp(grain::KernelOp kernel, const mlir::FrozenRewritePatternSet &patterns);

} // namespace regrain
