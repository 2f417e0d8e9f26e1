//===- thread_split.h - Lanes that share a thread ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/grain.h"

#include <algorithm>

namespace regrain {

/// Returns the number at the start of a valid word.
[[nodiscard]] inline uint32_t readSplitNumber(std::string_view word) {
  uint32_t number = 0;
  for (char digit : word.substr(0, word.find_first_not_of("0123456789")))
    number = 10 * number + uint32_t(digit - '0');
  return number;
}

/// Returns the number of launched threads that share one thread of the program (`split=`).
[[nodiscard]] inline uint32_t lanesPerThread(const Grain &grain) {
  auto split = grain.words.find("split");
  if (split == grain.words.end())
    return 1;
  return readSplitNumber(split->second);
}

/// Returns whether the launched threads that share a thread of the program are in different warps
/// (`split=8warps`).
[[nodiscard]] inline bool splitsWarps(const Grain &grain) {
  auto split = grain.words.find("split");
  return split != grain.words.end() && split->second.ends_with("warps");
}

/// Returns the number of neighbouring iterations that a lane takes at a time (`split=32x4`).
[[nodiscard]] inline uint32_t iterationsPerLane(const Grain &grain) {
  auto split = grain.words.find("split");
  size_t mark = split == grain.words.end() ? std::string::npos : split->second.find('x');
  return mark == std::string::npos ? 1 : readSplitNumber(split->second.substr(mark + 1));
}

/// Returns the number of neighbouring iterations that a thread of a block takes at a time
/// (`iterations=16`); 1 if the grain does not say so.
[[nodiscard]] inline uint32_t neighboursPerThread(const Grain &grain) {
  auto iterations = grain.words.find("iterations");
  return iterations == grain.words.end() ? 1 : std::max(1u, readSplitNumber(iterations->second));
}

/// Returns the number of elements that a lane keeps of each row (`rows=32`); 0 for none.
[[nodiscard]] inline uint32_t keptElements(const Grain &grain) {
  auto rows = grain.words.find("rows");
  bool isNumber = rows != grain.words.end() && rows->second != "registers";
  return isNumber ? readSplitNumber(rows->second) : 0;
}

} // namespace regrain
