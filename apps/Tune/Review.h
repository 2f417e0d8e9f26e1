//===- Review.h - Choices against their originals, in whole runs -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tuner times replays of a launch, one after the other. A process that launches a kernel once
// or a few times meets its first launches, which may take other times. So the launches of such
// classes are timed in new processes as well, at the choices and at the originals in turn. A choice
// whose launches take longer in every run than the original's in any gives way to the original.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/database.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace regrain::tune {

class Review {
public:
  enum class Next : uint8_t { Choices, Originals, Nothing };

  /// `surveyed` has the measurements of a run at the originals (runtime/tuning/survey.h). Classes
  /// that are launched often there, or take little of its time, are not compared.
  Review(std::span<const Choice> choices, std::span<const Measurement> surveyed);

  /// Returns the number of classes that are compared.
  [[nodiscard]] size_t size() const { return classes.size(); }
  /// Returns what the next run has to be at; nothing if no further run is of use.
  [[nodiscard]] Next next() const;
  /// Adds the measurements of that run.
  void add(std::span<const Measurement> measurements);
  /// Returns the choices of the original that take the place of others.
  [[nodiscard]] std::vector<Choice> replacements() const;
  /// Returns the number of classes that took longer in the runs so far, which are too few.
  [[nodiscard]] size_t undecided() const;

private:
  struct Class {
    Choice choice;
    uint64_t launches = 0;                 ///< in a run
    std::vector<double> originals, chosen; ///< microseconds of all launches, by the run
    bool isMissing = false;                ///< in one of the runs

    bool seemsSlower() const;
    bool isOpen() const;
    bool isRefuted() const;
  };

  std::vector<Class> classes;
  size_t runsAtOriginals = 1, runsAtChoices = 0;
};

} // namespace regrain::tune
