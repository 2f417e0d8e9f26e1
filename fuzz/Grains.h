//===- Grains.h - Which grains a fuzzed kernel is tried at ------*- C++ -*-===//
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

/// Up to `count` different grains: two in five from the default space, the others
/// of any factors, also fused and reshaped. Thread factors mostly divide the block.
std::vector<Grain> drawGrains(const Task &task, const Statistics &statistics, size_t count,
                              Random &random);

} // namespace regrain::fuzz
