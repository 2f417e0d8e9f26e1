//===- survey.h - What each class takes in a whole run ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `regrain tune --survey` runs the program once at its originals before it is tuned. The run
// records how often each class of launches occurs and how long it takes, so that the budget of the
// tuned run is divided by what is to come, not only by what has been seen.
//
// After tuning, the same is recorded of runs at the choices (apps/Tune/Review.h): the launches of a
// new process may take other times than the replays of one launch.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/launch_timer.h"
#include "runtime/tuning/measuring.h"

#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace regrain {

/// All launches of a class are timed up to this number.
inline constexpr uint64_t launchesTimedSingly = 8;

/// Returns the mean time of so many launches, of which some were timed; `timed` has these by their
/// number, from 1, and at least one. Each stands for those up to the next one. If the first takes
/// far longer than all others, it counts as the longest of them: it alone waits for memory that
/// moves, or for the device. Otherwise this wait would count as what each launch takes.
[[nodiscard]] double meanMicroseconds(const std::map<uint64_t, double> &timed, uint64_t launches);

/// Counts the launches of a class, and times the first ones and those whose number is a power of
/// two.
class SurveyTuner final : public ClassTuner {
public:
  enum class At : uint8_t { Originals, Choices };
  /// Of a class without a choice, nothing is recorded at the choices.
  SurveyTuner(Measuring &session, TunableKernel &kernel, const LaunchClass &launchClass, At at);

  [[nodiscard]] cudaError_t launch(const LaunchShape &program, void **arguments,
                                   cudaStream_t stream) override;
  void conclude() override;

private:
  struct Timed {
    uint64_t number; ///< of the launch, from 1
    LaunchTimer timer;
  };

  bool isTimed() const;
  cudaError_t launchOnce(const LaunchShape &program, void **arguments, cudaStream_t stream);
  void collect();

  TunableKernel &kernel;
  ClassJournal journal;
  std::optional<size_t> chosen; ///< the candidate that is launched; none: the original
  bool records;
  uint64_t launches = 0;
  std::list<Timed> pending;
  std::map<uint64_t, double> microseconds; ///< of launches, by their number
};

/// The classes of a surveyed run.
class Survey {
public:
  Survey() = default;
  explicit Survey(const std::vector<Measurement> &measurements);

  bool empty() const { return classes.empty(); }
  /// Returns what the classes take that meet() was not called for.
  double unmetSeconds() const { return unmet; }
  /// Returns the same for each of them.
  [[nodiscard]] std::vector<double> unmetClasses() const;
  size_t size() const { return classes.size(); }
  /// Returns what is known of a class; nothing if the surveyed run did not have it.
  [[nodiscard]] std::optional<Surveyed> meet(const TunedKernel &kernel,
                                             const std::string &launchClass);

private:
  struct Class {
    Surveyed known;
    bool isMet = false;
  };

  std::map<std::pair<TunedKernel, std::string>, Class> classes; ///< by the kernel and the class
  double unmet = 0;
};

} // namespace regrain
