//===- MemoryUse.h - What a kernel writes, and reaches ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tuner lets a word differ in its last places where the word is a rounded result, and nowhere
// else. So a store counts as floating-point if what it stores may come from arithmetic of that
// type, through selections, loops, lanes and the memory of the block. It does not count if its bits
// may be something else (__int_as_float, integers in the same array), if the word is nothing but a
// copy of a word in memory, or if its origin is not known (calls of functions that are not inlined,
// assembly).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "runtime/image/memory_use.h"

namespace regrain {

/// Returns whether the operation is inline assembly that accesses no memory but shared memory: that
/// of the block, or of other blocks of its cluster.
[[nodiscard]] bool isSharedAssembly(mlir::Operation *op);

/// Returns how the kernel uses memory that outlives the launch.
[[nodiscard]] MemoryUse memoryUseOf(grain::KernelOp kernel);

} // namespace regrain
