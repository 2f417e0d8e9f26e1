//===- class_tuner.cpp - Measuring one class of launches ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/class_tuner.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <unistd.h>
#include <utility>

namespace regrain {
namespace {

constexpr size_t mostSamples = 10;
/// Who is timed again at later samples.
constexpr size_t mostRunnersUp = 4;
/// Of the time left, what one sampled launch may take: the first, each later one.
constexpr double shareOfFirst = 0.2, shareOfLater = 0.05;
/// A candidate that takes longer than this, or than that many times the original, hangs.
constexpr double leastLimitMilliseconds = 2000, limitFactor = 100;

int64_t nowMilliseconds() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

} // namespace

ClassTuner::ClassTuner(Measuring &session, TunableKernel &kernel, const LaunchClass &launchClass)
    : session(session), kernel(kernel), kernelName(kernel.entry().name()->str()),
      className(toString(launchClass)), key(session.keyOf(kernel)),
      leftWhenRecorded(session.secondsLeft()) {
  std::vector<std::string_view> ids = kernel.candidates();
  for (size_t i = 0; i < ids.size(); ++i)
    candidates.push_back({i, std::string(ids[i]), {}, {}});
  readExclusions();
}

void ClassTuner::readExclusions() {
  std::vector<Exclusion> excluded;
  session.note(session.database().exclusions(key, excluded));
  std::erase_if(candidates, [&](const Candidate &candidate) {
    auto found = std::find_if(excluded.begin(), excluded.end(), [&](const Exclusion &each) {
      return each.alternative == candidate.id;
    });
    if (found != excluded.end())
      record(candidate.id, nullptr, 0, 0, "excluded: " + found->reason);
    return found != excluded.end();
  });
}

/// Launch number n, from 0, is sampled where n + 1 is a power of two.
bool ClassTuner::isDue() const {
  uint64_t number = launches + 1;
  return !isOver && !candidates.empty() && sampled.size() < mostSamples &&
         (number & (number - 1)) == 0 && session.secondsLeft() > 0;
}

cudaError_t ClassTuner::launch(const LaunchShape &program, void **arguments, cudaStream_t stream) {
  bool due = isDue();
  ++launches;
  return due ? sample(program, arguments, stream)
             : kernel.launchOriginal(program, arguments, stream);
}

cudaError_t ClassTuner::sample(const LaunchShape &program, void **arguments, cudaStream_t stream) {
  leftWhenRecorded = session.secondsLeft();
  session.beginSample();
  cudaError_t status = sampleWithin(program, arguments, stream);
  session.endSample();
  return status;
}

cudaError_t ClassTuner::sampleWithin(const LaunchShape &program, void **arguments,
                                     cudaStream_t stream) {
  Replay replay(kernel, program, arguments, stream);
  std::string whyNot;
  if (cudaError_t status = replay.begin(whyNot); status != cudaSuccess) {
    isOver = true;
    return status;
  }
  if (!whyNot.empty()) {
    isOver = true;
    record("original", nullptr, 0, 0, "not replayed: " + whyNot);
    return cudaSuccess;
  }
  sampled.push_back(launches - 1);
  mostCompared = std::max(mostCompared, replay.comparedBytes());
  originalMicroseconds = replay.originalMicroseconds();
  measure(replay, program, arguments);
  std::string difference;
  cudaError_t status = replay.finish(difference);
  if (!difference.empty()) {
    isOver = true;
    candidates.clear(); // any of them may have done it
    whyNone = "a candidate gave another result when it was timed: it " + difference;
    decide();
  }
  return status;
}

void ClassTuner::measure(Replay &replay, const LaunchShape &program, void **arguments) {
  std::erase_if(candidates, [&](const Candidate &candidate) {
    bool fits = kernel.fits(candidate.index, program, arguments);
    if (!fits)
      record(candidate.id, nullptr, 0, 0, "dropped: a launch of the class does not fit it");
    return !fits;
  });
  std::erase_if(candidates, [&](Candidate &candidate) { return !verify(replay, candidate); });
  race(replay);
  uint64_t last = sampled.back();
  weigh(sampled.size() > 1 ? double(last - sampled[sampled.size() - 2]) : 1);
  confirm(replay);
  decide();
}

Underway ClassTuner::underwayAs(Replay &replay, const Candidate &candidate) const {
  double limit = leastLimitMilliseconds + limitFactor * replay.originalMicroseconds() / 1000;
  return {key,      kernelName,        className,     candidate.id, session.sessionName(),
          getpid(), nowMilliseconds(), int64_t(limit)};
}

/// The row that stays tells the supervisor who was at work, whenever that was.
void ClassTuner::giveUp(Replay &replay, const Candidate &candidate, cudaError_t status) {
  std::string reason = "failed with CUDA error " + std::to_string(status);
  exclude(candidate, reason);
  session.note(session.database().begin(underwayAs(replay, candidate)));
  session.giveUp(kernelName + " at " + candidate.id + " " + reason);
}

/// Stands in the database while it runs for the first time, so that the supervisor
/// knows who was at work when the process died.
bool ClassTuner::verify(Replay &replay, Candidate &candidate) {
  Underway underway = underwayAs(replay, candidate);
  bool isFirst = !candidate.wasVerified;
  if (isFirst)
    session.note(session.database().begin(underway));
  std::string difference;
  cudaError_t status = replay.verify(candidate.index, difference);
  if (status != cudaSuccess)
    giveUp(replay, candidate, status);
  if (isFirst)
    session.note(session.database().end(underway));
  candidate.wasVerified = true;
  if (!difference.empty())
    exclude(candidate, difference);
  return difference.empty();
}

void ClassTuner::exclude(const Candidate &candidate, const std::string &reason) {
  session.note(
      session.database().put(Exclusion{key, kernelName, candidate.id, reason, /*when=*/{}}));
  record(candidate.id, nullptr, 0, 0, "excluded: " + reason);
}

/// Adds pairs; false where the budget of the whole run is spent.
bool ClassTuner::timePairs(Replay &replay, Candidate &candidate, uint32_t count,
                           std::vector<TimedPair> &pairs) {
  for (uint32_t i = 0; i < count; ++i) {
    if (session.secondsLeft() <= 0)
      return false;
    TimedPair pair = {};
    if (cudaError_t status = replay.time(candidate.index, pair); status != cudaSuccess)
      giveUp(replay, candidate, status);
    pairs.push_back(pair);
  }
  return true;
}

/// Times the candidates against the original until one is left or the share of the
/// budget is spent; who falls out at a later sample stays out.
void ClassTuner::race(Replay &replay) {
  if (candidates.empty())
    return;
  double share = sampled.size() == 1 ? shareOfFirst : shareOfLater;
  double stopAt = session.secondsLeft() * (1 - share);
  std::vector<std::vector<TimedPair>> all(candidates.size());
  Halving halving(candidates.size());
  bool goesOn = true;
  while (goesOn) {
    std::vector<Gain> gains;
    for (size_t index : halving.alive()) {
      std::vector<TimedPair> fresh;
      goesOn = timePairs(replay, candidates[index], halving.pairs(), fresh) && goesOn;
      gains.push_back(fresh.empty() ? Gain{} : gainOf(fresh));
      all[index].insert(all[index].end(), fresh.begin(), fresh.end());
    }
    goesOn = goesOn && session.secondsLeft() > stopAt && halving.next(gains);
  }
  for (size_t i = 0; i < candidates.size(); ++i)
    keep(candidates[i], all[i]);
  std::erase_if(candidates,
                [&](const Candidate &each) { return each.samples.size() < sampled.size(); });
  std::sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) {
    return a.samples.back().gain.ratio > b.samples.back().gain.ratio;
  });
  if (candidates.size() > mostRunnersUp)
    candidates.resize(mostRunnersUp);
}

