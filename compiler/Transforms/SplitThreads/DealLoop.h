//===- DealLoop.h - A loop among lanes --------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Transforms/SplitThreads/DealtLoops.h"
#include "compiler/Transforms/SplitThreads/Iterations.h"
#include "compiler/Transforms/SplitThreads/LaneGroup.h"

namespace regrain {

/// Replaces the loop by one in which each lane of the group runs every n-th iteration, and what it
/// carries by values that are the same in all lanes. Returns what runs the iterations: loops, and
/// conditions around the iterations whose elements are kept. `kept` holds the rows of earlier
/// loops, and gets those of this one.
llvm::SmallVector<mlir::Operation *> dealLoop(const DealtLoop &dealt, const LaneGroup &group,
                                              KeptRows &kept);

} // namespace regrain
