//===- replay_admission.cpp - Which results candidates may have -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/replay_tuner.h"

#include "runtime/image/grain.h"

#include <algorithm>

namespace regrain {
namespace {

void noteFound(Activity &activity, const Verification &run) {
  activity.note("microseconds", run.microseconds);
  activity.note("verdict", !run.found.difference.empty() ? run.found.difference
                           : run.found.isBitwise         ? "right, bit for bit"
                                                         : "right, as the control");
}

} // namespace

/// Runs the control at every sample, even if it is no longer a candidate itself. If no
/// ulps are allowed, it is a candidate like any other. Returns false if candidates
/// cannot be compared at this launch.
bool ReplayTuner::addControl(Replay &replay) {
  hasControlRun = true;
  if (!control || session.ulps() == 0)
    return true;
  journal.atWork(std::string(controlId), limitOfControl(replay));
  Activity activity(session.activities(), "control",
                    {{"kernel", journal.kernelText()}, {"grain", std::string(controlId)}});
  std::string difference, whyNot;
  cudaError_t status = replay.addControl(*control, uniformTolerance(session.ulps()),
                                         Replay::Holds::ForAll, difference, whyNot);
  if (status != cudaSuccess)
    journal.fail(std::string(controlId), launches - 1, limitOf(replay), status);
  if (std::optional<uint64_t> ulps = replay.ulpsOfControl())
    mostUlps = std::max(mostUlps.value_or(0), *ulps);
  activity.note("verdict", difference.empty() ? whyNot.empty() ? "accepted" : whyNot : difference);
  if (!whyNot.empty())
    journal.add(std::string(originalId), launches - 1, "not replayed: " + whyNot);
  if (difference.empty())
    return whyNot.empty();
  journal.exclude(std::string(controlId), launches - 1, difference);
  control.reset();
  return true;
}

/// The candidate is marked in the database while it runs, so that the supervisor knows
/// which one ran when the process died. This happens at every sample: a candidate that
/// is correct at one may crash at the next.
Verification ReplayTuner::runMarked(Replay &replay, Candidate &candidate) {
  journal.atWork(candidate.id, limitOf(replay));
  Activity activity = activityOf("verify", candidate);
  Verification run;
  if (cudaError_t status = replay.verify(candidate.index, run); status != cudaSuccess)
    journal.fail(candidate.id, launches - 1, limitOf(replay), status);
  if (!run.found.difference.empty() && allowedUlps(candidate) != 0)
    admitRounding(replay, candidate, run.found);
  noteFound(activity, run);
  return run;
}

/// Returns the distance that the candidate's result may have, because it rounds in its own way.
uint32_t ReplayTuner::allowedUlps(const Candidate &candidate) const {
  bool mayRound = candidate.reordersSums || (candidate.isVendors && session.ulps() != 0) ||
                  (candidate.runsOriginal && runsUlps);
  if (session.sumUlps() == 0)
    return 0;
  return std::max(candidate.offeredUlps, mayRound ? session.sumUlps() : 0u);
}

/// The vendor's compiler, sums in another order, and variants of which the source says so, round in
/// their own way: such code is a control of its own, whose result is accepted if it is within the
/// allowed distance of the original's. That sums have another order says nothing of other
/// candidates.
void ReplayTuner::admitRounding(Replay &replay, Candidate &candidate, Comparison &found) {
  journal.atWork(candidate.id, limitOfControl(replay));
  std::string difference, whyNot;
  uint32_t ulps = allowedUlps(candidate);
  bool isOfSums = candidate.reordersSums || candidate.runsOriginal || candidate.offeredUlps != 0;
  cudaError_t status = replay.addControl(
      candidate.index, isOfSums ? sumTolerance(ulps) : vendorTolerance(ulps),
      isOfSums ? Replay::Holds::ForItself : Replay::Holds::ForAll, difference, whyNot);
  if (status != cudaSuccess)
    journal.fail(candidate.id, launches - 1, limitOf(replay), status);
  if (!difference.empty())
    found.difference = difference;
  if (!difference.empty() || !whyNot.empty())
    return;
  found.difference.clear();
  candidate.ulps = std::max(candidate.ulps, replay.ulpsOfControl().value_or(0));
}

/// Returns whether the candidate may be apart from an original whose runs are.
bool ReplayTuner::mayDiffer(const Candidate &candidate) const {
  return allowedUlps(candidate) != 0 || (candidate.runsOriginal && session.sumUlps() != 0);
}

/// Returns how far two runs of the original may be apart: not at all if no candidate may be.
Tolerance ReplayTuner::toleranceOfRuns() const {
  bool isOfUse = std::ranges::any_of(candidates, [this](auto &each) { return mayDiffer(each); });
  return isOfUse ? sumTolerance(session.sumUlps()) : Tolerance();
}

/// Drops the candidates that must have the bits of the original, which has others in each run. The
/// rest have the distance that holds for them where it does not.
void ReplayTuner::dropExact(uint64_t ulps) {
  runsUlps = std::max(runsUlps.value_or(0), ulps);
  control.reset();
  std::erase_if(candidates, [this](const Candidate &each) {
    bool isExact = !mayDiffer(each);
    if (isExact)
      journal.add(
          each.id, launches - 1,
          "not tried: its result would have to equal the original's, whose runs differ by " +
              std::to_string(*runsUlps) + " ulps");
    return isExact;
  });
}

Verification ReplayTuner::tryOnPart(Replay &replay, const Candidate &candidate) {
  journal.atWork(candidate.id, limitOf(replay));
  Activity activity = activityOf("verify", candidate);
  Verification run;
  if (cudaError_t status = replay.tryPart(candidate.index, run); status != cudaSuccess)
    journal.fail(candidate.id, launches - 1, limitOf(replay), status);
  noteFound(activity, run);
  return run;
}

/// Excludes the candidate if its result is wrong. If runs of the original differ, the fault may be
/// the original's.
bool ReplayTuner::accept(Candidate &candidate, const Comparison &found) {
  candidate.isWrong = !found.difference.empty();
  if (candidate.isWrong && runsUlps)
    journal.add(candidate.id, launches - 1, "dropped: " + found.difference);
  else if (candidate.isWrong)
    journal.exclude(candidate.id, launches - 1, found.difference);
  return !candidate.isWrong;
}

/// Does the same after a whole launch.
bool ReplayTuner::acceptWhole(Candidate &candidate, const Comparison &found) {
  candidate.isBitwise &= found.isBitwise;
  ++candidate.verified;
  return accept(candidate, found);
}

} // namespace regrain
