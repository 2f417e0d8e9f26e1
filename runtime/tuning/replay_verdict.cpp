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

void ReplayTuner::weigh(double lastWeight) {
  for (Candidate &candidate : candidates)
    candidate.standing.weigh(sampled, lastWeight);
}

/// A survey knows how many launches are still to come. Otherwise, as many as since the sample
/// before are expected.
double ReplayTuner::lastWeight() const {
  double expected = sampled.size() > 1 ? double(sampled.back() - sampled[sampled.size() - 2]) : 1;
  bool isKnown = survey && survey->launches > sampled.back();
  return isKnown ? double(survey->launches - sampled.back()) : expected;
}

/// Returns what is known of each candidate that may be chosen: null for those that are wrong, or
/// were not timed at the last sample.
std::vector<const Standing *> ReplayTuner::standings() const {
  std::vector<const Standing *> all;
  for (const Candidate &candidate : candidates)
    all.push_back(candidate.isWrong || !isTimed(candidate) ? nullptr : &candidate.standing);
  return all;
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
          : chosen && chosen->runsOriginal && !isBitwise
              ? "the original's code," + within(allowedUlps(*chosen), chosen->ulps)
          : chosen && chosen->offeredUlps && !isBitwise
              ? "results" + within(allowedUlps(*chosen), chosen->ulps)
          : isBitwise       ? "bitwise"
          : roundsAsVendors ? "nvcc's rounding" + within(session.sumUlps(), chosen->ulps)
                            : "equal to the original or the control (control within " +
                                  std::to_string(session.ulps()) + " ulps, " +
                                  std::to_string(mostUlps.value_or(0)) + " seen)") +
         (runsUlps ? "; runs of the original differ by " + std::to_string(*runsUlps) + " ulps"
                   : "") +
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

/// Says why the best candidate was not chosen.
std::string ReplayTuner::whyNotChosen(const Candidate &best) const {
  Gain gain = best.standing.gain();
  if (gain.ratio > best.standing.least && lacksFreshPairs)
    return best.id + " seemed faster, but the budget did not pay for new measurements";
  return best.standing.isRefuted() || wins(gain, best.standing.least)
             ? best.id + " seemed faster, but new measurements did not confirm it"
             : "no grain is measurably faster; best " + best.id;
}

std::string ReplayTuner::whyChosen(const Candidate &chosen, bool isProved) const {
  if (isProved)
    return "faster" + partText();
  return "not slower, and faster in " +
         std::to_string(evidence.winsElsewhere(ownClass, chosen.id)) +
         " other classes of the kernel";
}

/// Where the class's timings do not tell candidates apart, the other classes of the kernel do.
Shortfall ReplayTuner::shortfall() const {
  return [this](size_t position, const Gain &gain, double best) {
    return evidence.shortfall(ownClass, candidates[position].id, gain, best);
  };
}

/// Returns the best of those that other classes chose, and that are not slower here.
std::optional<size_t> ReplayTuner::fasterElsewhere(std::vector<const Standing *> all) const {
  for (size_t i = 0; i < all.size(); ++i) {
    const Candidate &candidate = candidates[i];
    if (all[i] && (candidate.verified == 0 ||
                   !evidence.recommends(ownClass, candidate.id, all[i]->gain(), all[i]->least)))
      all[i] = nullptr;
  }
  return leaderOf(all, shortfall());
}

void ReplayTuner::decide() {
  Choice choice;
  choice.alternative = originalId;
  choice.launches = uint32_t(sampled.size());
  choice.originalMicroseconds = choice.chosenMicroseconds = originalMicroseconds;
  choice.verified = howVerified(nullptr);
  std::vector<const Standing *> all = standings();
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i])
      evidence.noteGain(ownClass, candidates[i].id, all[i]->gain());
  std::optional<size_t> proved = provedOf(all, shortfall());
  std::optional<size_t> chosen = proved ? proved : fasterElsewhere(all);
  std::optional<size_t> best = chosen ? chosen : leaderOf(all);
  if (!best) {
    choice.verdict = whyNone;
  } else {
    const Candidate &candidate = candidates[*best];
    choice.gain = candidate.standing.gain();
    if (chosen) {
      choice.alternative = candidate.id;
      choice.verified = howVerified(&candidate);
      choice.originalMicroseconds = candidate.standing.samples.back().originalMicroseconds;
      choice.chosenMicroseconds = candidate.microseconds;
    }
    choice.verdict = chosen ? whyChosen(candidate, proved.has_value()) : whyNotChosen(candidate);
  }
  // Evidence from others does not become evidence again.
  evidence.noteChoice(ownClass, proved ? choice.alternative : std::string(originalId));
  journal.choose(std::move(choice));
}

/// Says why no launch of a surveyed class was sampled.
void ReplayTuner::noteUnsampled() {
  if (!whyLeft.empty()) {
    journal.add(std::string(originalId), 0, "not replayed: " + whyLeft);
    return;
  }
  char figures[96];
  std::snprintf(figures, sizeof(figures), "%.2g s, where a launch takes %.2g s",
                allowanceOf(account(), session.budgetState()), costs.original);
  journal.add(std::string(originalId), 0,
              std::string("not tuned: its part of the budget, by what it takes in the program, is "
                          "too small: ") +
                  figures);
}

/// The last sample represents all launches after it.
void ReplayTuner::conclude() {
  bool isUnsampled = sampled.empty() && !isOver && !candidates.empty() && !hasSaidWhy;
  if (isUnsampled && (survey || !whyLeft.empty()))
    noteUnsampled();
  if (sampled.empty())
    return;
  weigh(double(launches - sampled.back()));
  decide();
}

} // namespace regrain
