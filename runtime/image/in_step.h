//===- in_step.h -- Grains whose blocks wait for each other -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain.h"

namespace regrain {

inline constexpr std::string_view inStepKey = "in-step";

/// Returns how many steps of a launch at the grain may begin before their turn; 0 if blocks do not
/// wait for each other. If they do, the launch is lent a word that is 0.
[[nodiscard]] inline uint32_t inStepOf(const Grain &grain) {
  auto found = grain.codegen.find(inStepKey);
  return found == grain.codegen.end() ? 0 : found->second;
}

/// Returns whether a kernel at the grain has the address of lent memory as a parameter.
[[nodiscard]] inline bool takesLentAddress(const Grain &grain) {
  return grain.takesLentMemory() || inStepOf(grain);
}

} // namespace regrain
