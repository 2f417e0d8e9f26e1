//===- Scratch.h - Where grain.scratch lies ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain::grain {

/// Of the memory of each block.
inline constexpr uint64_t scratchAlignment = 256;
/// Of a block, in bytes: what the image has room to say, and no sensible grid has memory for.
inline constexpr uint64_t mostScratch = 1 << 30;

/// Bytes of the allocations that stand in front of `end` in its block, or of all where it
/// is null, each aligned as it asks to be.
[[nodiscard]] uint64_t scratchBefore(BlocksOp blocks, ScratchOp end);

/// Bytes from the memory of one launched block to that of the next; 0 where they have none.
[[nodiscard]] uint64_t scratchBytes(BlocksOp blocks);

} // namespace regrain::grain
