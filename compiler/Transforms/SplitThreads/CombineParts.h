//===- CombineParts.h - What lanes make of their parts ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/SplitThreads/DealtLoops.h"
#include "compiler/Transforms/SplitThreads/LaneGroup.h"

namespace regrain {

/// Lets all lanes have what they make of their parts of the values that `dealt` carries. `parts`
/// holds the parts, and then for each choice the iteration from which it is.
void combineParts(mlir::OpBuilder &builder, const DealtLoop &dealt, const LaneGroup &group,
                  llvm::MutableArrayRef<mlir::Value> parts);

} // namespace regrain
