//===- replay_tuner.cpp - Measuring on copies of the data -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/replay_tuner.h"

#include "runtime/image/grain.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

namespace regrain {
namespace {

constexpr size_t mostSamples = 10;
/// The number of candidates that are timed again at later samples.
constexpr size_t mostRunnersUp = 4;
/// The fractions of the remaining time that one sampled launch may take: the
/// first one, and each later one.
constexpr double shareOfFirst = 0.2, shareOfLater = 0.05;
/// A candidate that exceeds this time, and this multiple of the original's, counts as
/// hanging.
constexpr double leastLimitMilliseconds = 2000, limitFactor = 100;
constexpr unsigned mostGivenUp = 3;

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

ReplayTuner::ReplayTuner(Measuring &session, TunableKernel &kernel, const LaunchClass &launchClass)
    : session(session), kernel(kernel), journal(session, kernel, launchClass) {
  std::vector<std::string_view> ids = kernel.candidates();
  for (size_t index : journal.usableCandidates(kernel))
    candidates.push_back({index, std::string(ids[index]), {}, {}});
  for (const Candidate &candidate : candidates)
    if (candidate.id == controlId)
      control = candidate.index;
}

/// Launch number n, from 0, is sampled where n + 1 is a power of two.
bool ReplayTuner::isDue() const {
  uint64_t number = launches + 1;
  return !isOver && !candidates.empty() && sampled.size() < mostSamples &&
         (number & (number - 1)) == 0 && session.secondsLeft() > 0;
}

cudaError_t ReplayTuner::launch(const LaunchShape &program, void **arguments, cudaStream_t stream) {
  bool due = isDue();
  ++launches;
  return due ? sample(program, arguments, stream)
             : kernel.launchOriginal(program, arguments, stream);
}

cudaError_t ReplayTuner::sample(const LaunchShape &program, void **arguments, cudaStream_t stream) {
  struct Sample {
    Measuring &session;
    ~Sample() { session.endSample(); }
  } open = {session};
  std::string whyNot;
  if (cudaError_t status = session.beginSample(kernel, whyNot); status != cudaSuccess) {
    isOver = true;
    return status;
  }
  if (!whyNot.empty())
    return leaveUnsampled(whyNot, program, arguments, stream);
  givenUp = 0;
  return sampleWithin(program, arguments, stream);
}

/// Without this, a process that is never idle would wait at each launch that is
/// due.
cudaError_t ReplayTuner::leaveUnsampled(const std::string &why, const LaunchShape &program,
                                        void **arguments, cudaStream_t stream) {
  if (++givenUp == mostGivenUp) {
    isOver = true;
    journal.add(std::string(originalId), launches - 1, "not replayed: " + why);
  }
  return kernel.launchOriginal(program, arguments, stream);
}

/// If the host runs out of memory, the program still gets the original's result.
cudaError_t ReplayTuner::sampleWithin(const LaunchShape &program, void **arguments,
                                      cudaStream_t stream) {
  Replay replay(kernel, program, arguments, stream, session.mostCopies());
  try {
    return replayWith(replay, program, arguments, stream);
  } catch (const std::bad_alloc &) {
    isOver = true;
  }
  if (!replay.hasLaunched())
    return kernel.launchOriginal(program, arguments, stream);
  try {
    cudaError_t status = replay.hasRepeated() ? finish(replay) : cudaSuccess;
    journal.atRest();
    return status;
  } catch (const std::bad_alloc &) {
    session.startWithout(
        "memory ran out while the data of a launch was restored; the program is started again "
        "without tuning");
  }
}

cudaError_t ReplayTuner::replayWith(Replay &replay, const LaunchShape &program, void **arguments,
                                    cudaStream_t stream) {
  std::string whyNot;
  cudaError_t status = replay.begin(session.patience(), whyNot);
  if (std::unique_ptr<Snapshot> copy = replay.takeUnfinished())
    session.keepUntilIdle(std::move(copy));
  if (status != cudaSuccess) {
    isOver = true;
    return status;
  }
  if (whyNot.empty()) {
    journal.atWork(std::string(originalId), double(replay.limit().count()) / 2);
    if (cudaError_t failed = replay.examine(whyNot); failed != cudaSuccess)
      journal.fail(std::string(originalId), launches - 1, limitOf(replay), failed);
  }
  if (!whyNot.empty()) {
    isOver = true;
    journal.atRest();
    journal.add(std::string(originalId), launches - 1, "not replayed: " + whyNot);
    if (!replay.repeatsItself()) {
      originalMicroseconds = replay.originalMicroseconds();
      keepOriginal(whyNot);
    }
    return cudaSuccess;
  }
  sampled.push_back(launches - 1);
  mostCompared = std::max(mostCompared, replay.comparedBytes());
  originalMicroseconds = replay.originalMicroseconds();
  measure(replay, program, arguments, stream);
  return finish(replay);
}

cudaError_t ReplayTuner::finish(Replay &replay) {
  std::string difference;
  cudaError_t status = replay.finish(difference);
  if (!difference.empty()) {
    isOver = true;
    // Any of the candidates may be the cause.
    keepOriginal("a candidate gave a different result while it was timed: it " + difference);
  }
  return status;
}

/// Replaces any choice for the class from this session or an earlier one.
void ReplayTuner::keepOriginal(const std::string &why) {
  candidates.clear();
  whyNone = why;
  decide();
}

void ReplayTuner::measure(Replay &replay, const LaunchShape &program, void **arguments,
                          cudaStream_t stream) {
  std::erase_if(candidates, [&](const Candidate &candidate) {
    bool fits = kernel.fits(candidate.index, program, arguments, stream);
    if (!fits)
      journal.add(candidate.id, launches - 1,
                  "dropped: a launch of the class has a form that the grain does not support");
    return !fits;
  });
  if (!addControl(replay)) {
    journal.atRest();
    isOver = true;
    sampled.pop_back();
    return;
  }
  journal.noteCopies(replay.copyBytes());
  isOfArguments |= replay.isOfArguments();
  std::erase_if(candidates, [&](Candidate &candidate) { return !verify(replay, candidate); });
  journal.atRest();
  race(replay);
  uint64_t last = sampled.back();
  weigh(sampled.size() > 1 ? double(last - sampled[sampled.size() - 2]) : 1);
  confirm(replay);
  decide();
}

/// Runs the control at every sample, even if it is no longer a candidate itself. If no
/// ulps are allowed, it is a candidate like any other. Returns false if candidates
/// cannot be compared at this launch.
bool ReplayTuner::addControl(Replay &replay) {
  if (!control || session.ulps() == 0)
    return true;
  journal.atWork(std::string(controlId), limitOf(replay));
  std::string difference, whyNot;
  cudaError_t status = replay.addControl(*control, session.ulps(), difference, whyNot);
  if (status != cudaSuccess)
    journal.fail(std::string(controlId), launches - 1, limitOf(replay), status);
  if (std::optional<uint64_t> ulps = replay.ulpsOfControl())
    mostUlps = std::max(mostUlps.value_or(0), *ulps);
  if (!whyNot.empty())
    journal.add(std::string(originalId), launches - 1, "not replayed: " + whyNot);
  if (difference.empty())
    return whyNot.empty();
  journal.exclude(std::string(controlId), launches - 1, difference);
  std::erase_if(candidates, [](const Candidate &candidate) { return candidate.id == controlId; });
  control.reset();
  return true;
}

/// The candidate is marked in the database while it runs, so that the supervisor knows
/// which one ran when the process died. This happens at every sample: a candidate that
/// is correct at one may crash at the next.
bool ReplayTuner::verify(Replay &replay, Candidate &candidate) {
  journal.atWork(candidate.id, limitOf(replay));
  Comparison found;
  if (cudaError_t status = replay.verify(candidate.index, found); status != cudaSuccess)
    journal.fail(candidate.id, launches - 1, limitOf(replay), status);
  if (!found.difference.empty())
    journal.exclude(candidate.id, launches - 1, found.difference);
  candidate.isBitwise &= found.isBitwise;
  return found.difference.empty();
}

double ReplayTuner::limitOf(const Replay &replay) const {
  return leastLimitMilliseconds + limitFactor * replay.originalMicroseconds() / 1000;
}

/// Adds pairs; returns false if the budget of the whole run is spent.
bool ReplayTuner::timePairs(Replay &replay, Candidate &candidate, uint32_t count,
                            std::vector<TimedPair> &pairs) {
  for (uint32_t i = 0; i < count; ++i) {
    if (session.secondsLeft() <= 0)
      return false;
    TimedPair pair = {};
    if (cudaError_t status = replay.time(candidate.index, pair); status != cudaSuccess)
      journal.fail(candidate.id, launches - 1, limitOf(replay), status);
    pairs.push_back(pair);
  }
  return true;
}

/// Times the candidates against the original until one is left or this sample's
/// part of the budget is spent; a candidate that is eliminated at a later sample
/// stays out.
void ReplayTuner::race(Replay &replay) {
  if (candidates.empty())
    return;
  double share = sampled.size() == 1 ? shareOfFirst : shareOfLater;
  double stopAt = session.secondsLeft() * (1 - share);
  std::vector<std::vector<TimedPair>> all(candidates.size());
  std::vector<double> seconds(candidates.size());
  Halving halving(candidates.size());
  bool goesOn = true;
  while (goesOn) {
    std::vector<Gain> gains;
    for (size_t index : halving.alive()) {
      auto start = std::chrono::steady_clock::now();
      std::vector<TimedPair> fresh;
      goesOn = timePairs(replay, candidates[index], halving.pairs(), fresh) && goesOn;
      gains.push_back(fresh.empty() ? Gain{} : gainOf(fresh));
      all[index].insert(all[index].end(), fresh.begin(), fresh.end());
      seconds[index] += secondsSince(start);
    }
    goesOn = goesOn && session.secondsLeft() > stopAt && halving.next(gains);
  }
  session.note(session.database().atomically([&] {
    for (size_t i = 0; i < candidates.size(); ++i)
      keep(candidates[i], all[i], seconds[i]);
    return OrError<void>();
  }));
  std::erase_if(candidates,
                [&](const Candidate &each) { return each.samples.size() < sampled.size(); });
  if (candidates.empty())
    whyNone = "the budget was spent before a candidate had been timed at each sampled launch";
  std::sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) {
    return a.samples.back().gain.ratio > b.samples.back().gain.ratio;
  });
  if (candidates.size() > mostRunnersUp)
    candidates.resize(mostRunnersUp);
}

