//===- Grains.h - Grains for a fuzzed kernel --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Alternatives/Space.h"
#include "fuzz/Random.h"
#include "fuzz/Task.h"

namespace regrain::fuzz {

/// Returns up to `count` different grains: two in five come from the default space,
/// the others have any factors, and may be fused or reshaped. Thread factors
/// usually divide the block.
std::vector<Grain> drawGrains(const Task &task, const Statistics &statistics, size_t count,
                              Random &random);

} // namespace regrain::fuzz
