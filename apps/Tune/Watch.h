//===- Watch.h - The candidate that runs or broke a run ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The database marks a candidate as underway while it runs for the first time on its
// class. The runtime removes the row when it is done with it; if it cannot (the
// process is gone, or its device: then the process ends with an exit code other than
// 0), the row stays, and tells which candidate broke the run.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Process/Ending.h"
#include "runtime/tuning/database.h"

#include <string>
#include <vector>

namespace regrain::tune {

/// Candidates that broke the program.
struct Blame {
  std::vector<Underway> candidates;
  std::string reason; ///< "killed by SIGSEGV while it ran"
  /// They ended the program. Otherwise the program may have ended by itself or from
  /// outside at that moment; a candidate that is found twice like that is to blame.
  bool isCertain = true;
};

class Watch {
public:
  Watch(Database &database, std::string session) : database(database), session(session) {}

  /// Reads the rows that are underway; `seconds` have passed since the last call. Only
  /// time that is seen to pass counts towards a limit: neither setting the clock nor
  /// stopping the run for a while makes a hang.
  [[nodiscard]] OrError<void> look(double seconds);
  [[nodiscard]] const std::vector<Underway> &underway() const { return rows; }

  /// Returns, after look(), the candidates over their limit, and those whose process was
  /// seen alive and is gone, although the program continues. Without candidates, nothing
  /// is to blame.
  [[nodiscard]] Blame whileRunning() const;

  /// Returns the candidates to blame after the program has ended, not by a signal from
  /// outside; its remaining processes have not been killed yet. A candidate in a process
  /// that is still alive is not to blame. None is if the program has exited with 0:
  /// another thread of it completed.
  [[nodiscard]] Blame atEnd(pid_t program, const process::Ending &ending) const;

  /// Returns blame that is certain unchanged; otherwise only the candidates that were
  /// blamed before, and remembers the others.
  [[nodiscard]] Blame confirm(Blame blame);

  /// Removes, after a run, the rows of processes that no longer exist.
  [[nodiscard]] OrError<void> clear();

  /// Returns the longest time in seconds for which a present row has been seen
  /// to run.
  [[nodiscard]] double longest() const;

private:
  /// One row, for the time that it exists.
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

/// Excludes the candidates. If the program excluded one before it ended, its reason
/// stays, because it is more precise.
[[nodiscard]] OrError<void> exclude(Database &database, const Blame &blame);

/// Returns "0.01 s" or "12.5 s".
std::string secondsText(double seconds);

} // namespace regrain::tune
