//===- long_race.cpp - Which of few long launches is fastest --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/long_race.h"

#include <algorithm>
#include <cmath>

namespace regrain {

LongRace::LongRace(Track &track, size_t candidates, double originalMicroseconds,
                   const LaunchCosts &costs)
    : track(track), costs(costs), all(candidates), times(candidates),
      originals({originalMicroseconds}), reserve(longReserveSeconds(costs)) {}

Scatter LongRace::scatter() const {
  Scatter scatter;
  scatter.add(originals);
  for (const std::vector<double> &own : times)
    scatter.add(own);
  return scatter;
}

Gain LongRace::gainOf(std::span<const TimedPair> pairs) const {
  return gainOfFew(pairs, scatter());
}

bool LongRace::affords(double seconds) const { return track.secondsLeft() - reserve >= seconds; }

/// Two candidates share a run of the original: the one after it and the one before it.
void LongRace::addFirst(size_t candidate, double microseconds) {
  times[candidate].push_back(microseconds);
  if (!isAfterOriginal)
    originals.push_back(track.timeOriginal());
  all[candidate].pairs.push_back({originals.back(), microseconds});
  isAfterOriginal = !isAfterOriginal;
}

/// Returns the seconds of trying one more candidate.
double LongRace::secondsOfNext() const {
  bool needsOriginal = !isAfterOriginal || originals.size() < 2;
  return longRaceSeconds(1, costs) - (needsOriginal ? 0 : costs.run);
}

TimedPair LongRace::timePair(size_t candidate, bool candidateIsFirst) {
  TimedPair pair = {};
  if (candidateIsFirst)
    pair.candidate = track.time(candidate);
  pair.original = track.timeOriginal();
  if (!candidateIsFirst)
    pair.candidate = track.time(candidate);
  originals.push_back(pair.original);
  times[candidate].push_back(pair.candidate);
  return pair;
}

/// Returns which of the two best has fewer pairs, as long as another pair can matter: the gain of
/// the best is not known to be worth anything, or the second may be the best.
std::optional<size_t> LongRace::nextToTime() const {
  std::vector<size_t> order;
  for (size_t i = 0; i < all.size(); ++i)
    if (!all[i].pairs.empty())
      order.push_back(i);
  std::ranges::sort(order, std::ranges::greater(),
                    [&](size_t i) { return gainOf(all[i].pairs).ratio; });
  if (order.empty())
    return std::nullopt;
  Gain best = gainOf(all[order[0]].pairs);
  if (best.high <= leastGain)
    return std::nullopt;
  bool isRivalled = order.size() > 1 && gainOf(all[order[1]].pairs).high >= best.low;
  if (wins(best) && !isRivalled)
    return std::nullopt;
  size_t next = order[0];
  if (isRivalled && all[order[1]].pairs.size() < all[next].pairs.size())
    next = order[1];
  return all[next].pairs.size() < mostPairs ? std::optional(next) : std::nullopt;
}

void LongRace::select() {
  for (size_t i = 0; i < all.size() && affords(secondsOfNext()); ++i) {
    all[i].isTried = true;
    if (std::optional<double> microseconds = track.timeFirst(i))
      addFirst(i, *microseconds);
    else
      all[i].isWrong = true;
  }
  if (!all.empty() && originals.size() < 2 && track.secondsLeft() > 0)
    originals.push_back(track.timeOriginal()); // a scatter needs two
  while (affords(2 * costs.run)) {
    std::optional<size_t> next = nextToTime();
    if (!next)
      return;
    all[*next].pairs.push_back(timePair(*next, all[*next].pairs.size() % 2 == 1));
  }
}

/// The number is the least with which the interval would end halfway between the gain of the
/// selection and the least gain that counts. It is even, so that both orders are equally frequent.
size_t LongRace::confirmingPairsFor(size_t candidate) const {
  Scatter known = scatter();
  if (known.freedom() == 0)
    return 0;
  double seconds = (times[candidate].back() + originals.back()) / 1e6 +
                   2 * std::max(costs.run - costs.original, 0.0);
  auto affordable = size_t(std::max(track.secondsLeft(), 0.0) / std::max(seconds, 1e-9));
  size_t most = std::min<size_t>(confirmingPairs, affordable) / 2 * 2;
  double beyond = std::log(gainOf(all[candidate].pairs).ratio / leastGain);
  auto isEnough = [&](size_t count) {
    return halfWidth(count, known.deviation(), known.freedom() + 2 * count) <= beyond / 2;
  };
  size_t count = leastFewPairs;
  while (count < most && !isEnough(count))
    count += 2;
  return count <= most ? count : 0;
}

std::vector<TimedPair> LongRace::confirm(size_t candidate) {
  std::vector<TimedPair> fresh;
  size_t count = confirmingPairsFor(candidate);
  for (size_t i = 0; i < count; ++i)
    fresh.push_back(timePair(candidate, i % 2 == 1));
  return fresh;
}

} // namespace regrain
