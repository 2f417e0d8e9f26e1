//===- JoinedTiles.h - Larger tiles of the program's own --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Alternatives/Statistics.h"
#include "compiler/Dialect/Grain/Grain.h"
#include "runtime/image/grain.h"
#include <vector>

namespace regrain {

/// Returns the grains at which blocks are joined in x and y, if threads of a plane read shared
/// memory often, and rows of joined blocks fill a part of it alike and columns the other part, as
/// in a product of matrices. A thread then reads x + y elements for x * y results. `statistics` are
/// those of the kernel.
[[nodiscard]] std::vector<Grain> joinedTilesOf(grain::KernelOp kernel,
                                               const Statistics &statistics);

} // namespace regrain
