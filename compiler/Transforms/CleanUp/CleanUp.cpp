//===- CleanUp.cpp - Fold, drop and merge ---------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Transforms/CleanUp/CleanUp.h"

#include "compiler/Simplify/Simplify.h"
#include "compiler/Transforms/CleanUp/SimplifyMultiples.h"
#include "compiler/Transforms/CleanUp/SimplifyRegions.h"

using namespace mlir;
using namespace regrain;

FrozenRewritePatternSet regrain::cleanUpPatterns(MLIRContext *context) {
  RewritePatternSet patterns(context);
  populateSimplifications(patterns);
  populateSimplifyMultiples(patterns);
  populateSimplifyRegions(patterns);
  return patterns;
}

LogicalResult regrain::cleanUp(grain::KernelOp kernel, const FrozenRewritePatternSet &patterns) {
  return simplify(kernel, patterns);
}
