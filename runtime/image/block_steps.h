//===- block_steps.h - Blocks that run one after the other ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain.h"

namespace regrain {

/// Returns the number of steps in which a launched block runs its blocks of the program, one step
/// after the other; 1 if there is no loop over steps.
[[nodiscard]] inline uint32_t stepsOf(const Grain &grain) {
  auto steps = grain.codegen.find("steps");
  return steps == grain.codegen.end() ? 1 : steps->second;
}

/// Returns the dimension along which steps follow each other: the last with a block factor; x if
/// there is none.
[[nodiscard]] inline unsigned marchDimension(const Grain &grain) {
  return grain.block[2] != 1 ? 2 : grain.block[1] != 1 ? 1 : 0;
}

} // namespace regrain
