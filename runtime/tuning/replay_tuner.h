//===- replay_tuner.h - Measuring on copies of the data ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of the launches of a class, the 1st, 2nd, 4th, 8th, ... are sampled, which covers
// programs whose work shrinks or grows from launch to launch. At a sampled launch,
// the remaining candidates are verified and timed, as many as the class's allowance pays
// for; the choice minimises the time of all launches that the samples represent.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/long_race.h"
#include "runtime/tuning/measuring.h"
#include "runtime/tuning/replay.h"
#include "runtime/tuning/standing.h"

#include <string>
#include <vector>

namespace regrain {

class ReplayTuner final : public ClassTuner {
public:
  ReplayTuner(Measuring &session, TunableKernel &kernel, const LaunchClass &launchClass);

  [[nodiscard]] cudaError_t launch(const LaunchShape &program, void **arguments,
                                   cudaStream_t stream) override;
  void conclude() override;
  ClassAccount account() const override;
  bool mayBeSampled() const override;

private:
  struct Candidate {
    size_t index; ///< index into TunableKernel::candidates()
    std::string id;
    Standing standing = {};
    double microseconds = 0;   ///< its typical time at its last sample
    size_t verified = 0;       ///< samples at which its result was compared
    bool isBitwise = true;     ///< the original's result at all these, not the control's
    bool isVendors = false;    ///< code of the vendor's compiler, which may round otherwise
    bool isVariant = false;    ///< a kernel that the source offers
    bool reordersSums = false; ///< its sums have another order, so it rounds otherwise
    bool runsOriginal = false; ///< its launches alone differ from the original's
    uint32_t offeredUlps = 0;  ///< how far it may be from the original, as the source says
    uint64_t ulps = 0;         ///< the largest distance from the original for that reason
    bool isWrong = false;      ///< it is out, and removed at the end of the sample
  };
  class LongTrack;
  class ReplayPairs;

  static constexpr size_t mostSamples = 10; ///< of a class

  bool isDue() const;
  bool mayCostLess() const;
  cudaError_t sample(const LaunchShape &program, void **arguments, cudaStream_t stream);
  cudaError_t sampleWithin(const LaunchShape &program, void **arguments, cudaStream_t stream);
  cudaError_t replayWith(Replay &replay, const LaunchShape &program, void **arguments,
                         cudaStream_t stream);
  cudaError_t finish(Replay &replay);
  cudaError_t leaveUnsampled(const std::string &why, const LaunchShape &program, void **arguments,
                             cudaStream_t stream);
  /// Begins to do something with the candidate, such as "verify".
  Activity activityOf(const char *what, const Candidate &candidate) const;
  double limitOf(const Replay &replay) const;
  double limitOfControl(const Replay &replay) const;

  void beginBudget(const Replay &replay);
  /// Returns the seconds that this sample may still take.
  double allowanceLeft() const { return session.secondsLeft() - stopAt; }
  LaunchCosts timedCosts() const;
  RacePlan planFor(double allowance) const;
  std::optional<std::string> told() const;
  bool affordsSample(double allowance) const;
  double need() const;
  bool leavesUntried() const;
  void leaveAllUntried();
  void noteUnsampled();
  void noteUntried(const RacePlan &plan);
  std::optional<LaunchShape> findPart(const LaunchShape &program, void **arguments,
                                      cudaStream_t stream);
  void dropUnfit(const LaunchShape &program, void **arguments, cudaStream_t stream);
  Tolerance toleranceOfRuns() const;
  void dropExact(uint64_t ulps);
  void rank(const LaunchShape &program, void **arguments);
  void rankByCode(const LaunchShape &program, void **arguments);

