//===- replay_race.cpp - Candidates at one sampled launch -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/pair_race.h"
#include "runtime/tuning/replay_tuner.h"

#include "runtime/image/grain.h"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace regrain {
/// Adds pairs; returns false if the budget of the whole run is spent.
bool ReplayTuner::timePairs(Replay &replay, Candidate &candidate, uint32_t count,
                            std::vector<TimedPair> &pairs) {
  Activity times = activityOf("time", candidate);
  for (uint32_t i = 0; i < count; ++i) {
    if (session.secondsLeft() <= 0)
      return false;
    TimedPair pair = {};
    Activity activity(session.activities(), "pair", {{"grain", candidate.id}});
    if (cudaError_t status = replay.time(candidate.index, pair); status != cudaSuccess)
      journal.fail(candidate.id, launches - 1, limitOf(replay), status);
    pairs.push_back(pair);
    activity.note("original_us", pair.original);
    activity.note("candidate_us", pair.candidate);
  }
  return true;
}

/// Compares candidates, as many as the plan tries, while the allowance still pays for the first
/// pairs of those that are right. Returns those that were not compared.
std::vector<ReplayTuner::Candidate> ReplayTuner::compareCandidates(Replay &replay,
                                                                   const RacePlan &plan) {
  std::vector<Candidate> right, untried;
  size_t tried = 0;
  double slowest = 0; // in seconds
  for (Candidate &candidate : candidates) {
    double before = allowanceLeft();
    if (tried == plan.tries ||
        !paysForAnother(plan, timedCosts(), right.size(), before - slowest)) {
      untried.push_back(std::move(candidate));
      continue;
    }
    ++tried;
    bool isRight = replay.hasPart() ? accept(candidate, tryOnPart(replay, candidate).found)
                                    : acceptWhole(candidate, runMarked(replay, candidate).found);
    if (isRight)
      right.push_back(std::move(candidate));
    slowest = std::max(slowest, before - allowanceLeft());
  }
  candidates = std::move(right);
  return untried;
}

/// Tries and times as many candidates as the plan allows.
void ReplayTuner::measureByPairs(Replay &replay, const RacePlan &plan) {
  if (!replay.hasPart() && !addControl(replay)) {
    journal.atRest();
    isOver = true;
    sampled.pop_back();
    return;
  }
  journal.noteCopies(replay.copyBytes());
  if (!control)
    std::erase_if(candidates, [](const Candidate &each) { return each.id == controlId; });
  std::vector<Candidate> untried = compareCandidates(replay, plan);
  journal.atRest();
  if (plan.isTold)
    proveTold(replay);
  else
    race(replay, plan.reserve);
  settle(std::move(untried));
  weigh(lastWeight());
  if (!plan.isTold)
    confirmBest(replay, mostConfirmed, [&](Candidate &candidate, size_t attempt) {
      bool hasTime = attempt == 0 || allowanceLeft() > plan.reserve;
      return hasTime ? confirm(replay, candidate, errorOfAttempt(attempt)) : Attempt::NotTimed;
    });
  removeWrong();
}

/// The candidates of the tuner on a replay, by their positions.
class ReplayTuner::ReplayPairs final : public PairTrack {
public:
  ReplayPairs(ReplayTuner &tuner, Replay &replay, double reserve)
      : tuner(tuner), replay(replay), reserve(reserve), spent(tuner.candidates.size()) {}

  bool time(size_t candidate, uint32_t count, std::vector<TimedPair> &pairs) override {
    auto start = std::chrono::steady_clock::now();
    bool isWhole = tuner.timePairs(replay, tuner.candidates[candidate], count, pairs);
    spent[candidate] += secondsSince(start);
    tuner.session.activities().count("budget left", tuner.session.secondsLeft());
    return isWhole;
  }
  bool paysForRound() const override { return tuner.allowanceLeft() > reserve; }
  /// What later samples will try comes before small gains.
  bool paysForFresh(uint32_t pairs) const override {
    return !tuner.leavesUntried() &&
           tuner.allowanceLeft() > double(pairs) * 2 * tuner.timedCosts().run;
  }
  /// Returns the seconds of each candidate's pairs.
  const std::vector<double> &seconds() const { return spent; }

private:
  ReplayTuner &tuner;
  Replay &replay;
  double reserve;
  std::vector<double> spent;
};

