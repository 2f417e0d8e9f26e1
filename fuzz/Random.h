//===- Random.h - Repeatable choices ----------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <vector>

namespace regrain::fuzz {

/// Returns the next output of SplitMix64 from `state`, and advances it.
inline uint64_t splitMix(uint64_t &state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// A seed determines every choice, on every machine and library.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t bits() { return splitMix(state); }
  /// Returns a number of [0, bound); `bound` is at least 1.
  uint32_t below(uint32_t bound) { return uint32_t((bits() >> 32) * bound >> 32); }
  /// Returns a number of [low, high].
  uint32_t between(uint32_t low, uint32_t high) { return low + below(high - low + 1); }
  bool percent(uint32_t chance) { return below(100) < chance; }
  template <typename T> const T &of(const std::vector<T> &choices) {
    return choices[below(uint32_t(choices.size()))];
  }

private:
  uint64_t state;
};

} // namespace regrain::fuzz
