//===- in_place_tuner.cpp - Measuring without copies ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/in_place_tuner.h"

#include "runtime/image/grain.h"
#include "runtime/image/sum_order.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace regrain {
namespace {

/// When this many launches are pending, the tuner waits for their times;
/// otherwise it collects times as launches end.
constexpr size_t mostPending = 64;
constexpr double hangMilliseconds = 30000;
constexpr double leastMicroseconds = 0.01;
/// A launch that takes longer than this may wait for the program's next action.
constexpr std::chrono::seconds longestWait(3);
constexpr std::chrono::milliseconds betweenLooks(1);

} // namespace

InPlaceTuner::InPlaceTuner(Measuring &session, TunableKernel &kernel,
                           const LaunchClass &launchClass, bool mayRunUnverified)
    : kernel(kernel), device(kernel.tuningDevice()), shown(session.activities()),
      journal(session, kernel, launchClass) {
  std::vector<std::string> verified = journal.verifiedCandidates();
  std::vector<std::string_view> ids = kernel.candidates();
  for (size_t index : journal.usableCandidates(kernel)) {
    std::string id(ids[index]);
    bool isVerified = std::binary_search(verified.begin(), verified.end(), id);
    bool mayRun = mayRunUnverified && !isOffered(id);
    if (isVerified || mayRun)
      candidates.push_back({index, id, isVerified, {}, {}});
    else if (mayRunUnverified)
      journal.add(id, 0,
                  "not tuned: only a comparison shows that what the source offers is right; tune "
                  "with --mode=replay first");
  }
  if (candidates.empty())
    journal.add(
        "original", 0,
        "not tuned: no candidate has been compared with the original for this class; tune with "
        "--mode=replay first, or allow such candidates with --unverified");
  halving.emplace(candidates.size());
  planRound();
}

/// Plans the pairs of a round: the candidates take turns, so that drift affects all
/// alike.
void InPlaceTuner::planRound() {
  if (candidates.empty())
    phase = Phase::Over;
  if (phase == Phase::Over)
    return;
  bool confirms = phase == Phase::Confirming;
  uint32_t pairs = confirms ? confirmingPairs : halving->pairs();
  for (uint32_t i = 0; i < pairs; ++i)
    if (confirms)
      turns.push_back(*leader);
    else
      turns.insert(turns.end(), halving->alive().begin(), halving->alive().end());
}

cudaError_t InPlaceTuner::launch(const LaunchShape &program, void **arguments,
                                 cudaStream_t stream) {
  ++launches;
  if (phase != Phase::Over) {
    bool isWhole = collect(/*waits=*/turns.empty() || pending.size() > mostPending);
    if (isWhole && turns.empty())
      endRound();
  }
  if (phase == Phase::Over) {
    if (chosen && kernel.fits(candidates[*chosen].index, program, arguments, stream))
      return kernel.launchCandidate(candidates[*chosen].index, program, arguments, stream);
    return kernel.launchOriginal(program, arguments, stream);
  }
  journal.noteLaunch(program, arguments);
  size_t turn = turns.front();
  if (!kernel.fits(candidates[turn].index, program, arguments, stream)) {
    std::erase(turns, turn);
    isSecondOfPair = false;
    return kernel.launchOriginal(program, arguments, stream);
  }
  bool isOriginal = !isSecondOfPair;
  isSecondOfPair = !isSecondOfPair;
  if (!isOriginal)
    turns.pop_front();
  return launchTimed(turn, isOriginal, program, arguments, stream);
}

/// Waits for a candidate that never ran here, so that the supervisor knows which one
/// failed.
cudaError_t InPlaceTuner::launchFirst(Candidate &candidate, const LaunchShape &program,
                                      void **arguments, cudaStream_t stream) {
  try {
    journal.atWork(candidate.id, hangMilliseconds);
  } catch (const NotMarked &) {
    phase = Phase::Over;
    return kernel.launchOriginal(program, arguments, stream);
  }
  cudaError_t status = kernel.launchCandidate(candidate.index, program, arguments, stream);
  if (status == cudaSuccess)
    status = device.synchronize();
  if (status != cudaSuccess)
    journal.fail(candidate.id, launches - 1, hangMilliseconds, status);
  journal.atRest();
  return status;
}

void InPlaceTuner::giveUp(const std::string &reason) {
  phase = Phase::Over;
  journal.add("original", launches - 1, "not tuned: " + reason);
}

