//===- Simplify.h - Rewrites that keep the form of control ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The import and the clean-up of the transforms simplify grain IR by the same rewrites. They are
// chosen here op by op, so that a rewrite that MLIR applies to other programs is applied only if it
// is right for kernels.
//
// MLIR's set for scf.if is not used, because it joins nested conditions:
//
//   scf.if %outer {             %both = arith.andi %outer, %inner
//     scf.if %inner {...}  =>   scf.if %both {...}
//   }
//
// The inner condition may be poison if the outer one does not hold, and then the conjunction would
// be poison, too.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace regrain {

/// Adds MLIR's rewrites of arith, cf, scf.while and scf.index_switch, and those of
/// populateSimplifyIf. None of them changes whether code stands in a loop, or in which one.
void populateSimplifications(mlir::RewritePatternSet &patterns);

/// Adds the rewrites of scf.if. A condition that is known decides the if, and is known inside of
/// it. Neighbours with one condition are joined. An if yields only what is used and is computed in
/// it; other values are selected in front of it.
void populateSimplifyIf(mlir::RewritePatternSet &patterns);

/// Folds, applies `rewrites` until nothing changes, and merges what is computed twice. It is an
/// error if the rewrites do not come to an end.
llvm::LogicalResult simplify(mlir::Operation *root, const mlir::FrozenRewritePatternSet &rewrites,
                             const mlir::GreedyRewriteConfig &config = {});

/// Replaces `op` by the operations of `block`, which is in a region of `op` and ends in the results
/// of `op`. Its arguments become `arguments`.
void replaceByBlock(mlir::PatternRewriter &rewriter, mlir::Operation *op, mlir::Block &block,
                    mlir::ValueRange arguments = {});

} // namespace regrain
