//===- Progress.h - Loops that wait for another thread ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop waits where what ends it is seen in memory that others change: a
// volatile or atomic load, the result of an atomic operation, a call that may
// be either. Running what it waits for after it, in the same thread, would
// never end. Two loops of that form make progress by themselves and do not
// wait: one that retries a compare-and-exchange with the value just seen, and
// one that draws tickets by adding a constant that is not zero.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// A loop in `root` that may wait for another thread, or null where none does.
[[nodiscard]] mlir::Operation *findWait(mlir::Operation *root);

} // namespace regrain
