//===- Tickets.h - Loops that end by drawing tickets ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that draws tickets takes numbers from a counter that only ever goes up,
// or only ever down, by one and the same step, whoever draws. It needs nobody else
// to go on: alone it draws all numbers, and others can only take some away.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Analysis/LoopSlice.h"

namespace regrain {

/// Whether `op` draws a ticket for the end of the loop that `end` is the slice of:
///   - it adds a small constant that is not zero, once in a round of the loop;
///   - nothing in the kernel gives tickets back: no other operation may write to the
///     counter but one that adds the same constant. A plain store through a pointer
///     that may be another name of the counter's counts where the kernel has a fence,
///     without which it would tell other threads nothing;
///   - the loop's end depends on the ticket only where it, moved, or changed in order
///     by a number that does not change in the loop (added, multiplied without wrapping),
///     is compared with such a number, and the comparison keeps the loop going only until
///     the tickets have gone past that number. Who draws a lock by adding, until it was
///     zero, waits: for another kernel or the host, where the kernel does not give it back.
///     One that draws from another counter in each round, as who climbs a tree and goes on
///     where it came second, may compare as it likes: it does not look again.
///     Who compares a ticket with another or with a count, or its lowest bit,
///     waits.
[[nodiscard]] bool isTicket(mlir::LLVM::AtomicRMWOp op, LoopSlice &end, Accesses &accesses);

} // namespace regrain
