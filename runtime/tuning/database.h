//===- database.h - Measurements and choices --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One SQLite file serves all programs of a user: $REGRAIN_DB, otherwise
// $XDG_CACHE_HOME/regrain/tuning.db, otherwise ~/.cache/regrain/tuning.db.
// REGRAIN_DB=off means no file. It contains choices and measurements, never
// code.
//
// A change waits 2 to 20 ms for the disk: related changes go into one transaction by
// atomically().
//
// Several processes may use it at once. Each change is one transaction: if a
// writer is killed, the file stays as it was before. A damaged file is copied
// to NAME.damaged-N with one message, and then emptied in place; a file of a newer
// major schema is refused by name and left unchanged. An older schema is upgraded
// when the file is opened for writing.
//
// If it is opened ReadOnly, the file and its folder stay unchanged: damage is an
// error, an older schema is upgraded only in memory, and no call waits for more
// than 50 ms; once one in the process has waited in vain, none waits until one can
// read again. Calls that fail in the same way as an earlier one return nothing and
// no error, so that a program reports each failure once.
//
// Any threads may call. In a process that was forked off the one that opened the
// database, all calls fail. No call throws.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/image/or_error.h"
#include "runtime/tuning/copy_bytes.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace regrain {

/// Identifies what measurements hold for: the same kernel, compiled in the same way by the
/// same compiler, on the same model of device with the same number of multiprocessors, under
/// the same driver.
struct TunedKernel {
  std::string hash;             ///< content hash of the kernel's IR (image::Kernel::hash)
  std::string generation;       ///< of the code that the device runs (image::Module::generation)
  std::string device;           ///< model, as cudaDeviceProp::name
  uint32_t multiprocessors = 0; ///< fewer for a part of a GPU, or a CPU with fewer threads
  int driver = 0;               ///< as cudaDriverGetVersion
  std::string compiler;         ///< image::Image::producer
  friend auto operator<=>(const TunedKernel &, const TunedKernel &) = default;
};

/// A ratio of times, original to candidate, with its 95 % confidence interval:
/// above 1 the candidate is faster.
struct Gain {
  double ratio = 1, low = 1, high = 1;
  friend bool operator==(const Gain &, const Gain &) = default;
};

/// The result of measuring one class of launches.
struct Choice {
  TunedKernel kernel;
  std::string kernelName;                                  ///< demangled
  std::string launchClass;                                 ///< toString(LaunchClass)
  std::string alternative;                                 ///< id; "original" if that stays
  std::string verdict;                                     ///< the reason, in one sentence
  double originalMicroseconds = 0, chosenMicroseconds = 0; ///< medians of a launch
  Gain gain;
  uint32_t launches = 0; ///< number of sampled launches
  std::string verified;  ///< the method: "bitwise, 3 launches, 40 MiB compared"
  /// The choice was imported and is not confirmed here yet: it is never used to
  /// launch.
  bool imported = false;
  std::string when; ///< UTC, ISO 8601; put() fills it in if it is empty
  /// The block and the integers that all sampled launches had, as a SPEC (launch_invariants.h);
  /// empty: not recorded.
  std::string launch;
  friend bool operator==(const Choice &, const Choice &) = default;
};

/// An alternative that must not run again.
struct Exclusion {
  TunedKernel kernel;
  std::string kernelName, alternative;
  std::string reason; ///< "differs from the original at byte 4096 of ..., ..."
  std::string when;   ///< as in Choice
  friend bool operator==(const Exclusion &, const Exclusion &) = default;
};

/// The outcome of the measurement that a survey adds for a class (survey.h). Its weight is the
/// number of launches, and its original's time is their mean.
inline constexpr std::string_view surveyedOutcome = "surveyed";

/// The same of a run at the choices; the mean is the candidate's time, and the original has none.
inline constexpr std::string_view reviewedOutcome = "reviewed";

/// One candidate at one sampled launch, or a class in a whole run.
struct Measurement {
  TunedKernel kernel;
  std::string kernelName, launchClass, alternative;
  std::string session;
  uint32_t launch = 0; ///< number of the launch within its class, from 0
  double weight = 1;   ///< number of launches of the class that this one represents
  double originalMicroseconds = 0, candidateMicroseconds = 0; ///< medians
  Gain gain;
  uint32_t pairs = 0; ///< timed
  /// "timed" (its result was compared), "timed on part of the grid", "verified", "confirmed",
  /// "not confirmed", "not tried: ..." (not_tried.h), "dropped: ...", "excluded: ...", "not
  /// replayed: ...", "not tuned: ...", surveyedOutcome,
  /// reviewedOutcome
  std::string outcome;
  double seconds = 0;    ///< wall clock of the budget, with restores and comparisons
  CopyBytes copies = {}; ///< of memory, at the launch
  uint64_t blocks = 0;   ///< of the program, in the launch; 0: not recorded
  friend bool operator==(const Measurement &, const Measurement &) = default;
};

