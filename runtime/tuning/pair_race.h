//===- pair_race.h - Which of many short launches is fastest ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The race knows no device and no clock.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/statistics.h"

#include <vector>

namespace regrain {

/// What pairs of launches run on.
class PairTrack {
public:
  virtual ~PairTrack() = default;
  /// Adds pairs of the original and the candidate; returns false if there is no time for all.
  virtual bool time(size_t candidate, uint32_t count, std::vector<TimedPair> &pairs) = 0;
  /// Returns whether there is time for another round.
  virtual bool paysForRound() const = 0;
};

/// Times the candidates against the original by Halving, until one is left or the time is spent.
/// Returns the pairs of each.
[[nodiscard]] std::vector<std::vector<TimedPair>> racePairs(PairTrack &track, size_t candidates);

} // namespace regrain
