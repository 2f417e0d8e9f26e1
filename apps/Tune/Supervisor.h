//===- Supervisor.h - Run a program until it is tuned -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The supervisor starts the program, watches its state in the database, and starts it
// again if a candidate broke it. From outside, it looks as if the program ran once,
// without faults.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "apps/Process/Child.h"
#include "apps/Terminal/ProgressLine.h"
#include "apps/Tune/MemoryKills.h"
#include "apps/Tune/Review.h"
#include "apps/Tune/Signals.h"
#include "apps/Tune/Streams.h"
#include "apps/Tune/Watch.h"
#include "runtime/tuning/database.h"
#include "runtime/tuning/note_file.h"
#include "runtime/tuning/tolerance.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace regrain::tune {

struct Plan {
  std::vector<std::string> command;
  std::string session;      ///< unique
  std::string databasePath; ///< absolute
  std::string mode = "replay";
  /// Runs the program once before it is tuned (runtime/tuning/survey.h), and perhaps afterwards
  /// (Review.h).
  bool surveys = false;
  bool unverified = false;
  unsigned ulps = usualUlps;                     ///< limit for the distance of the control
  unsigned sumUlps = usualSumUlps;               ///< the same for sums in another order
  CopyBytes mostCopies = CopyBytes::unlimited(); ///< bytes
  double budget = 0;      ///< in seconds, for tuning beyond the program's own time
  unsigned restarts = 16; ///< after these, the program runs to its end without tuning
  bool showsProgress = false;
  bool writesTrace = false; ///< the processes of the program say what they do (Trace.h)
};

/// One run of the program; the times are in seconds of the steady clock.
struct ProgramRun {
  /// "survey", "tuned run", "run without tuning", "review of the choices" or "review of the
  /// originals"
  std::string name;
  double begin = 0, end = 0;
  std::string ended;               ///< "exit code 0"
  std::vector<std::string> blamed; ///< the candidates that broke it
};

struct Outcome {
  int startError = 0; ///< errno if the program could not be started; then the rest is not valid
  int exitCode = 0;   ///< the program's, or 128 and the signal that ended it
  unsigned restarts = 0;
  bool interrupted = false;     ///< by a signal from outside
  std::string untuned;          ///< why a process could not load the tuning library, or empty
  std::string unstored;         ///< why something could not be stored, or empty
  std::string gaveUp;           ///< why tuning ended before the program; empty if it did not
  double seconds = 0;           ///< of all runs together
  std::vector<Underway> blamed; ///< candidates that broke the program
  std::vector<ProgramRun> runs;
  size_t reviewed = 0;     ///< classes that Review compared, or would have
  std::string notReviewed; ///< why not, or not to the end; empty otherwise
};

class Supervisor {
public:
  Supervisor(const Plan &plan, Database &database);

  /// Runs the program to its end; may be called once.
  Outcome run();

private:
  using Clock = std::chrono::steady_clock;
  struct RunEnd {
    process::Ending ending;
    Blame blame; ///< no candidates: the program ended normally, or from outside
    /// Why tuning kept the program from completing, though no candidate is to blame;
    /// empty if it did not.
    std::string brokenByTuning;
  };

  bool runOnce(RunEnd &end);
  void noteRun(const std::string &name, Clock::time_point begin, const RunEnd &end);
  bool survey(RunEnd &end);
  int start(process::Child &child, bool isTuned);
  int start(process::Child &child, process::StartOptions options, std::string_view mode);
  int startSilently(process::Child &child, std::string_view mode);
  bool mayReview(const RunEnd &end) const;
  void review(const RunEnd &end);
  void compare(Review &review, const RunEnd &end);
  OrError<std::vector<Measurement>> runForReview(Review::Next at, const RunEnd &tuned);
  double surveyedSeconds() const;
  Blame attend(const process::Child &child, bool isTuned);
  bool pollStreams(const process::Child &child);
  void passOutput(bool canRead, bool canWrite);
  void onSignal(const Signal &signal, const process::Child &child);
  Blame look(double seconds);
  void judge(pid_t program, RunEnd &end);
  std::string whyBrokenByTuning(const process::Ending &ending) const;
  void drain();
  bool heedSignals();
  bool mayRestart(const RunEnd &end);
  bool canRepeatInput();
  double budgetLeft();
  void showProgress();
  void erase();
  void warn(const std::string &text);
  void warnOfOutput(bool hasEnded);

  const Plan &plan;
  Database &database;
  NoteFile unstored;
  Signals signals;
  Input input;
  Output output;
  Watch watch;
  terminal::ProgressLine line;
  Outcome outcome;
  double lost = 0;          ///< seconds of the budget, to broken candidates and for the review
  uint64_t memoryKills = 0; ///< by the system, before the run
  unsigned interrupts = 0;
  bool isSurveying = false;
  std::optional<Clock::time_point> killAt;
  bool warnedOfOutput = false, warnedOfDatabase = false;
};

/// Returns REGRAIN_TUNE and its value for the program.
std::string tuneVariable(const Plan &plan, std::string_view mode, double budget);

} // namespace regrain::tune
