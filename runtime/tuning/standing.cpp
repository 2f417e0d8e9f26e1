//===- standing.cpp - Candidates over the samples of a class --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/standing.h"

#include <cmath>

namespace regrain {

void Standing::add(size_t number, const SampledLaunch &sample) {
  if (samples.empty())
    firstSample = number;
  samples.push_back(sample);
  if (isRefuted())
    fresh = FreshPairs::None;
}

void Standing::confirm(double originalMicroseconds, const Gain &gain) {
  samples.back().originalMicroseconds = originalMicroseconds;
  samples.back().gain = gain;
  fresh = wins(gain, least) ? FreshPairs::Won : FreshPairs::Lost;
}

void Standing::withdrawProof() {
  if (isProved())
    fresh = FreshPairs::None;
}

void Standing::weigh(std::span<const uint64_t> sampled, double lastWeight) {
  for (size_t i = 0; i < samples.size(); ++i) {
    size_t number = firstSample + i;
    samples[i].weight =
        number + 1 < sampled.size() ? double(sampled[number + 1] - sampled[number]) : lastWeight;
  }
}

std::optional<size_t> leaderOf(std::span<const Standing *const> all, const Shortfall &shortfall) {
  std::vector<Gain> gains(all.size());
  std::optional<size_t> best;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!all[i])
      continue;
    gains[i] = all[i]->gain();
    if (!best || gains[i].ratio > gains[*best].ratio)
      best = i;
  }
  if (!best || !shortfall)
    return best;
  std::optional<size_t> leader;
  double least = 0, ratio = gains[*best].ratio;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!all[i] || gains[i].high < ratio)
      continue;
    double own = shortfall(i, gains[i], ratio);
    if (!leader || own < least) {
      leader = i;
      least = own;
    }
  }
  return leader;
}

std::optional<size_t> provedOf(std::span<const Standing *const> all, const Shortfall &shortfall) {
  std::vector<const Standing *> proved(all.begin(), all.end());
  for (const Standing *&each : proved)
    if (each && !(each->isProved() && wins(each->gain(), each->least)))
      each = nullptr;
  return leaderOf(proved, shortfall);
}

double errorOfAttempt(size_t attempt) { return std::ldexp(errorOfDecision, -1 - int(attempt)); }

Attempt proveOne(std::span<const Standing *const> all, size_t most,
                 const std::function<Attempt(size_t, size_t)> &confirm,
                 const Shortfall &shortfall) {
  std::vector<const Standing *> left(all.begin(), all.end());
  for (const Standing *&each : left)
    if (each && !each->seemsFaster())
      each = nullptr;
  Attempt last = Attempt::NotProved;
  for (size_t attempt = 0; attempt < most;) {
    std::optional<size_t> best = leaderOf(left, shortfall);
    if (!best)
      return last;
    left[*best] = nullptr;
    last = confirm(*best, attempt);
    if (last == Attempt::Proved || last == Attempt::NotTimed)
      return last;
    attempt += last == Attempt::NotProved;
  }
  return last;
}

} // namespace regrain
