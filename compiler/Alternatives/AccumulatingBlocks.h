//===- AccumulatingBlocks.h - Blocks that accumulate together ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Alternatives/Statistics.h"

namespace regrain {

/// Returns the grain at which so many neighbouring blocks accumulate in common arrays.
[[nodiscard]] Grain accumulatingGrain(const Statistics &statistics, uint32_t blocks);

/// Returns grains at which joined blocks accumulate in common arrays, the largest factors first,
/// also with neighbours in a thread. These have `joinsAccesses` if their accesses become wider
/// where pointers are aligned. If common arrays are not possible, one grain shows the reason.
[[nodiscard]] std::vector<Grain> accumulatingGrains(const Statistics &statistics,
                                                    bool joinsAccesses);

} // namespace regrain