/// A candidate that was not timed is eliminated.
void ReplayTuner::keep(Candidate &candidate, const std::vector<TimedPair> &pairs, double seconds) {
  if (pairs.empty())
    return;
  TimedPair typical = medians(pairs);
  originalMicroseconds = typical.original;
  candidate.samples.push_back({1, originalMicroseconds, gainOf(pairs)});
  candidate.microseconds.push_back(typical.candidate);
  journal.add(candidate.id, launches - 1, candidate.samples.back(), candidate.microseconds.back(),
              uint32_t(pairs.size()), seconds, "timed");
}

/// Sample i represents the launches before sample i + 1.
void ReplayTuner::weigh(double lastWeight) {
  for (Candidate &candidate : candidates)
    for (size_t i = 0; i < candidate.samples.size(); ++i)
      candidate.samples[i].weight =
          i + 1 < sampled.size() ? double(sampled[i + 1] - sampled[i]) : lastWeight;
}

ReplayTuner::Candidate *ReplayTuner::leader(Gain &gain) {
  Candidate *best = nullptr;
  for (Candidate &candidate : candidates)
    if (Gain own = summedGain(candidate.samples); !best || own.ratio > gain.ratio) {
      best = &candidate;
      gain = own;
    }
  return best;
}

/// The best of many candidates looks better than it is; fresh pairs are
/// unbiased.
void ReplayTuner::confirm(Replay &replay) {
  Gain gain;
  Candidate *best = leader(gain);
  if (!best || !wins(gain))
    return;
  auto start = std::chrono::steady_clock::now();
  std::vector<TimedPair> fresh;
  bool isWhole = timePairs(replay, *best, confirmingPairs, fresh);
  if (!isWhole && fresh.size() < leastPairs)
    return;
  TimedPair typical = medians(fresh);
  SampledLaunch again = {best->samples.back().weight, typical.original, gainOf(fresh)};
  best->isConfirmed = wins(again.gain);
  journal.add(best->id, launches - 1, again, typical.candidate, uint32_t(fresh.size()),
              secondsSince(start), best->isConfirmed ? "confirmed" : "not confirmed");
}

