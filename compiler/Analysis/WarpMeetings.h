//===- WarpMeetings.h - Warp operations of several places -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Since Volta the lanes that a mask names may stand at different places of the code
// when they run a warp operation together: one in a loop, another behind it. Copies
// of the code that one thread runs keep the order of the operations of one place, and
// of places that a lane comes to only together, but not of others: one lane would meet
// another's operation of the wrong copy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"

namespace regrain {

/// A warp operation that lanes elsewhere in the code may run together with those here,
/// or null. Lanes of one warp take different ways only where what decides differs from
/// thread to thread; a barrier of the block on every way between two operations, or
/// another kind of operation, keeps them apart.
[[nodiscard]] mlir::Operation *findMeeting(grain::KernelOp kernel);

} // namespace regrain
