//===- replay_tuner.cpp - Measuring on copies of the data -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/replay_tuner.h"

#include "runtime/image/max_resident.h"
#include "runtime/image/sum_order.h"
#include "runtime/tuning/candidate_order.h"
#include "runtime/tuning/grid_part.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <new>
#include <utility>

namespace regrain {
namespace {

/// A candidate that exceeds this time, and this multiple of the original's, counts as
/// hanging.
constexpr double leastLimitMilliseconds = 2000, limitFactor = 100;
/// What comparing numbers on the host may take, for each MiB that has a copy.
constexpr double comparingMilliseconds = 20;
constexpr unsigned mostGivenUp = 3;

/// Returns how far the source says that the results of a variant may be from the original's.
uint32_t offeredUlps(const image::Kernel &kernel, std::string_view id) {
  for (const image::Alternative *alternative : *kernel.alternatives())
    if (alternative->id()->string_view() == id)
      return alternative->within_ulps();
  return 0;
}

/// Returns whether a launch at the grain runs the original's code, with fewer resident blocks.
bool runsOriginal(const Grain &grain) {
  return maxResidentOf(grain) && withAnyResidents(grain).isOriginal();
}

} // namespace

ReplayTuner::ReplayTuner(Measuring &session, TunableKernel &kernel, const LaunchClass &launchClass)
    : session(session), kernel(kernel), ownClass(launchClass),
      journal(session, kernel, launchClass), evidence(session.evidenceOf(journal.kernelKey())) {
  std::vector<std::string_view> ids = kernel.candidates();
  for (size_t index : journal.usableCandidates(kernel))
    candidates.push_back({.index = index,
                          .id = std::string(ids[index]),
                          .isVendors = ids[index].find("compiler=") != std::string_view::npos,
                          .isVariant = !kernel.candidateGrain(index).variant.empty(),
                          .reordersSums = reordersSums(ids[index]),
                          .runsOriginal = runsOriginal(kernel.candidateGrain(index)),
                          .offeredUlps = offeredUlps(kernel.entry(), ids[index])});
  for (Candidate &candidate : candidates) {
    if (candidate.id == controlId)
      control = candidate.index;
    if (candidate.isVendors)
      candidate.standing.least = leastVendorGain;
  }
  survey = session.meetSurveyed(journal.kernelKey(), journal.classText());
  if (!survey)
    return;
  double mean = survey->seconds / double(survey->launches);
  originalMicroseconds = mean * 1e6;
  costs = {mean, mean, mean};
}

/// Launch number n, from 0, is sampled where n + 1 is a power of two.
bool ReplayTuner::isDue() const {
  bool mayBe = !isOver && !candidates.empty() && sampled.size() < mostSamples &&
               std::has_single_bit(launches + 1) && session.secondsLeft() > 0;
  bool knowsCosts = !sampled.empty() || (survey && !mayCostLess());
  if (!mayBe || !knowsCosts)
    return mayBe;
  double allowance = allowanceOf(account(), session.budgetState());
  return allowance > 0 && affordsSample(allowance);
}

cudaError_t ReplayTuner::launch(const LaunchShape &program, void **arguments, cudaStream_t stream) {
  bool due = isDue();
  if (++launches == 1 && !candidates.empty() && session.secondsLeft() <= 0) {
    hasSaidWhy = true;
    journal.add(std::string(originalId), 0,
                "not tuned: the budget was spent before its first launch");
  }
  return due ? sample(program, arguments, stream)
             : kernel.launchOriginal(program, arguments, stream);
}

cudaError_t ReplayTuner::sample(const LaunchShape &program, void **arguments, cudaStream_t stream) {
  journal.noteLaunch(program, arguments);
  Activities &shown = session.activities();
  shown.onStream(stream);
  Activity activity(shown, "sample " + journal.kernelText(),
                    {{"kernel", journal.kernelText()},
                     {"class", journal.classText()},
                     {"launch", double(launches - 1)}});
  struct Sample {
    ReplayTuner &tuner;
    double before;
    ~Sample() {
      tuner.session.endSample();
      tuner.spentSeconds += before - tuner.session.secondsLeft();
    }
  } open = {*this, session.secondsLeft()};
  std::string whyNot;
  auto beginSample = [&] {
    Activity waits(shown, "wait for the program's other work");
    return session.beginSample(kernel, whyNot);
  };
  if (cudaError_t status = beginSample(); status != cudaSuccess) {
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
  whyLeft = why;
  if (++givenUp == mostGivenUp) {
    isOver = true;
    journal.add(std::string(originalId), launches - 1, "not replayed: " + why);
  }
  return kernel.launchOriginal(program, arguments, stream);
}

/// If the host runs out of memory, or the disk of space for the database, the program still gets
/// the original's result.
cudaError_t ReplayTuner::sampleWithin(const LaunchShape &program, void **arguments,
                                      cudaStream_t stream) {
  Replay replay(kernel, program, arguments, stream, session.mostCopies(), session.activities());
  try {
    return replayWith(replay, program, arguments, stream);
  } catch (const std::bad_alloc &) {
    isOver = true;
  } catch (const NotMarked &) {
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
  session.exempt(replay.ownSeconds());
  for (std::shared_ptr<void> &copy : replay.takeUnfinished())
    session.keepUntilIdle(std::move(copy));
  if (status != cudaSuccess) {
    isOver = true;
    return status;
  }
  if (whyNot.empty()) {
    dropUnfit(program, arguments, stream);
    rank(program, arguments);
    beginBudget(replay);
    part = findPart(program, arguments, stream);
    partShare = part ? double(product(part->grid)) / double(product(program.grid)) : 1;
    if (!affordsSample(allowanceLeft())) {
      leaveAllUntried();
      return cudaSuccess;
    }
    journal.atWork(std::string(originalId), double(replay.limit().count()) / 2);
    if (cudaError_t failed = replay.examine(toleranceOfRuns(), whyNot); failed != cudaSuccess)
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
  costs = replay.costs();
  if (std::optional<uint64_t> ulps = replay.ulpsOfRuns())
    dropExact(*ulps);
  measure(replay);
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

Activity ReplayTuner::activityOf(const char *what, const Candidate &candidate) const {
  return {session.activities(),
          what + (" " + candidate.id),
          {{"kernel", journal.kernelText()}, {"grain", candidate.id}}};
}

double ReplayTuner::limitOf(const Replay &replay) const {
  return leastLimitMilliseconds + limitFactor * replay.originalMicroseconds() / 1000;
}

/// Returns the limit of a run whose result is compared number by number.
double ReplayTuner::limitOfControl(const Replay &replay) const {
  CopyBytes copies = replay.copyBytes();
  return limitOf(replay) + comparingMilliseconds * double((copies.device + copies.host) >> 20);
}

/// Returns the part of a long launch that is timed in place of the whole; nothing if parts of the
/// grid are not known to do a part of the work, or some candidate cannot run on a part. The rule of
/// a variant may say how the whole work is done, whatever the grid is.
std::optional<LaunchShape> ReplayTuner::findPart(const LaunchShape &program, void **arguments,
                                                 cudaStream_t stream) {
  if (!kernel.entry().blocks_work_alone() || isClustered(program) || candidates.empty() ||
      costs.original < longLaunchSeconds || std::ranges::any_of(candidates, &Candidate::isVariant))
    return std::nullopt;
  uint64_t blocks = leastWaves * kernel.figuresOf(std::nullopt, program, arguments).residentBlocks;
  std::vector<Grain> grains;
  for (const Candidate &candidate : candidates) {
    const Grain &grain = kernel.candidateGrain(candidate.index);
    uint64_t launched = kernel.figuresOf(candidate.index, program, arguments).residentBlocks;
    blocks = std::max(blocks, leastWavesOfCandidate * launched * product(grain.block) *
                                  product(grain.fuse));
    grains.push_back(grain);
  }
  std::optional<Extent> grid = partOf(program.grid, blocks, costs.original, grains);
  LaunchShape shape = program;
  shape.grid = grid.value_or(program.grid);
  bool fitsAll = std::ranges::all_of(candidates, [&](const Candidate &candidate) {
    return kernel.fits(candidate.index, shape, arguments, stream);
  });
  return grid && fitsAll ? std::optional(shape) : std::nullopt;
}

void ReplayTuner::dropUnfit(const LaunchShape &program, void **arguments, cudaStream_t stream) {
  std::erase_if(candidates, [&](const Candidate &candidate) {
    Activity loads = activityOf("load", candidate);
    bool fits = kernel.fits(candidate.index, program, arguments, stream);
    if (!fits)
      journal.add(candidate.id, launches - 1,
                  "dropped: a launch of the class has a form that the grain does not support");
    return !fits;
  });
}

/// Brings the candidates into the order in which they are tried: after those that were timed, those
/// that won in other classes of the kernel, which other classes may have found since the last
/// sample.
void ReplayTuner::rank(const LaunchShape &program, void **arguments) {
  if (!std::exchange(isRanked, true))
    rankByCode(program, arguments);
  auto first = std::ranges::find_if(
      candidates, [](const Candidate &candidate) { return candidate.standing.samples.empty(); });
  std::optional<std::string> agreed = told();
  // A map keeps the order of those with the same number of wins.
  std::multimap<std::pair<bool, size_t>, Candidate, std::greater<>> untried;
  for (auto each = first; each != candidates.end(); ++each) {
    std::pair place(each->id == agreed, evidence.winsElsewhere(ownClass, each->id));
    untried.emplace(place, std::move(*each));
  }
  for (auto &[place, candidate] : untried)
    *first++ = std::move(candidate);
}

/// Brings them into the order in which their code lets expect the best first.
void ReplayTuner::rankByCode(const LaunchShape &program, void **arguments) {
  std::vector<RankedCode> codes;
  for (const Candidate &candidate : candidates)
    codes.push_back({kernel.candidateGrain(candidate.index),
                     kernel.figuresOf(candidate.index, program, arguments)});
  std::vector<Candidate> ranked;
  for (size_t position : rankCandidates(codes, kernel.figuresOf(std::nullopt, program, arguments)))
    ranked.push_back(std::move(candidates[position]));
  candidates = std::move(ranked);
}

void ReplayTuner::measure(Replay &replay) {
  hasControlRun = false;
  isOfArguments |= replay.isOfArguments();
  isOnCopies |= replay.isOnCopies();
  if (part)
    replay.timePart(part->grid);
  RacePlan plan = planFor(allowanceLeft());
  if (plan.isOfLongLaunches)
    measureLong(replay);
  else
    measureByPairs(replay, plan);
  if (isOver)
    return;
  noteUntried(plan);
  weigh(lastWeight());
  decide();
}

} // namespace regrain
