//===- standing.h - Candidates over the samples of a class ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At each sampled launch of a class, candidates race (pair_race.h, long_race.h), and those that
// seem best get fresh pairs, until the gain of one over the original is proved. The fresh pairs
// then stand for the sample, because they did not select the candidate, and there are enough of
// them.
//
// Candidates that are equally fast may lead in turn, and a race gives few pairs to all but one. So
// nothing asks that the leader over all samples is proved: the best of those whose gain is proved
// is chosen, whatever else seems faster.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/statistics.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace regrain {

/// What its last fresh pairs said of a candidate that seemed faster.
enum class FreshPairs { None, Won, Lost };

/// One candidate against the original.
struct Standing {
  size_t firstSample = 0; ///< number of the sample of samples.front()
  std::vector<SampledLaunch> samples = {};
  FreshPairs fresh = FreshPairs::None; ///< those that lost are of the last sample
  double least = leastGain;            ///< the least gain of it that counts

  /// Returns whether the candidate was timed at the last of `count` samples of the class.
  [[nodiscard]] bool isOfLast(size_t count) const {
    return !samples.empty() && firstSample + samples.size() == count;
  }
  [[nodiscard]] bool isProved() const { return fresh == FreshPairs::Won; }
  [[nodiscard]] bool isRefuted() const { return fresh == FreshPairs::Lost; }
  /// Requires at least one sample.
  [[nodiscard]] Gain gain() const { return summedGain(samples); }
  /// Returns whether the candidate seems faster over all samples or at its last one, which may
  /// stand for most launches in the end. Requires at least one sample.
  [[nodiscard]] bool seemsFaster() const {
    return gain().ratio > least || samples.back().gain.ratio > least;
  }
  /// Adds a sample, whose number is `number`.
  void add(size_t number, const SampledLaunch &sample);
  /// Puts the gain of fresh pairs in place of the last sample's.
  void confirm(double originalMicroseconds, const Gain &gain);
  /// Lets fresh pairs that won no longer count.
  void withdrawProof();
  /// Sets the weights: a sample stands for the launches before the next one, the last for
  /// `lastWeight`. `sampled` has the numbers of all sampled launches of the class.
  void weigh(std::span<const uint64_t> sampled, double lastWeight);
};

/// Returns by how much the candidate at a position, which has `gain`, is slower than the best one,
/// whose ratio is `best`, by everything that is known.
using Shortfall = std::function<double(size_t position, const Gain &gain, double best)>;

/// Returns the one with the greatest ratio of those that are not null; none if all are. Of those
/// that timings do not tell from it, the one with the least shortfall leads.
[[nodiscard]] std::optional<size_t> leaderOf(std::span<const Standing *const> all,
                                             const Shortfall &shortfall = {});

/// Returns the leader of those whose gain wins and is proved by fresh pairs.
[[nodiscard]] std::optional<size_t> provedOf(std::span<const Standing *const> all,
                                             const Shortfall &shortfall = {});

/// Any of these may turn out to be proved although it is not faster. The first has half of the
/// error that a decision may have, and each further one half of that of the one before it.
inline constexpr size_t mostConfirmed = 3;

/// Returns the error for attempt number `attempt`, from 0.
[[nodiscard]] double errorOfAttempt(size_t attempt);

/// Tells what became of an attempt to confirm a candidate. One that is wrong is out, and does not
/// count as an attempt.
enum class Attempt { Proved, NotProved, NotTimed, Wrong };

/// Confirms candidates that seem faster, the leader first, until one is proved, `most` are not, or
/// one cannot be timed. `confirm` gets the candidate's position and the number of the attempt.
/// Positions with null are left out. Returns what became of the last attempt; NotProved if there
/// was none.
Attempt proveOne(std::span<const Standing *const> all, size_t most,
                 const std::function<Attempt(size_t, size_t)> &confirm,
                 const Shortfall &shortfall = {});

} // namespace regrain
