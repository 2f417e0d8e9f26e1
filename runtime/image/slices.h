//===- slices.h - Dimensions in which blocks have one thread ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain.h"

namespace regrain {

/// Returns whether the grain is for launches whose blocks have one thread in a dimension
/// (`slices=yz`).
[[nodiscard]] inline bool isSliced(const Grain &grain, unsigned dimension) {
  auto slices = grain.words.find("slices");
  return slices != grain.words.end() && slices->second.find("xyz"[dimension]) != std::string::npos;
}

} // namespace regrain
