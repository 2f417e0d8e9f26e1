//===- loss_test.h - A test for losses of a chosen grain --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This needs neither devices nor clocks. It is a sequential sign test on pairs of times: each
// pair is one launch of the chosen grain and one of the original, next to each other, so that
// what disturbs both cancels. Only the order of the two times counts, so that no outlier
// weighs more than any other pair.
//
// The test looks after 11 pairs, and then whenever their number has doubled. The grain loses if
// the pairs in which it was slower by more than `leastLoss` are 3.3 standard deviations above
// half of them; it holds if they are at most half. The probability that a look declares a loss
// for a grain that is at most that much slower is therefore at most 0.0007, whatever the noise.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstdint>

namespace regrain {

class LossTest {
public:
  static constexpr double leastLoss = 1.01;
  static constexpr uint32_t firstLook = 11, lastLook = 32 * firstLook;

  enum class Verdict : uint8_t { Open, Loses, Holds };

  /// Adds the times of a pair, in any unit. A pair that the clock did not resolve (a time
  /// is not positive) counts as equal. After a verdict other than Open, the next pair
  /// starts a new test.
  Verdict add(double original, double chosen);

  uint32_t pairs() const { return count; }
  /// Returns the median of the last pairs' ratios, original to chosen: below 1 the chosen grain is
  /// slower. Requires that there was a pair.
  double ratio() const;

private:
  Verdict look() const;

  uint32_t count = 0, losses = 0;
  uint32_t nextLook = firstLook;
  bool isDecided = false;
  std::array<float, 64> ratios = {}; ///< of the last pairs, as a ring buffer
};

} // namespace regrain
