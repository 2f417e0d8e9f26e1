//===- Watch.h - What a run is doing, and what broke it ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A candidate stands in the database as underway while it runs for the first time on
// its class. The runtime takes the row away when it is done with it; where it cannot
// (the process is gone, or the device with it: it then ends with an exit code other
// than 0), the row stays, and the candidate is what broke the run.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Tune/Child.h"
#include "runtime/tuning/database.h"

#include <string>
#include <vector>

namespace regrain::tune {

/// Candidates that broke the program.
struct Blame {
  std::vector<Underway> candidates;
  std::string reason; ///< "killed by SIGSEGV while it ran"
  /// What ended the program is theirs. Else the program may have ended by itself, or from
  /// outside, just then; who is found there twice is to blame.
  bool isCertain = true;
};

class Watch {
public:
  Watch(Database &database, std::string session) : database(database), session(session) {}

  /// Reads what is underway; `seconds` have passed since the last look. Only time that
  /// is seen to pass counts towards a limit: neither the clock being set nor the run
  /// being stopped for a while makes a hang.
  DatabaseError look(double seconds);
  [[nodiscard]] const std::vector<Underway> &underway() const { return rows; }

  /// After a look: candidates over their limit, or whose process has been seen alive and
  /// is there no more, although the program goes on. Nothing to blame: no candidates.
  [[nodiscard]] Blame whileRunning() const;

  /// The program has ended, and not by a signal from outside; what it left behind has not
  /// been killed yet. A candidate in a process that is still alive is not to blame. Nor is
  /// any where the program has exited with 0: another thread of it has come to the end.
  [[nodiscard]] Blame atEnd(pid_t program, const Ending &ending) const;

  /// Of the candidates that were blamed and are not sure to be at fault, those that were
  /// found so before; the others are remembered.
  [[nodiscard]] Blame confirm(Blame blame);

  /// After a run: takes away the rows of processes that are not there any more.
  DatabaseError clear();

  /// Seconds that what is underway now has been seen to run, the longest of all.
  [[nodiscard]] double longest() const;

private:
  /// One row, as long as it stands.
  struct Seen {
    Underway row;
    double seconds = 0;
    bool wasAlive = false, isAlive = false;
  };
  std::string originalTime(const Underway &row) const;

  Database &database;
  std::string session;
  std::vector<Seen> seen;
  std::vector<Underway> rows;
  std::vector<Underway> suspects; ///< of all runs
};

/// Excludes the candidates. Where the program has done so before it ended, its reason
/// stays: it knows more.
DatabaseError exclude(Database &database, const Blame &blame);

/// "0.01 s", "12.5 s".
std::string secondsText(double seconds);

} // namespace regrain::tune
