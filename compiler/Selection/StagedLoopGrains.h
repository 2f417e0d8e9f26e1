//===- StagedLoopGrains.h - Grains with tiles of loops ----------*- C++ -*-===//
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

/// Returns the grains at which a block copies what it loads in a loop into shared memory, and each
/// thread computes several elements from that; none if no loop of the kernel can be staged. Grains
/// for aligned launches, in which the copies are wide, come first. Some are proposed with rows that
/// are copied at once as well, if a target has an instruction that `copiesRows`.
[[nodiscard]] std::vector<Grain> stagedLoopGrainsOf(grain::KernelOp kernel, bool copiesRows);

} // namespace regrain
