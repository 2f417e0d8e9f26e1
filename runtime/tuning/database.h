//===- database.h - What was measured, and what follows ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One SQLite file for all programs of a user: $REGRAIN_DB, else
// $XDG_CACHE_HOME/regrain/tuning.db, else ~/.cache/regrain/tuning.db.
// REGRAIN_DB=off: none. It holds choices and measurements, never code.
//
// A change waits for the disk, 2 to 20 ms: what belongs together goes into one, with
// atomically().
//
// Several processes may use it at once. Each change is one transaction: a writer
// that is killed leaves the file as it was before. A file that is damaged is moved
// aside to NAME.damaged-N with one message, and a new one begun; one of a newer
// major schema is refused by name and left alone. An older schema is brought
// forward when it is opened for writing.
//
// Opened ReadOnly, the file and its folder stay as they are: damage is an error, an
// older schema is brought forward in memory alone, and no call waits for more than
// 50 ms; once one of the process has waited in vain, none waits until one can read
// again. So that a program says a thing once, calls that fail as an earlier one did
// give nothing and no error.
//
// Calls may come from several threads. In a process that was forked off the one that
// opened the database, all fail. Nothing throws.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/copy_bytes.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace regrain {

/// Empty text: no error.
struct [[nodiscard]] DatabaseError {
  std::string text;
  explicit operator bool() const { return !text.empty(); }
};

/// What measurements hold for: the same kernel, compiled in the same way by the same
/// compiler, on the same model of device, of as many multiprocessors, under the same driver.
struct TunedKernel {
  std::string hash;             ///< content hash of the kernel's IR (image::Kernel::hash)
  std::string generation;       ///< of the code that the device runs (image::Module::generation)
  std::string device;           ///< model, as cudaDeviceProp::name
  uint32_t multiprocessors = 0; ///< a part of a GPU, or a CPU with fewer threads, has fewer
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

/// What came of measuring one class of launches.
struct Choice {
  TunedKernel kernel;
  std::string kernelName;                                  ///< demangled
  std::string launchClass;                                 ///< toString(LaunchClass)
  std::string alternative;                                 ///< id; "original" where that stays
  std::string verdict;                                     ///< one sentence: why this one
  double originalMicroseconds = 0, chosenMicroseconds = 0; ///< medians of a launch
  Gain gain;
  uint32_t launches = 0; ///< that were sampled
  std::string verified;  ///< how: "bitwise, 3 launches, 40 MiB compared"
  /// Brought in from elsewhere and not yet confirmed here: never used to launch.
  bool imported = false;
  std::string when; ///< UTC, ISO 8601; put() fills in what is empty
  friend bool operator==(const Choice &, const Choice &) = default;
};

/// An alternative that shall never run again.
struct Exclusion {
  TunedKernel kernel;
  std::string kernelName, alternative;
  std::string reason; ///< "differs from the original at byte 4096 of ..., ..."
  std::string when;   ///< as in Choice
  friend bool operator==(const Exclusion &, const Exclusion &) = default;
};

/// One candidate at one sampled launch.
struct Measurement {
  TunedKernel kernel;
  std::string kernelName, launchClass, alternative;
  std::string session;
  uint32_t launch = 0; ///< number of the launch within its class, from 0
  double weight = 1;   ///< launches of the class that this one stands for
  double originalMicroseconds = 0, candidateMicroseconds = 0; ///< medians
  Gain gain;
  uint32_t pairs = 0; ///< timed
  /// "timed", "confirmed", "not confirmed", "dropped: ...", "excluded: ...", "not replayed: ...",
  /// "not tuned: ..."
  std::string outcome;
  double seconds = 0;    ///< wall clock that it cost, restores and comparisons too; of the budget
  CopyBytes copies = {}; ///< of memory, at the launch
  friend bool operator==(const Measurement &, const Measurement &) = default;
};

/// A candidate that runs now, for the first time on the data of a launch.
struct Underway {
  TunedKernel kernel;
  std::string kernelName, launchClass, alternative;
  std::string session;
  int64_t process = 0;
  int64_t sinceMilliseconds = 0; ///< of the realtime clock
  int64_t limitMilliseconds = 0; ///< longer than this is a hang
  friend bool operator==(const Underway &, const Underway &) = default;
};

/// What `regrain db check` looks at.
struct DatabaseCondition {
  int schemaMajor = 0, schemaMinor = 0;                 ///< of the file
  uint64_t kernels = 0, measurements = 0, underway = 0; ///< rows
  std::vector<std::string> faults; ///< what SQLite's own check finds; none: sound
};

/// In all calls `out` is replaced, and empty after an error.
class Database {
public:
  enum class Access : uint8_t { ReadOnly, ReadWrite };

