//===- loss_test.h - Whether a chosen grain loses ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Free of devices and clocks. A sequential sign test on pairs of times: in each pair a launch
// of the chosen grain and one of the original stood beside each other, so that what disturbs
// both cancels, and only which of the two was slower counts, so that no outlier weighs more
// than any other pair.
//
// After 11 pairs, then each time their number has doubled, it looks. The grain loses where
// the pairs in which it was slower by more than `leastLoss` are 3.3 standard deviations above
// half of them; it holds where they are no more than half. So a grain that is at most that much
// slower is said to lose at a look with a probability of at most 0.0007, whatever the noise.
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

  /// Times of a pair in any unit. One that the clock did not resolve (a time that is not
  /// positive) counts as equal. After a verdict other than Open the next pair begins anew.
  Verdict add(double original, double chosen);

  uint32_t pairs() const { return count; }
  /// The median of the last pairs' ratios, original to chosen: below 1 the chosen grain is slower.
  /// There has been a pair.
  double ratio() const;

private:
  Verdict look() const;

  uint32_t count = 0, losses = 0;
  uint32_t nextLook = firstLook;
  bool isDecided = false;
  std::array<float, 64> ratios = {}; ///< of the last pairs, in a ring
};

} // namespace regrain
