//===- Choices.h - Numbers that determine a program's details ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Random.h"
#include <cstddef>
#include <utility>

namespace regrain::fuzz::cooperation {

/// Numbers that are consumed one after the other, each for one choice. Any numbers
/// make a program, and after the last one 0 is used, which stands for the simplest
/// choice: a program becomes smaller when zeros replace numbers.
using Tape = std::vector<uint32_t>;

inline Tape randomTape(Random &random, std::size_t length) {
  Tape tape(length);
  for (uint32_t &number : tape)
    number = uint32_t(random.bits() >> 32);
  return tape;
}

class Choices {
public:
  explicit Choices(Tape tape = {}) : tape(std::move(tape)) {}

  /// Returns a number of [0, bound); `bound` is at least 1.
  uint32_t below(uint32_t bound) {
    uint64_t number = next < tape.size() ? tape[next] : 0;
    ++next;
    return uint32_t(number * bound >> 32);
  }
  /// Returns a number of [low, high].
  uint32_t between(uint32_t low, uint32_t high) { return low + below(high - low + 1); }
  bool percent(uint32_t chance) { return below(100) >= 100 - chance; }
  template <typename T> const T &of(const std::vector<T> &options) {
    return options[below(uint32_t(options.size()))];
  }

private:
  Tape tape;
  std::size_t next = 0;
};

} // namespace regrain::fuzz::cooperation
