//===- replay_verdict.cpp - What is chosen for a class, and why -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/replay_tuner.h"

#include "runtime/image/sum_order.h"

#include <cstdio>
#include <utility>

namespace regrain {

/// Sample i represents the launches before sample i + 1.
void ReplayTuner::weigh(double lastWeight, std::span<Candidate> among) {
  for (Candidate &candidate : among)
    for (size_t i = 0; i < candidate.samples.size(); ++i) {
      size_t number = candidate.firstSample + i;
      candidate.samples[i].weight =
          number + 1 < sampled.size() ? double(sampled[number + 1] - sampled[number]) : lastWeight;
    }
}

double ReplayTuner::lastWeight() const {
  return sampled.size() > 1 ? double(sampled.back() - sampled[sampled.size() - 2]) : 1;
}

/// Returns the best of the candidates that were timed at the last sample, or of those that fresh
/// pairs confirmed; null if there is none.
ReplayTuner::Candidate *ReplayTuner::leader(std::span<Candidate> among, Gain &gain,
                                            bool isOfConfirmed) {
  Candidate *best = nullptr;
  for (Candidate &candidate : among) {
    if (candidate.isWrong || !isTimed(candidate) || (isOfConfirmed && !candidate.isConfirmed))
      continue;
    if (Gain own = summedGain(candidate.samples); !best || own.ratio > gain.ratio) {
      best = &candidate;
      gain = own;
    }
  }
  return best;
}

/// Describes the chosen candidate, or, if that is the original, all that were
/// compared.
std::string ReplayTuner::howVerified(const Candidate *chosen) const {
  bool isBitwise = chosen ? chosen->isBitwise : !mostUlps;
  bool roundsAsVendors = chosen && chosen->isVendors && !isBitwise;
  size_t count = chosen ? chosen->verified : sampled.size();
  auto within = [](uint32_t allowed, uint64_t seen) {
    return " within " + std::to_string(allowed) + " ulps of the original, " + std::to_string(seen) +
           " seen";
  };
  std::string source = chosen && chosen->isVariant ? std::string(offeredBySource) + ", " : "";
  return source +
         (chosen && chosen->reordersSums
              ? std::string(reorderedSums) + "," + within(allowedUlps(*chosen), chosen->ulps)
          : chosen && chosen->offeredUlps && !isBitwise
              ? "results" + within(allowedUlps(*chosen), chosen->ulps)
          : isBitwise       ? "bitwise"
          : roundsAsVendors ? "nvcc's rounding" + within(session.sumUlps(), chosen->ulps)
                            : "equal to the original or the control (control within " +
                                  std::to_string(session.ulps()) + " ulps, " +
                                  std::to_string(mostUlps.value_or(0)) + " seen)") +
         ", " + std::to_string(count) + (count == 1 ? " launch, " : " launches, ") +
         std::to_string(mostCompared >> 20) + " MiB compared" +
         (isOnCopies      ? ", on copies of the memory that the arguments point to"
          : isOfArguments ? ", only memory that the arguments point to"
                          : "");
}

/// Returns which part of the launch was timed, if not the whole was.
std::string ReplayTuner::partText() const {
  if (!part)
    return "";
  char percent[32];
  std::snprintf(percent, sizeof(percent), "%.2g", 100 * partShare);
  return std::string(" on ") + percent + "% of the blocks, and in the whole launch";
}

void ReplayTuner::decide() {
  Choice choice;
  choice.alternative = originalId;
  choice.launches = uint32_t(sampled.size());
  choice.originalMicroseconds = choice.chosenMicroseconds = originalMicroseconds;
  choice.verified = howVerified(nullptr);
  Gain gain, ofConfirmed;
  Candidate *best = leader(candidates, gain);
  // Samples have weights that change, so the leader may be one that led at no sample.
  Candidate *confirmed = leader(candidates, ofConfirmed, /*isOfConfirmed=*/true);
  if (!best) {
    choice.verdict = whyNone;
  } else {
    bool isChosen = confirmed && wins(ofConfirmed);
    choice.gain = isChosen ? ofConfirmed : gain;
    if (isChosen) {
      best = confirmed;
      choice.alternative = best->id;
      choice.verified = howVerified(best);
      choice.originalMicroseconds = best->samples.back().originalMicroseconds;
      choice.chosenMicroseconds = best->microseconds.back();
    }
    choice.verdict =
        isChosen ? "faster" + partText()
        : gain.ratio > leastGain && lacksFreshPairs
            ? best->id + " seemed faster, but the budget did not pay for new measurements"
        : wins(gain) ? best->id + " seemed faster, but new measurements did not confirm it"
                     : "no grain is measurably faster; best " + best->id;
  }
  if (choice.alternative != originalId)
    session.noteWinner(journal.kernelKey(), choice.alternative);
  journal.choose(std::move(choice));
}

/// The last sample represents all launches after it.
void ReplayTuner::conclude() {
  if (sampled.empty() && survey && !isOver && !candidates.empty() && !hasSaidWhy)
    journal.add(std::string(originalId), 0,
                "not tuned: its part of the budget, by what it takes in the program, is too small");
  if (sampled.empty())
    return;
  weigh(double(launches - sampled.back()), candidates);
  decide();
}

} // namespace regrain