/// Times the candidates against the original until one is left or the allowance of this sample is
/// spent but for the reserve; a candidate that is eliminated at a later sample stays out.
void ReplayTuner::race(Replay &replay, double reserve) {
  ReplayPairs track(*this, replay, reserve);
  std::vector<std::vector<TimedPair>> all = racePairs(track, candidates.size());
  session.note(session.database().atomically([&] {
    for (size_t i = 0; i < candidates.size(); ++i)
      if (!all[i].empty()) {
        keep(candidates[i], all[i], gainOf(all[i]));
        journalTimed(candidates[i], all[i].size(), track.seconds()[i]);
      }
    return OrError<void>();
  }));
}

/// Gives the candidate that others told, if it is right, its first pairs, which are fresh.
void ReplayTuner::proveTold(Replay &replay) {
  if (candidates.empty())
    return;
  auto start = std::chrono::steady_clock::now();
  Candidate &candidate = candidates.front();
  Activity activity = activityOf("confirm", candidate);
  ReplayPairs track(*this, replay, /*reserve=*/0);
  FreshResult fresh =
      confirmByPairs(track, 0, candidate.standing.least, errorOfDecision, toldPairs);
  lacksFreshPairs = !fresh.gain;
  if (lacksFreshPairs)
    return;
  keep(candidate, fresh.pairs, *fresh.gain);
  judge(candidate, fresh.pairs, *fresh.gain, secondsSince(start));
}

/// Returns the typical times of the whole launch.
TimedPair ReplayTuner::typicalOf(std::span<const TimedPair> pairs, const Gain &gain) const {
  double whole = costs.original * 1e6;
  return part ? TimedPair{whole, whole / gain.ratio} : medians(pairs);
}

void ReplayTuner::keep(Candidate &candidate, std::span<const TimedPair> pairs, const Gain &gain) {
  TimedPair typical = typicalOf(pairs, gain);
  originalMicroseconds = typical.original;
  candidate.standing.add(sampled.size() - 1, {1, originalMicroseconds, gain});
  candidate.microseconds = typical.candidate;
}

/// A candidate that was timed on a part has not been compared.
void ReplayTuner::journalTimed(const Candidate &candidate, size_t pairs, double seconds) {
  journal.add(candidate.id, launches - 1, candidate.standing.samples.back(), candidate.microseconds,
              uint32_t(pairs), seconds, part ? "timed on part of the grid" : "timed");
}

/// Returns whether the candidate was timed at the last sample.
bool ReplayTuner::isTimed(const Candidate &candidate) const {
  return candidate.standing.isOfLast(sampled.size());
}

/// Keeps the best of those that were timed at this sample, and those that were never tried. One
/// that was timed before and not now falls out. If none was timed now, this sample does not count,
/// so that what was found before stays.
void ReplayTuner::settle(std::vector<Candidate> untried) {
  auto wasTimed = [](const Candidate &candidate) { return !candidate.standing.samples.empty(); };
  bool isTimedNow = std::ranges::any_of(candidates, [&](auto &each) { return isTimed(each); });
  if (!isTimedNow && std::ranges::any_of(candidates, wasTimed))
    sampled.pop_back();
  std::vector<Candidate> timed, rest;
  for (Candidate &candidate : candidates)
    if (isTimed(candidate)) {
      evidence.noteGain(ownClass, candidate.id, candidate.standing.gain());
      timed.push_back(std::move(candidate));
    } else if (!wasTimed(candidate)) {
      rest.push_back(std::move(candidate));
    }
  std::ranges::move(untried, std::back_inserter(rest));
  if (timed.empty() && !rest.empty())
    whyNone = "the budget was spent before a candidate had been timed";
  sortByLastSample(timed);
  if (timed.size() > mostRunnersUp)
    timed.resize(mostRunnersUp);
  candidates = std::move(timed);
  std::ranges::move(rest, std::back_inserter(candidates));
}