cudaError_t InPlaceTuner::launchTimed(size_t turn, bool isOriginal, const LaunchShape &program,
                                      void **arguments, cudaStream_t stream) {
  Candidate &candidate = candidates[turn];
  shown.onStream(stream);
  std::string id = isOriginal ? std::string(originalId) : candidate.id;
  Activity activity(shown, "launch " + id, {{"kernel", journal.kernelText()}, {"grain", id}});
  std::optional<LaunchTimer> timer = LaunchTimer::begin(device, stream);
  if (!timer) {
    giveUp("the device cannot time a launch");
    return kernel.launchOriginal(program, arguments, stream);
  }
  LaunchTimer &timed = pending.emplace_back(turn, isOriginal, std::move(*timer)).timer;
  cudaError_t status;
  if (isOriginal)
    status = kernel.launchOriginal(program, arguments, stream);
  else if (!std::exchange(candidate.hasRun, true))
    status = launchFirst(candidate, program, arguments, stream);
  else
    status = kernel.launchCandidate(candidate.index, program, arguments, stream);
  if (status == cudaSuccess && !timed.end(stream))
    giveUp("the device cannot time a launch");
  return status;
}

/// Returns cudaErrorNotReady if the event has not completed after a while.
cudaError_t InPlaceTuner::waitFor(LaunchTimer &timer) {
  auto deadline = std::chrono::steady_clock::now() + longestWait;
  cudaError_t status = timer.query();
  while (status == cudaErrorNotReady && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(betweenLooks);
    status = timer.query();
  }
  if (status == cudaErrorNotReady)
    giveUp("a launch did not end within " + std::to_string(longestWait.count()) + " s");
  return status;
}

/// Collects the times that are known; returns whether that is all of them. A failed launch
/// ends the measurement, and so does one that does not complete in time.
bool InPlaceTuner::collect(bool waits) {
  while (!pending.empty()) {
    Pending &first = pending.front();
    cudaError_t status = waits ? waitFor(first.timer) : first.timer.query();
    if (status == cudaErrorNotReady)
      return false;
    double microseconds = 0;
    if (status == cudaSuccess)
      status = first.timer.read(microseconds);
    if (status != cudaSuccess && !first.isOriginal)
      journal.fail(candidates[first.candidate].id, launches - 1, hangMilliseconds, status);
    if (status != cudaSuccess) {
      phase = Phase::Over;
      return false;
    }
    microseconds = std::max(microseconds, leastMicroseconds);
    if (first.isOriginal)
      originalMicroseconds = microseconds;
    else
      candidates[first.candidate].fresh.push_back({originalMicroseconds, microseconds});
    pending.pop_front();
  }
  return true;
}

void InPlaceTuner::endRound() {
  if (phase == Phase::Confirming) {
    decide();
    return;
  }
  std::vector<Gain> gains;
  for (size_t index : halving->alive()) {
    Candidate &candidate = candidates[index];
    gains.push_back(candidate.fresh.empty() ? Gain{} : gainOf(candidate.fresh));
    candidate.pairs.insert(candidate.pairs.end(), candidate.fresh.begin(), candidate.fresh.end());
    candidate.fresh.clear();
  }
  if (!halving->next(gains)) {
    leader = halving->alive().front();
    bool mayWin = !candidates[*leader].pairs.empty() && wins(gainOf(candidates[*leader].pairs));
    phase = Phase::Confirming;
    if (!mayWin) {
      decide();
      return;
    }
  }
  planRound();
}

void InPlaceTuner::decide() {
  phase = Phase::Over;
  turns.clear();
  for (Candidate &candidate : candidates) {
    if (candidate.pairs.empty())
      continue;
    TimedPair typical = medians(candidate.pairs);
    journal.add(candidate.id, 0, {1, typical.original, gainOf(candidate.pairs)}, typical.candidate,
                uint32_t(candidate.pairs.size()), 0, "timed in place");
  }
  if (!leader || candidates[*leader].pairs.empty())
    return;
  Candidate &best = candidates[*leader];
  bool isConfirmed = best.fresh.size() >= leastPairs && wins(gainOf(best.fresh));
  std::vector<TimedPair> &pairs = best.fresh.empty() ? best.pairs : best.fresh;
  TimedPair typical = medians(pairs);
  Choice choice;
  choice.alternative = isConfirmed ? best.id : "original";
  choice.verdict = isConfirmed ? "faster" : "no grain is measurably faster; best " + best.id;
  choice.originalMicroseconds = typical.original;
  choice.chosenMicroseconds = isConfirmed ? typical.candidate : typical.original;
  choice.gain = gainOf(pairs);
  choice.launches = uint32_t(launches);
  choice.verified = "timed in place; results were not compared";
  if (isConfirmed)
    chosen = leader;
  journal.choose(std::move(choice));
}

/// The program ends: the present evidence decides.
void InPlaceTuner::conclude() {
  if (phase == Phase::Over)
    return;
  static_cast<void>(collect(/*waits=*/false));
  for (size_t i = 0; phase == Phase::Racing && i < candidates.size(); ++i) {
    Candidate &candidate = candidates[i];
    candidate.pairs.insert(candidate.pairs.end(), candidate.fresh.begin(), candidate.fresh.end());
    candidate.fresh.clear();
    if (!candidate.pairs.empty() &&
        (!leader || gainOf(candidate.pairs).ratio > gainOf(candidates[*leader].pairs).ratio))
      leader = i;
  }
  decide();
}

} // namespace regrain