  /// Where it lies by the environment; empty where REGRAIN_DB=off. `error` says
  /// why there is no place (no home).
  static std::string defaultPath(DatabaseError &error);

  /// Opens the file. ReadOnly where there is none: null without an error. `notice`
  /// is one sentence for the user, or empty (set aside, brought forward).
  static std::unique_ptr<Database> open(const std::string &path, Access access,
                                        DatabaseError &error, std::string &notice);
  virtual ~Database() = default;

  /// Choices for a kernel, one a class; imported ones only where asked for.
  virtual DatabaseError choices(const TunedKernel &kernel, bool withImported,
                                std::vector<Choice> &out) = 0;
  /// Choices that hold for the kernel of that name but for another hash, generation, device,
  /// driver or compiler: stale, to be spoken of.
  virtual DatabaseError staleChoices(const TunedKernel &kernel, const std::string &kernelName,
                                     std::vector<Choice> &out) = 0;
  virtual DatabaseError exclusions(const TunedKernel &kernel, std::vector<Exclusion> &out) = 0;

  /// Replaces what was chosen for the class. An error where the alternative is
  /// excluded, or where a figure is not finite.
  virtual DatabaseError put(const Choice &choice) = 0;
  /// Also drops the kernel's choices of that alternative.
  virtual DatabaseError put(const Exclusion &exclusion) = 0;
  virtual DatabaseError add(const Measurement &measurement) = 0;

  virtual DatabaseError begin(const Underway &underway) = 0;
  virtual DatabaseError end(const Underway &underway) = 0;
  virtual DatabaseError underway(const std::string &session, std::vector<Underway> &out) = 0;

  /// Names of all kernels of which anything is known, sorted, each once.
  virtual DatabaseError kernelNames(std::vector<std::string> &out) = 0;
  virtual DatabaseError allChoices(std::vector<Choice> &out) = 0;
  virtual DatabaseError allExclusions(std::vector<Exclusion> &out) = 0;
  /// Alternatives that were found to do what the original does, on the class, and are
  /// not excluded; sorted.
  virtual DatabaseError verified(const TunedKernel &kernel, const std::string &launchClass,
                                 std::vector<std::string> &out) = 0;
  /// In the order in which they were added.
  virtual DatabaseError measurements(const std::string &session, std::vector<Measurement> &out) = 0;

  /// Drops what is known of the kernel with just that name, on every device and from
  /// every compiler: choices and measurements, its exclusions only where asked for.
  virtual DatabaseError forget(const std::string &kernelName, bool exclusionsToo) = 0;
  /// Drops all measurements but those of the last `sessions` sessions that measured a kernel,
  /// by its name, on a device and a class of launches: whatever its code and the compiler.
  virtual DatabaseError dropOldMeasurements(uint32_t sessions) = 0;
  virtual DatabaseError condition(DatabaseCondition &out) = 0;

  /// Makes what `changes` calls one transaction, with what it reads: all of it happens,
  /// or, where one call or `changes` itself gives an error, nothing. Does not nest.
  virtual DatabaseError atomically(const std::function<DatabaseError()> &changes) = 0;
};

} // namespace regrain
