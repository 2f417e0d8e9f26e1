//===- Waiting.h - Loops that wait for another thread -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop waits where what ends it may follow from what another thread does while it
// runs (Interaction.h): seen directly, through memory that the loop writes, or by a
// plain load beside a fence, or of what the loop polls by an atomic operation.
// Running what it waits for after it, in the same thread, would never end. Two
// loops of that form make progress by themselves and do not wait:
//   - one that goes on only because a compare-and-exchange with the very value
//     just seen at its address has failed (Retry.h): then another thread has
//     succeeded. A value made from the one seen (a bit cleared) may never come;
//   - one that draws tickets (Tickets.h).
// Functions that are not inlined wait where #grain.callee does not say otherwise.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Access.h"

namespace regrain {

/// A loop in `root` that may wait for another thread, or null where none does.
[[nodiscard]] mlir::Operation *findWait(mlir::Operation *root, Accesses &accesses);

} // namespace regrain
