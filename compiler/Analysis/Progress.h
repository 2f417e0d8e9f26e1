//===- Progress.h - Loops that wait for another thread ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop waits where what ends it is seen in memory that others change while it
// runs: a volatile or atomic load, the result of an atomic operation, a plain
// load beside a fence, a call that may be any of them; seen directly, or through
// memory that the loop writes. Running what it waits for after it, in the same
// thread, would never end. Two loops of that form make progress by themselves and
// do not wait:
//   - one that goes on only because a compare-and-exchange with the very value
//     just seen at its address has failed: then another thread has succeeded. A
//     value made from the one seen (a bit cleared) may never come;
//   - one that draws tickets by adding a constant that is not zero, compares them
//     in order only and does not give them back. Where the place changes from
//     iteration to iteration (a way up a tree), equality will do as well.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// A loop in `root` that may wait for another thread, or null where none does.
[[nodiscard]] mlir::Operation *findWait(mlir::Operation *root);

} // namespace regrain
