//===- WarpExchange.h - Grains at which a block is one warp -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Dialect/Grain/Grain.h"
#include "runtime/image/grain.h"
#include <vector>

namespace regrain {

/// Returns the grains at which a block becomes one warp, whose lanes exchange in registers what
/// threads of `kernel` exchange in shared memory; also several warps, and a part of one, with
/// several blocks in a launched one. The block is that of the launches seen. If it is
/// not known, those of the launch bounds and of as many threads as a shared array has elements are
/// likely: the runtime compares each launch with the block of the grain. This transforms copies of
/// the kernel; grains that are refused are left out, and `kernel` itself is not changed. With
/// `reordersSums`, trees of floating-point sums may also begin among neighbours.
[[nodiscard]] std::vector<Grain> exchangesInWarps(grain::KernelOp kernel,
                                                  const std::optional<Factors> &seen,
                                                  unsigned launchBounds, bool reordersSums);

} // namespace regrain
