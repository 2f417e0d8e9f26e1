//===- LoopTrips.h - How often loops run, by a launch -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "runtime/image/footprint.h"

namespace regrain {

/// Returns for loops of unknown length (LoopsAround.h) how often they run at most, where that
/// follows from the block and the integers of a launch. Arithmetic is taken not to wrap
/// (Polynomial.h).
[[nodiscard]] std::vector<FootprintTrips> tripsOf(grain::KernelOp kernel);

} // namespace regrain
