//===- replay_long.cpp - Candidates at one sampled launch that is long ----===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/replay_tuner.h"

#include <chrono>
#include <type_traits>

namespace regrain {
namespace {

/// Fresh pairs of long launches take as long as the race itself.
constexpr size_t mostConfirmedLong = 1;

} // namespace

/// The control runs only if some result differs from the original's, because its run takes as long
/// as that of a candidate. Returns the time, or nothing if the candidate is out.
std::optional<double> ReplayTuner::verifyLong(Replay &replay, Candidate &candidate) {
  candidate.isWrong = candidate.id == controlId && !control;
  if (candidate.isWrong)
    return std::nullopt;
  Verification run = runMarked(replay, candidate);
  bool mayEqualControl = control && session.ulps() != 0 && !hasControlRun;
  if (!run.found.difference.empty() && mayEqualControl) {
    isOver = !addControl(replay);
    if (!isOver && control)
      run = runMarked(replay, candidate);
  }
  journal.atRest();
  if (isOver)
    return std::nullopt; // nothing can be compared with the control
  return acceptWhole(candidate, run.found) ? std::optional(run.microseconds) : std::nullopt;
}

/// Runs a candidate for the first time in a race of long launches.
std::optional<double> ReplayTuner::tryLong(Replay &replay, Candidate &candidate) {
  if (!replay.hasPart())
    return verifyLong(replay, candidate);
  Verification run = tryOnPart(replay, candidate);
  journal.atRest();
  return accept(candidate, run.found) ? std::optional(run.microseconds) : std::nullopt;
}

/// Times one launch. If it fails, that is the fault of the candidate that ran last.
double ReplayTuner::timeOne(Replay &replay, Contestant contestant, const Candidate &last) {
  Activity activity(session.activities(), contestant ? "time " + last.id : "time original",
                    {{"kernel", journal.kernelText()},
                     {"grain", contestant ? last.id : std::string(originalId)}});
  double microseconds = 0;
  if (cudaError_t status = replay.timeOne(contestant, microseconds); status != cudaSuccess)
    journal.fail(last.id, launches - 1, limitOf(replay), status);
  activity.note("microseconds", microseconds);
  return microseconds;
}

/// The candidates of the tuner on a replay, by their positions.
class ReplayTuner::LongTrack final : public Track {
public:
  LongTrack(ReplayTuner &tuner, Replay &replay)
      : tuner(tuner), replay(replay), spent(tuner.candidates.size()) {}

  double secondsLeft() const override { return tuner.allowanceLeft() - withheld; }
  double timeOriginal() override {
    return during([&] { return tuner.timeOne(replay, std::nullopt, tuner.candidates[current]); });
  }
  std::optional<double> timeFirst(size_t candidate) override {
    current = candidate;
    return during([&] { return tuner.tryLong(replay, tuner.candidates[candidate]); });
  }
  double time(size_t candidate) override {
    current = candidate;
    const Candidate &own = tuner.candidates[candidate];
    return during([&] { return tuner.timeOne(replay, own.index, own); });
  }
  /// Returns the seconds of each candidate's runs, and of the original's after them.
  const std::vector<double> &seconds() const { return spent; }

  double withheld = 0; ///< seconds of the allowance that the race must leave

private:
  template <typename Run> std::invoke_result_t<Run> during(Run run) {
    auto start = std::chrono::steady_clock::now();
    auto result = run();
    spent[current] += secondsSince(start);
    tuner.session.activities().count("budget left", tuner.session.secondsLeft());
    return result;
  }

  ReplayTuner &tuner;
  Replay &replay;
  std::vector<double> spent;
  size_t current = 0;
};

void ReplayTuner::measureLong(Replay &replay) {
  LongTrack track(*this, replay);
  double original = replay.hasPart() ? track.timeOriginal() : replay.originalMicroseconds();
  LongRace race(track, candidates.size(), original, timedCosts());
  track.withheld = replay.hasPart() ? 2 * costs.verify : 0;
  race.select();
  track.withheld = 0;
  journal.atRest();
  journal.noteCopies(replay.copyBytes());
  std::vector<double> seconds = track.seconds();
  const std::vector<LongRace::Contestant> &all = race.contestants();
  for (size_t i = 0; i < all.size(); ++i)
    if (!all[i].pairs.empty())
      keep(candidates[i], all[i].pairs, race.gainOf(all[i].pairs));
  weigh(lastWeight());
  confirmBest(replay, mostConfirmedLong,
              [&](Candidate &candidate, size_t) { return confirmLong(race, candidate); });
  if (isOver) {
    sampled.pop_back();
    return;
  }
  session.note(session.database().atomically([&] {
    for (size_t i = 0; i < all.size(); ++i)
      if (!all[i].pairs.empty())
        journalTimed(candidates[i], all[i].pairs.size(), seconds[i]);
    return OrError<void>();
  }));
  removeWrong();
  settle({});
}

/// The fresh pairs narrow the scatter, and with it the intervals of the selection.
Attempt ReplayTuner::confirmLong(LongRace &race, Candidate &candidate) {
  auto start = std::chrono::steady_clock::now();
  Activity activity = activityOf("confirm", candidate);
  std::vector<TimedPair> fresh = race.confirm(size_t(&candidate - candidates.data()));
  if (fresh.empty())
    return Attempt::NotTimed;
  for (size_t i = 0; i < candidates.size(); ++i)
    if (!race.contestants()[i].pairs.empty())
      candidates[i].standing.samples.back().gain = race.gainOf(race.contestants()[i].pairs);
  return judge(candidate, fresh, race.gainOf(fresh), secondsSince(start));
}

} // namespace regrain
