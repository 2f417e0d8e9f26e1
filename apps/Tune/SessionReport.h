//===- SessionReport.h - What came of a tuning run --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one form from which the table, the JSON and the file of choices are made.
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
  std::vector<Measurement> measurements; ///< of this session; none: it was chosen before
  std::optional<Resources> original, chosen;
};

struct NotTuned {
  TunedKernel kernel;
  std::string kernelName, launchClass, reason;
};

struct SessionReport {
  std::vector<std::string> command;
  std::string session, mode;
  double budget = 0;
  Outcome outcome;
  std::vector<ClassReport> classes; ///< by kernel's name, then class
  std::vector<NotTuned> notTuned;
  std::vector<Exclusion> exclusions; ///< of the kernels above
  CopyBytes peak;                    ///< of copies, at the launch where these were largest
  std::string nothing;               ///< why nothing was tuned; empty where something was
};

/// Reads what the session left in the database. Of kernels in the program's own file
/// that it did not measure, what was chosen before is in the report too.
DatabaseError makeReport(Database &database, const Plan &plan, const Outcome &outcome,
                         const ProgramImages &images, SessionReport &report);

/// The choices of all classes in the report.
TunedChoices choicesOf(const SessionReport &report);

/// The table, and below it what was not tuned and what is excluded.
void writeTable(const SessionReport &report, std::ostream &out);

/// JSON as docs/report-schema.md describes it.
std::string toJson(const SessionReport &report);

/// "256 waves=4" of "block=256x1x1,shared=0,align=16,waves=4": without what is the rule.
std::string shortClass(const std::string &launchClass);

} // namespace regrain::tune
