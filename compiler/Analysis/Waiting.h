//===- Waiting.h - Loops that wait for another thread -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop waits if its end may depend on what another thread does while the loop runs
// (Interaction.h). It may see that directly, through memory that the loop writes, by a plain load
// beside a fence, or by a plain load of what the loop polls by an atomic operation. If one thread
// ran such a loop first and what it waits for afterwards, the loop would never end. Two kinds of
// loops make progress by themselves and do not wait:
// - a loop that goes on only because a compare-and-exchange with the very value just seen at its
//   address has failed (Retry.h): then another thread has succeeded. A value that is computed from
//   the one seen (with a bit cleared, say) may never come;
// - a loop that draws tickets (Tickets.h).
//
// A call of a function that is not inlined waits unless #grain.callee says otherwise.
//
// Only the threads of the launch itself write to shared memory, also to that of another block of a
// cluster. So a loop whose end depends on that memory alone waits for nothing outside of the
// launch.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/Access.h"

namespace regrain {

/// For whom a loop waits.
enum class Awaited : uint8_t {
  AnyThread,     ///< another thread, perhaps one of the same block
  OutsideLaunch, ///< something that may be no thread of the launch: another kernel, or the host
};

/// Returns a loop in `root` that may wait for what is `awaited`, or null if there is none.
[[nodiscard]] mlir::Operation *findWait(mlir::Operation *root, Accesses &accesses,
                                        Awaited awaited = Awaited::AnyThread);

} // namespace regrain
