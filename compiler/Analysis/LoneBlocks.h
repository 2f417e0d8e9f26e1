//===- LoneBlocks.h - Blocks that work alone --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tuner times a part of a launch's blocks in place of all. That tells something only if these
// blocks then do what they do in the whole launch.
//
// Legality. A block learns of others in two ways: it reads the size of the grid, or it reads memory
// that another block writes in the same launch. The latter is a data race unless something orders
// the two accesses, and only atomic and volatile accesses, fences, and code that is not known can
// do that outside the block. So a kernel without any of these on memory that other blocks can
// access does in each block the same, whichever other blocks the launch has. What is not known
// refuses.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// Returns the first operation through which a block may learn of other blocks; null if each block
/// works alone.
[[nodiscard]] mlir::Operation *findLinkToBlocks(grain::KernelOp kernel);

} // namespace regrain
