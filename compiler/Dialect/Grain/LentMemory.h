//===- LentMemory.h - Where grain.lent lies ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain::grain {

/// The alignment of each block's memory in bytes.
inline constexpr uint64_t lentAlignment = 256;
/// The maximum, in bytes, of a block's memory: the image cannot express more, and there is not
/// enough memory for a sensible grid.
inline constexpr uint64_t mostLent = 1 << 30;

/// The attribute of an allocation that is one for all launched blocks. It is the only one of its
/// kernel.
inline constexpr llvm::StringLiteral ofLaunchAttribute = "grain.of_launch";

/// Returns the bytes of the allocations before `end` in its block, or of all allocations if `end`
/// is null, each with its alignment.
[[nodiscard]] uint64_t lentBefore(BlocksOp blocks, LentOp end);

/// Returns the distance in bytes between the memories of two launched blocks; 0 if they have none.
[[nodiscard]] uint64_t lentBytes(BlocksOp blocks);

} // namespace regrain::grain
