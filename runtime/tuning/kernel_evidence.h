//===- kernel_evidence.h - What the classes of a kernel tell each other -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A class is measured by itself, and its own timings decide wherever they tell candidates apart.
// Where they do not, because launches are shorter than the device takes to start one, or because
// candidates are about equally fast, the same candidates in other classes of the kernel tell more.
// A candidate that others name was not selected by the class's own timings, so these say without
// bias whether it is slower there.
//
// A class counts the more, the nearer its launches are, and the better it knows a gain.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/launch_class.h"
#include "runtime/tuning/database.h"

#include <map>
#include <optional>
#include <string>

namespace regrain {

class KernelEvidence {
public:
  /// Replaces what the class has found of the candidate.
  void noteGain(const LaunchClass &where, const std::string &id, const Gain &gain) {
    classes[where].gains[id] = gain;
  }
  /// Notes what is chosen for the class now.
  void noteChoice(const LaunchClass &where, const std::string &id) { classes[where].choice = id; }

  /// Returns whether a class but `own` has chosen a candidate.
  [[nodiscard]] bool hasChoiceElsewhere(const LaunchClass &own) const;

  /// Returns for how many classes but `own` the candidate is chosen now.
  [[nodiscard]] size_t winsElsewhere(const LaunchClass &own, const std::string &id) const;

  /// Returns the mean gain of the candidate in other classes, 1 if it was timed in none.
  [[nodiscard]] double gainElsewhere(const LaunchClass &own, const std::string &id) const;

  /// Returns by how much the candidate is slower than the best one of a class, as a logarithm, in
  /// the mean of `own`, where it has `gain`, and the best one `best`, and of the others where it
  /// was timed.
  [[nodiscard]] double shortfall(const LaunchClass &own, const std::string &id, const Gain &gain,
                                 double best) const;

  /// Returns the candidate on which the other classes agree: at least three have chosen it, and of
  /// those that have decided, most that are near. Nothing if there is none, or if it is not faster
  /// in near ones.
  [[nodiscard]] std::optional<std::string> agreed(const LaunchClass &own) const;

  /// Returns whether the candidate is chosen elsewhere, is faster there by more than `least`, and
  /// is not slower in `own`, where it has `gain`.
  [[nodiscard]] bool recommends(const LaunchClass &own, const std::string &id, const Gain &gain,
                                double least) const;

private:
  struct Found {
    std::map<std::string, Gain> gains; ///< by candidate
    std::string choice;
    double best() const;
  };

  /// Calls `use` for each class but `own` in which the candidate was timed, with what was found
  /// there, the ratio of its gain, and how much it counts.
  template <typename Use>
  void forEachElsewhere(const LaunchClass &own, const std::string &id, Use use) const;

  std::map<LaunchClass, Found> classes;
};

} // namespace regrain
