//===- long_race.h - Which of few long launches is fastest ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where one launch takes long, the run in which a candidate is verified is its first timing, and
// one run of the original serves the candidates before and after it. What is left goes to further
// pairs of the two best, and then to fresh pairs, whose number is fixed before the first of them
// runs. One scatter (statistics.h) over all launches of the race gives the intervals of a few
// pairs.
//
// The race knows no device and no clock.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/budget.h"
#include "runtime/tuning/statistics.h"

#include <optional>

namespace regrain {

/// What a race runs on. Times are microseconds of a launch.
class Track {
public:
  virtual ~Track() = default;
  /// Returns the seconds that the race may still take.
  virtual double secondsLeft() const = 0;
  virtual double timeOriginal() = 0;
  /// Runs a candidate for the first time; returns nothing if its result is wrong.
  virtual std::optional<double> timeFirst(size_t candidate) = 0;
  virtual double time(size_t candidate) = 0;
};

class LongRace {
public:
  /// The pairs of selection that the two best get at most.
  static constexpr size_t mostPairs = 5;

  struct Contestant {
    bool isTried = false, isWrong = false;
    std::vector<TimedPair> pairs; ///< of the selection
  };

  /// `originalMicroseconds` is the time of a run of the original just before the race.
  LongRace(Track &track, size_t candidates, double originalMicroseconds, const LaunchCosts &costs);

  /// Tries the candidates in their order, as many as the track's time pays for beside the fresh
  /// pairs, and times the best again.
  void select();

  /// Times a candidate with fresh pairs: as many as its selection lets expect to be needed, if
  /// there is time for them. Returns no pair if there is not.
  [[nodiscard]] std::vector<TimedPair> confirm(size_t candidate);

  [[nodiscard]] const std::vector<Contestant> &contestants() const { return all; }
  /// Returns the gain of pairs of this race.
  [[nodiscard]] Gain gainOf(std::span<const TimedPair> pairs) const;

private:
  void addFirst(size_t candidate, double microseconds);
  double secondsOfNext() const;
  TimedPair timePair(size_t candidate, bool candidateIsFirst);
  bool affords(double seconds) const;
  std::optional<size_t> nextToTime() const;
  size_t confirmingPairsFor(size_t candidate) const;
  Scatter scatter() const;

  Track &track;
  LaunchCosts costs;
  std::vector<Contestant> all;
  std::vector<std::vector<double>> times; ///< of all launches of each candidate
  std::vector<double> originals;
  bool isAfterOriginal = true; ///< the last launch that was timed is one of the original
  double reserve;
};

} // namespace regrain
