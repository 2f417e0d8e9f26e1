//===- ThreadSplit.h - Lanes that share a thread ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain::grain {

/// Says of `grain.threads` with a `shape` that this many neighbouring iterations in x, an i32,
/// stand for one thread of the program. The body derives which share of it is theirs, and the
/// blocks around the nest cover as many times the threads in x.
inline constexpr llvm::StringLiteral splitAttribute = "grain.split";

/// Returns the number of iterations that share one thread; 1 if none do.
[[nodiscard]] inline uint32_t lanesPerThread(ThreadsOp threads) {
  auto lanes = threads->getAttrOfType<mlir::IntegerAttr>(splitAttribute);
  return lanes ? uint32_t(lanes.getInt()) : 1;
}

} // namespace regrain::grain
