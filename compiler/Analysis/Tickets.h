//===- Tickets.h - Loops that end by drawing tickets ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread draws tickets if it takes numbers from a counter that only goes up, or only goes down,
// by one and the same step for all threads. It needs no other thread to make progress: alone it
// draws all numbers, and others can only take some of them away.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/LoopSlice.h"

namespace regrain {

/// Returns whether `op` draws a ticket for the end of the loop that `end` is the slice of:
/// - It adds a small constant that is not zero, once per iteration of the loop.
/// - Nothing in the kernel gives tickets back: every operation that may write to the counter adds
///   the same constant. A plain store through a pointer that may alias the counter matters only
///   where the kernel has a fence, without which it would tell other threads nothing.
/// - The loop's end depends on the ticket only through comparisons with loop invariants. The ticket
///   may have been moved before, or changed by an invariant in a way that keeps its order (an
///   addition, a multiplication that does not wrap). Each such comparison keeps the loop going only
///   until the tickets have passed the invariant. A loop that acquires a lock by adding until the
///   old value is zero therefore waits: for another kernel or the host, if this kernel does not
///   give the ticket back. A loop that draws from a different counter in each iteration, as in
///   climbing a tree and going on where the thread came second, may compare in any way, because it
///   never looks at a counter again. A loop that compares a ticket with another ticket or a count,
///   or tests its lowest bit, waits.
[[nodiscard]] bool isTicket(mlir::LLVM::AtomicRMWOp op, LoopSlice &end, Accesses &accesses);

} // namespace regrain