  void measure(Replay &replay);
  void measureByPairs(Replay &replay, const RacePlan &plan);
  std::vector<Candidate> compareCandidates(Replay &replay, const RacePlan &plan);
  void measureLong(Replay &replay);
  Verification tryOnPart(Replay &replay, const Candidate &candidate);
  void confirmBest(Replay &replay, size_t most,
                   const std::function<Attempt(Candidate &, size_t)> &confirm);
  bool holdsAsAWhole(Replay &replay, Candidate &candidate);
  bool addControl(Replay &replay);
  uint32_t allowedUlps(const Candidate &candidate) const;
  bool mayDiffer(const Candidate &candidate) const;
  void admitRounding(Replay &replay, Candidate &candidate, Comparison &found);
  Verification runMarked(Replay &replay, Candidate &candidate);
  bool accept(Candidate &candidate, const Comparison &found);
  bool acceptWhole(Candidate &candidate, const Comparison &found);
  void removeWrong();
  std::optional<double> tryLong(Replay &replay, Candidate &candidate);
  std::optional<double> verifyLong(Replay &replay, Candidate &candidate);
  double timeOne(Replay &replay, Contestant contestant, const Candidate &last);
  bool timePairs(Replay &replay, Candidate &candidate, uint32_t count,
                 std::vector<TimedPair> &pairs);
  void race(Replay &replay, double reserve);
  void proveTold(Replay &replay);
  void keep(Candidate &candidate, std::span<const TimedPair> pairs, const Gain &gain);
  void journalTimed(const Candidate &candidate, size_t pairs, double seconds);
  TimedPair typicalOf(std::span<const TimedPair> pairs, const Gain &gain) const;
  bool isTimed(const Candidate &candidate) const;
  void settle(std::vector<Candidate> untried);
  void sortByLastSample(std::vector<Candidate> &timed) const;
  Attempt confirm(Replay &replay, Candidate &candidate, double error);
  Attempt confirmLong(LongRace &race, Candidate &candidate);
  Attempt judge(Candidate &candidate, std::span<const TimedPair> fresh, const Gain &gain,
                double seconds);
  void weigh(double lastWeight);
  double lastWeight() const;
  std::vector<const Standing *> standings() const;
  Shortfall shortfall() const;
  std::optional<size_t> fasterElsewhere(std::vector<const Standing *> all) const;
  void keepOriginal(const std::string &why);
  std::string partText() const;
  std::string howVerified(const Candidate *chosen) const;
  std::string whyNotChosen(const Candidate &best) const;
  std::string whyChosen(const Candidate &chosen, bool isProved) const;
  void decide();

  Measuring &session;
  TunableKernel &kernel;
  LaunchClass ownClass;
  ClassJournal journal;
  KernelEvidence &evidence;       ///< of the kernel
  std::optional<Surveyed> survey; ///< what the class takes in a whole run, if that is known
  /// Those that have not been eliminated: first the ones that were timed at each sample since their
  /// first, then the ones that were not tried yet.
  std::vector<Candidate> candidates;
  std::optional<size_t> control;    ///< its index; others may have its result
  bool hasControlRun = false;       ///< at this sample
  uint64_t launches = 0;            ///< seen so far
  unsigned givenUp = 0;             ///< consecutive samples that the process left no room for
  std::vector<uint64_t> sampled;    ///< numbers of the sampled launches
  uint64_t mostCompared = 0;        ///< bytes at one launch
  bool isOfArguments = false;       ///< in the comparisons at some sample
  bool isOnCopies = false;          ///< launches were repeated at some sample
  std::optional<uint64_t> mostUlps; ///< between original and control, if they differ
  std::optional<uint64_t> runsUlps; ///< between two runs of the original, if they differ
  double originalMicroseconds = 0;  ///< at the last sample
  LaunchCosts costs = {};           ///< at the last sample
  double spentSeconds = 0;          ///< at earlier samples
  BudgetState atBegin = {};         ///< of the sample
  /// What is timed in place of the whole launch, if that is enough and takes less time.
  std::optional<LaunchShape> part;
  double partShare = 1; ///< the blocks of what is timed, by those of the launch
  double stopAt = 0;    ///< what may be left of the whole budget at the sample's end
  std::string whyNone = "no candidate is left";
  bool lacksFreshPairs = false; ///< the best could not be confirmed at the last sample
  bool isRanked = false;
  std::string whyLeft;     ///< the last launch that was due was not sampled
  bool hasSaidWhy = false; ///< that no launch is sampled for lack of time
  bool isOver = false;     ///< measuring has ended
};

} // namespace regrain