/// A candidate that is running for the first time on the data of a launch.
struct Underway {
  TunedKernel kernel;
  std::string kernelName, launchClass, alternative;
  std::string session;
  int64_t process = 0;
  int64_t sinceMilliseconds = 0; ///< of the realtime clock
  int64_t limitMilliseconds = 0; ///< after this time it counts as hanging
  friend bool operator==(const Underway &, const Underway &) = default;
};

/// The report of `regrain db check`.
struct DatabaseCondition {
  int schemaMajor = 0, schemaMinor = 0;                 ///< of the file
  uint64_t kernels = 0, measurements = 0, underway = 0; ///< rows
  std::vector<std::string> faults; ///< the results of SQLite's own check; none: sound
};

class Database {
public:
  enum class Access : uint8_t { ReadOnly, ReadWrite };

  /// Returns the path that the environment determines; empty for
  /// REGRAIN_DB=off. It is an error if there is no path (no home).
  [[nodiscard]] static OrError<std::string> defaultPath();

  struct Opened {
    OrError<std::unique_ptr<Database>> database; ///< null: ReadOnly, and there is no file
    std::string
        notice; ///< one sentence for the user (the file was set aside or upgraded), or empty
  };
  [[nodiscard]] static Opened open(const std::string &path, Access access);
  virtual ~Database() = default;

  /// Returns the choices for a kernel, one for each class; imported ones only on
  /// request.
  [[nodiscard]] virtual OrError<std::vector<Choice>> choices(const TunedKernel &kernel,
                                                             bool withImported) = 0;
  /// Returns the stale choices: those for a kernel of that name but of another hash,
  /// generation, device, driver or compiler.
  [[nodiscard]] virtual OrError<std::vector<Choice>>
  staleChoices(const TunedKernel &kernel, const std::string &kernelName) = 0;
  [[nodiscard]] virtual OrError<std::vector<Exclusion>> exclusions(const TunedKernel &kernel) = 0;

  /// Replaces the choice for the class. It is an error if the alternative is
  /// excluded, or a figure is not finite.
  [[nodiscard]] virtual OrError<void> put(const Choice &choice) = 0;
  /// Also drops the kernel's choices of that alternative.
  [[nodiscard]] virtual OrError<void> put(const Exclusion &exclusion) = 0;
  [[nodiscard]] virtual OrError<void> add(const Measurement &measurement) = 0;

  [[nodiscard]] virtual OrError<void> begin(const Underway &underway) = 0;
  [[nodiscard]] virtual OrError<void> end(const Underway &underway) = 0;
  [[nodiscard]] virtual OrError<std::vector<Underway>> underway(const std::string &session) = 0;

  /// Returns the names of all kernels in the database, sorted and unique.
  [[nodiscard]] virtual OrError<std::vector<std::string>> kernelNames() = 0;
  [[nodiscard]] virtual OrError<std::vector<Choice>> allChoices() = 0;
  [[nodiscard]] virtual OrError<std::vector<Exclusion>> allExclusions() = 0;
  /// Returns the alternatives that had the original's result on the class and are not
  /// excluded, sorted.
  [[nodiscard]] virtual OrError<std::vector<std::string>>
  verified(const TunedKernel &kernel, const std::string &launchClass) = 0;
  /// Returns the measurements in the order in which they were added.
  [[nodiscard]] virtual OrError<std::vector<Measurement>>
  measurements(const std::string &session) = 0;
  /// Returns those that are kept of the kernels with exactly that name, on every device and from
  /// every compiler, in the same order.
  [[nodiscard]] virtual OrError<std::vector<Measurement>>
  measurementsOf(const std::string &kernelName) = 0;

  /// Drops the entries of the kernel with exactly that name, on every device and
  /// from every compiler: choices and measurements, and on request its exclusions.
  [[nodiscard]] virtual OrError<void> forget(const std::string &kernelName, bool exclusionsToo) = 0;
  /// Drops all measurements except those of the last `sessions` sessions that measured a
  /// kernel, by its name, on a device and a class of launches, for any code and compiler.
  [[nodiscard]] virtual OrError<void> dropOldMeasurements(uint32_t sessions) = 0;
  [[nodiscard]] virtual OrError<DatabaseCondition> condition() = 0;

  /// Makes the calls of `changes` one transaction, including what they read: all of it
  /// takes effect, or none if one call or `changes` itself returns an error.
  /// Transactions do not nest.
  [[nodiscard]] virtual OrError<void> atomically(const std::function<OrError<void>()> &changes) = 0;
};

} // namespace regrain