/// Brings those first that timings do not tell from the best, by what all classes know of them, and
/// the others by their gains.
void ReplayTuner::sortByLastSample(std::vector<Candidate> &timed) const {
  auto gainOf = [](const Candidate &each) -> const Gain & {
    return each.standing.samples.back().gain;
  };
  double best = 0;
  for (const Candidate &each : timed)
    best = std::max(best, gainOf(each).ratio);
  std::ranges::sort(timed, {}, [&](const Candidate &each) {
    const Gain &gain = gainOf(each);
    bool isApart = gain.high < best;
    return std::pair(isApart,
                     isApart ? -gain.ratio : evidence.shortfall(ownClass, each.id, gain, best));
  });
}

/// Confirms those that seem fastest. What was timed on a part is compared before, in a whole
/// launch, which must be faster, too.
void ReplayTuner::confirmBest(Replay &replay, size_t most,
                              const std::function<Attempt(Candidate &, size_t)> &confirm) {
  Attempt last = proveOne(
      standings(), most,
      [&](size_t position, size_t attempt) {
        Candidate &candidate = candidates[position];
        if (!replay.hasPart() || holdsAsAWhole(replay, candidate))
          return confirm(candidate, attempt);
        return candidate.isWrong ? Attempt::Wrong : isOver ? Attempt::NotTimed : Attempt::NotProved;
      },
      shortfall());
  lacksFreshPairs = last == Attempt::NotTimed;
}

bool ReplayTuner::holdsAsAWhole(Replay &replay, Candidate &candidate) {
  auto start = std::chrono::steady_clock::now();
  candidate.standing.withdrawProof();
  if (cudaError_t status = replay.restoreResult(); status != cudaSuccess)
    journal.fail(candidate.id, launches - 1, limitOf(replay), status);
  std::optional<double> microseconds = verifyLong(replay, candidate);
  if (!microseconds)
    return false;
  double original = replay.originalMicroseconds();
  SampledLaunch whole = {
      candidate.standing.samples.back().weight, original, {original / *microseconds}};
  journal.add(candidate.id, launches - 1, whole, *microseconds, 1, secondsSince(start), "verified");
  return whole.gain.ratio > candidate.standing.least;
}

void ReplayTuner::removeWrong() {
  std::erase_if(candidates, [](const Candidate &candidate) { return candidate.isWrong; });
}

/// The best of many candidates looks better than it is; fresh pairs are unbiased.
Attempt ReplayTuner::confirm(Replay &replay, Candidate &candidate, double error) {
  auto start = std::chrono::steady_clock::now();
  Activity activity = activityOf("confirm", candidate);
  ReplayPairs track(*this, replay, /*reserve=*/0);
  FreshResult fresh = confirmByPairs(track, size_t(&candidate - candidates.data()),
                                     candidate.standing.least, error);
  if (!fresh.gain)
    return Attempt::NotTimed;
  return judge(candidate, fresh.pairs, *fresh.gain, secondsSince(start));
}

Attempt ReplayTuner::judge(Candidate &candidate, std::span<const TimedPair> fresh, const Gain &gain,
                           double seconds) {
  TimedPair typical = typicalOf(fresh, gain);
  Standing &standing = candidate.standing;
  standing.confirm(typical.original, gain);
  candidate.microseconds = typical.candidate;
  journal.add(candidate.id, launches - 1, standing.samples.back(), typical.candidate,
              uint32_t(fresh.size()), seconds, standing.isProved() ? "confirmed" : "not confirmed");
  return standing.isProved() ? Attempt::Proved : Attempt::NotProved;
}

} // namespace regrain