/// A candidate that was not timed drops out.
void ClassTuner::keep(Candidate &candidate, const std::vector<TimedPair> &pairs) {
  if (pairs.empty())
    return;
  std::vector<double> originals, own;
  for (const TimedPair &pair : pairs) {
    originals.push_back(pair.original);
    own.push_back(pair.candidate);
  }
  originalMicroseconds = median(originals);
  candidate.samples.push_back({1, originalMicroseconds, gainOf(pairs)});
  candidate.microseconds.push_back(median(own));
  record(candidate.id, &candidate.samples.back(), candidate.microseconds.back(),
         uint32_t(pairs.size()), "timed");
}

/// Sample i stands for the launches until sample i + 1.
void ClassTuner::weigh(double lastWeight) {
  for (Candidate &candidate : candidates)
    for (size_t i = 0; i < candidate.samples.size(); ++i)
      candidate.samples[i].weight =
          i + 1 < sampled.size() ? double(sampled[i + 1] - sampled[i]) : lastWeight;
}

ClassTuner::Candidate *ClassTuner::leader(Gain &gain) {
  Candidate *best = nullptr;
  for (Candidate &candidate : candidates)
    if (Gain own = summedGain(candidate.samples); !best || own.ratio > gain.ratio) {
      best = &candidate;
      gain = own;
    }
  return best;
}

