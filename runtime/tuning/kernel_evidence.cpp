//===- kernel_evidence.cpp - What the classes of a kernel tell each other -===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/kernel_evidence.h"

#include "runtime/image/grain.h"
#include "runtime/tuning/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace regrain {
namespace {

/// How many steps of their buckets lie between two classes. Launches that differ in more than
/// sizes are far apart.
int distanceOf(const LaunchClass &a, const LaunchClass &b) {
  constexpr int ofAnotherKind = 4;
  int steps =
      std::abs(a.logWaves - b.logWaves) + std::abs(a.rows - b.rows) + std::abs(a.layers - b.layers);
  for (size_t i = 0; i < a.integers.of.size(); ++i)
    steps += std::abs(a.integers.of[i] - b.integers.of[i]);
  bool isOfOneKind = a.block == b.block && a.dynamicSharedBytes == b.dynamicSharedBytes &&
                     a.alignment == b.alignment;
  return steps + (isOfOneKind ? 0 : ofAnotherKind);
}

/// Returns how much a gain counts. Classes differ among each other by about the least gain that
/// counts, however well each of them is known.
double certaintyOf(const Gain &gain) {
  double common = std::log(leastGain);
  double own = std::log(std::max(gain.high, gain.low) / std::max(gain.low, 1e-6)) / 4;
  return common * common / (common * common + own * own);
}

/// How many classes agree at least, and how much of what has been decided near a class.
constexpr size_t leastAgreeing = 3;
constexpr double shareAgreeing = 0.75;

} // namespace

double KernelEvidence::Found::best() const {
  double best = 1; // the original
  for (const auto &[id, gain] : gains)
    best = std::max(best, gain.ratio);
  return best;
}

bool KernelEvidence::hasChoiceElsewhere(const LaunchClass &own) const {
  return std::ranges::any_of(classes, [&](const auto &each) {
    const auto &[where, found] = each;
    return where != own && !found.choice.empty() && found.choice != originalId;
  });
}

size_t KernelEvidence::winsElsewhere(const LaunchClass &own, const std::string &id) const {
  return size_t(std::ranges::count_if(
      classes, [&](const auto &each) { return each.first != own && each.second.choice == id; }));
}

template <typename Use>
void KernelEvidence::forEachElsewhere(const LaunchClass &own, const std::string &id,
                                      Use use) const {
  for (const auto &[where, found] : classes)
    if (auto known = found.gains.find(id); where != own && known != found.gains.end())
      use(found, known->second.ratio,
          std::ldexp(certaintyOf(known->second), -distanceOf(own, where)));
}

double KernelEvidence::gainElsewhere(const LaunchClass &own, const std::string &id) const {
  double sum = 0, weights = 0;
  forEachElsewhere(own, id, [&](const Found &, double ratio, double weight) {
    sum += weight * std::log(ratio);
    weights += weight;
  });
  return weights > 0 ? std::exp(sum / weights) : 1;
}

double KernelEvidence::shortfall(const LaunchClass &own, const std::string &id, const Gain &gain,
                                 double best) const {
  double weights = certaintyOf(gain), sum = weights * std::log(best / gain.ratio);
  forEachElsewhere(own, id, [&](const Found &found, double ratio, double weight) {
    sum += weight * std::log(found.best() / ratio);
    weights += weight;
  });
  return sum / weights;
}

std::optional<std::string> KernelEvidence::agreed(const LaunchClass &own) const {
  std::map<std::string, double> votes; // by what was chosen
  double all = 0;
  for (const auto &[where, found] : classes)
    if (where != own && !found.choice.empty()) {
      double vote = std::ldexp(1.0, -distanceOf(own, where));
      votes[found.choice] += vote;
      all += vote;
    }
  auto most = std::ranges::max_element(votes, {}, [](const auto &each) { return each.second; });
  if (most == votes.end() || most->first == originalId || most->second < shareAgreeing * all ||
      winsElsewhere(own, most->first) < leastAgreeing ||
      gainElsewhere(own, most->first) <= leastGain)
    return std::nullopt;
  return most->first;
}

bool KernelEvidence::recommends(const LaunchClass &own, const std::string &id, const Gain &gain,
                                double least) const {
  return gain.low > notSlower && winsElsewhere(own, id) > 0 && gainElsewhere(own, id) > least;
}

} // namespace regrain
