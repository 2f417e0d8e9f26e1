//===- thread_split.h - Lanes that share a thread ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain.h"

namespace regrain {

/// Returns the number of launched threads that share one thread of the program (`split=`).
[[nodiscard]] inline uint32_t lanesPerThread(const Grain &grain) {
  auto split = grain.words.find("split");
  if (split == grain.words.end())
    return 1;
  uint32_t lanes = 0;
  for (char digit : split->second)
    lanes = 10 * lanes + uint32_t(digit - '0');
  return lanes;
}

} // namespace regrain