/// The best of many looks better than it is; fresh pairs do not.
void ClassTuner::confirm(Replay &replay) {
  Gain gain;
  Candidate *best = leader(gain);
  if (!best || !wins(gain))
    return;
  std::vector<TimedPair> fresh;
  bool isWhole = timePairs(replay, *best, confirmingPairs, fresh);
  if (!isWhole && fresh.size() < leastPairs)
    return;
  SampledLaunch again = {best->samples.back().weight, best->samples.back().originalMicroseconds,
                         gainOf(fresh)};
  best->isConfirmed = wins(again.gain);
  record(best->id, &again, best->microseconds.back(), uint32_t(fresh.size()),
         best->isConfirmed ? "confirmed" : "not confirmed");
}

void ClassTuner::decide() {
  Choice choice;
  choice.kernel = key;
  choice.kernelName = kernelName;
  choice.launchClass = className;
  choice.alternative = "original";
  choice.launches = uint32_t(sampled.size());
  choice.originalMicroseconds = choice.chosenMicroseconds = originalMicroseconds;
  choice.verified = "bitwise, " + std::to_string(sampled.size()) +
                    (sampled.size() == 1 ? " launch, " : " launches, ") +
                    std::to_string(mostCompared >> 20) + " MiB compared";
  Gain gain;
  Candidate *best = leader(gain);
  if (!best) {
    choice.verdict = whyNone;
  } else {
    choice.gain = gain;
    bool isChosen = wins(gain) && best->isConfirmed;
    if (isChosen) {
      choice.alternative = best->id;
      choice.originalMicroseconds = best->samples.back().originalMicroseconds;
      choice.chosenMicroseconds = best->microseconds.back();
    }
    choice.verdict = isChosen     ? "faster"
                     : wins(gain) ? "the gain of " + best->id + " was not confirmed"
                                  : "no candidate is faster beyond the noise; best " + best->id;
  }
  session.note(session.database().put(choice));
}

/// The last sample stands for all launches that came after it.
void ClassTuner::conclude() {
  if (sampled.empty())
    return;
  weigh(double(launches - sampled.back()));
  decide();
}

void ClassTuner::record(const std::string &id, const SampledLaunch *sample, double microseconds,
                        uint32_t pairs, const std::string &outcome) {
  Measurement measurement;
  measurement.kernel = key;
  measurement.kernelName = kernelName;
  measurement.launchClass = className;
  measurement.alternative = id;
  measurement.session = session.sessionName();
  measurement.launch = uint32_t(sampled.empty() ? 0 : sampled.back());
  if (sample) {
    measurement.weight = sample->weight;
    measurement.originalMicroseconds = sample->originalMicroseconds;
    measurement.gain = sample->gain;
  }
  measurement.candidateMicroseconds = microseconds;
  measurement.pairs = pairs;
  measurement.outcome = outcome;
  double left = session.secondsLeft();
  measurement.seconds = std::exchange(leftWhenRecorded, left) - left;
  session.note(session.database().add(measurement));
}

} // namespace regrain
