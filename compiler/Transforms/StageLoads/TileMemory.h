//===- TileMemory.h - Shared memory for tiles -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What transforms need that give a kernel tiles in shared memory.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// The alignment of a tile in bytes.
inline constexpr unsigned tileAlignment = 16;

/// Returns how many bytes of shared memory the kernel's own arrays take.
[[nodiscard]] uint64_t sharedBytesOf(grain::KernelOp kernel);

/// Moves the thread's allocations, if their size is known outside of its body, to the front, where
/// they have one place on the stack. Returns the first operation behind them, in front of all
/// control flow.
[[nodiscard]] mlir::Operation *frontBehindAllocations(mlir::Block &body);

} // namespace regrain
