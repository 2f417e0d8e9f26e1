//===- SimplifyRegions.h - Rewrites of loops and regions --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's sets for scf.for and scf.execute_region are not used. They replace a loop that runs once
// by its body, which would give its hint to the loop around it, and they replace a region of
// several blocks, which is the form of unstructured control, by branches in the region around it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace regrain {

/// Adds rewrites that take needless values out of an scf.for, and replace an scf.execute_region of
/// one block by its operations.
void populateSimplifyRegions(mlir::RewritePatternSet &patterns);

} // namespace regrain