/// Describes the chosen candidate, or, if that is the original, all that were
/// compared.
std::string ReplayTuner::howVerified(const Candidate *chosen) const {
  bool isBitwise = chosen ? chosen->isBitwise : !mostUlps;
  return (isBitwise ? "bitwise"
                    : "equal to the original or the control (control within " +
                          std::to_string(session.ulps()) + " ulps, " +
                          std::to_string(mostUlps.value_or(0)) + " seen)") +
         ", " + std::to_string(sampled.size()) +
         (sampled.size() == 1 ? " launch, " : " launches, ") + std::to_string(mostCompared >> 20) +
         " MiB compared" + (isOfArguments ? ", only memory that the arguments point to" : "");
}

void ReplayTuner::decide() {
  Choice choice;
  choice.alternative = originalId;
  choice.launches = uint32_t(sampled.size());
  choice.originalMicroseconds = choice.chosenMicroseconds = originalMicroseconds;
  choice.verified = howVerified(nullptr);
  Gain gain;
  Candidate *best = leader(gain);
  if (!best) {
    choice.verdict = whyNone;
  } else {
    choice.gain = gain;
    bool isChosen = wins(gain) && best->isConfirmed;
    if (isChosen) {
      choice.alternative = best->id;
      choice.verified = howVerified(best);
      choice.originalMicroseconds = best->samples.back().originalMicroseconds;
      choice.chosenMicroseconds = best->microseconds.back();
    }
    choice.verdict = isChosen ? "faster"
                     : wins(gain)
                         ? best->id + " seemed faster, but new measurements did not confirm it"
                         : "no grain is measurably faster; best " + best->id;
  }
  journal.choose(std::move(choice));
}

/// The last sample represents all launches after it.
void ReplayTuner::conclude() {
  if (sampled.empty())
    return;
  weigh(double(launches - sampled.back()));
  decide();
}

} // namespace regrain
