//===- Check.h - Invariants of a cooperating program ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace regrain::fuzz::cooperation {

/// Names of the functions in CheckWords.inc.
enum class Invariant : uint8_t {
  Linear,      ///< word i is a + i * b
  Permutation, ///< each of a, a + 1, ... occurs once
  Sum,         ///< the words add up to a
  AtMost,      ///< no word is greater than a
};
const char *functionOf(Invariant invariant);

struct Check {
  Invariant invariant = Invariant::Linear;
  uint32_t memory = 0, first = 0, count = 0;
  uint32_t a = 0, b = 0;
  std::string what;    ///< "the sum that the lock protects"
  uint32_t stride = 1; ///< distance of adjacent words
};

bool holds(const Check &check, const std::vector<uint32_t> &words);

} // namespace regrain::fuzz::cooperation
