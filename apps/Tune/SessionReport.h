//===- SessionReport.h - The report of a tuning run -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table, the JSON and the file of choices are made from this report.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Tune/ProgramImages.h"
#include "apps/Tune/Supervisor.h"
#include "compiler/Choices/Choices.h"
#include "runtime/tuning/database.h"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace regrain::tune {

struct ClassReport {
  Choice choice;
  std::vector<Measurement> measurements; ///< of this session; none: an earlier session chose
  std::optional<Resources> original, chosen;
};

struct NotTuned {
  TunedKernel kernel;
  std::string kernelName, launchClass, reason;
};

/// The candidates of a class for which the budget did not suffice.
struct NotTried {
  TunedKernel kernel;
  std::string kernelName, launchClass;
  std::vector<std::string> alternatives; ///< in the order in which they would have been tried
  double budgetForAll = 0;               ///< seconds with which all would have been tried
};

struct SessionReport {
  std::vector<std::string> command;
  std::string session, mode;
  bool isSurveyed = false; ///< the program has run once at its originals before
  double budget = 0;
  Outcome outcome;
  std::vector<ClassReport> classes; ///< by kernel name, then class
  std::vector<NotTuned> notTuned;
  std::vector<NotTried> notTried;
  std::vector<Exclusion> exclusions; ///< of the kernels above
  CopyBytes peak;                    ///< size of the copies, at the launch where it was largest
  std::string nothing;               ///< why nothing was tuned; empty if something was
};

/// Reads the session's results from the database. The report also has the earlier
/// choices for kernels in the program's own file that the session did not measure.
[[nodiscard]] OrError<SessionReport> makeReport(Database &database, const Plan &plan,
                                                const Outcome &outcome,
                                                const ProgramImages &images);

/// Returns the choices of all classes in the report.
TunedChoices choicesOf(const SessionReport &report);

/// Writes the table, and below it what was not tuned and what is excluded.
void writeTable(const SessionReport &report, std::ostream &out);

/// Returns JSON as in docs/report-schema.md.
std::string toJson(const SessionReport &report);

/// Returns "256 waves=4" for "block=256x1x1,shared=0,align=16,waves=4": usual values are
/// omitted.
std::string shortClass(const std::string &launchClass);

} // namespace regrain::tune
