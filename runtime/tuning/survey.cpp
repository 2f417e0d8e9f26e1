//===- survey.cpp - What each class takes in a whole run ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/survey.h"

#include "runtime/image/grain.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace regrain {

/// A first launch that takes this many times as long as each other one has waited.
static constexpr double factorOfWait = 10;

double meanMicroseconds(const std::map<uint64_t, double> &timed, uint64_t launches) {
  double longest = 0; // but the first
  for (const auto &[number, own] : timed)
    longest = number == 1 ? longest : std::max(longest, own);
  double sum = 0;
  for (auto each = timed.begin(); each != timed.end(); ++each) {
    auto next = std::next(each);
    uint64_t end = next == timed.end() ? launches + 1 : next->first;
    uint64_t begin = each == timed.begin() ? 1 : each->first;
    bool hasWaited = each->first == 1 && longest > 0 && each->second > factorOfWait * longest;
    sum += double(end - begin) * (hasWaited ? longest : each->second);
  }
  return sum / double(launches);
}

SurveyTuner::SurveyTuner(Measuring &session, TunableKernel &kernel, const LaunchClass &launchClass,
                         At at)
    : kernel(kernel), journal(session, kernel, launchClass), records(at == At::Originals) {
  if (at == At::Originals)
    return;
  std::optional<std::string> id = journal.choice();
  std::vector<std::string_view> ids = kernel.candidates();
  auto found = id ? std::find(ids.begin(), ids.end(), *id) : ids.end();
  if (found == ids.end())
    return;
  chosen = size_t(found - ids.begin());
  records = true;
}

bool SurveyTuner::isTimed() const {
  return records && (launches <= launchesTimedSingly || std::has_single_bit(launches));
}

cudaError_t SurveyTuner::launchOnce(const LaunchShape &program, void **arguments,
                                    cudaStream_t stream) {
  return chosen && kernel.fits(*chosen, program, arguments, stream)
             ? kernel.launchCandidate(*chosen, program, arguments, stream)
             : kernel.launchOriginal(program, arguments, stream);
}

cudaError_t SurveyTuner::launch(const LaunchShape &program, void **arguments, cudaStream_t stream) {
  ++launches;
  if (!isTimed())
    return launchOnce(program, arguments, stream);
  collect();
  // The code is loaded by this, so that its loading is not timed.
  if (launches == 1 && (!chosen || kernel.fits(*chosen, program, arguments, stream)))
    static_cast<void>(kernel.figuresOf(chosen, program, arguments));
  std::optional<LaunchTimer> timer = LaunchTimer::begin(kernel.tuningDevice(), stream);
  cudaError_t status = launchOnce(program, arguments, stream);
  if (timer && status == cudaSuccess && timer->end(stream))
    pending.push_back({launches, std::move(*timer)});
  return status;
}

/// Reads the times of launches that have ended.
void SurveyTuner::collect() {
  for (auto timed = pending.begin(); timed != pending.end();) {
    cudaError_t status = timed->timer.query();
    if (status == cudaErrorNotReady)
      return;
    double own = 0;
    if (status == cudaSuccess && timed->timer.read(own) == cudaSuccess)
      microseconds[timed->number] = own;
    timed = pending.erase(timed);
  }
}

/// The program has ended, so launches that have not are of no use to it.
void SurveyTuner::conclude() {
  collect();
  if (microseconds.empty())
    return;
  double mean = meanMicroseconds(microseconds, launches);
  journal.add(std::string(chosen ? kernel.candidates()[*chosen] : originalId), launches - 1,
              {double(launches), chosen ? 0 : mean, {}}, mean, /*pairs=*/0, /*seconds=*/0,
              std::string(chosen ? reviewedOutcome : surveyedOutcome));
}

Survey::Survey(const std::vector<Measurement> &measurements) {
  for (const Measurement &measurement : measurements) {
    if (measurement.outcome != surveyedOutcome)
      continue;
    Surveyed &own = classes[{measurement.kernel, measurement.launchClass}].known;
    double seconds = measurement.weight * measurement.originalMicroseconds / 1e6;
    own.seconds += seconds;
    own.launches += uint64_t(measurement.weight);
    unmet += seconds;
  }
}

std::vector<double> Survey::unmetClasses() const {
  std::vector<double> seconds;
  for (const auto &[name, each] : classes)
    if (!each.isMet)
      seconds.push_back(each.known.seconds);
  return seconds;
}

std::optional<Surveyed> Survey::meet(const TunedKernel &kernel, const std::string &launchClass) {
  auto found = classes.find({kernel, launchClass});
  if (found == classes.end())
    return std::nullopt;
  Class &own = found->second;
  if (!std::exchange(own.isMet, true))
    unmet = std::max(unmet - own.known.seconds, 0.0);
  return own.known;
}

} // namespace regrain
