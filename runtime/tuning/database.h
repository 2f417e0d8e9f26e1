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
// writer is killed, the file stays as it was before. A damaged file is moved aside
// to NAME.damaged-N with one message, and a new one is begun; a file of a newer
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

#include "runtime/tuning/copy_bytes.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace regrain {

/// An empty text means no error.
struct [[nodiscard]] DatabaseError {
  std::string text;
  explicit operator bool() const { return !text.empty(); }
};

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

/// One candidate at one sampled launch.
struct Measurement {
  TunedKernel kernel;
  std::string kernelName, launchClass, alternative;
  std::string session;
  uint32_t launch = 0; ///< number of the launch within its class, from 0
  double weight = 1;   ///< number of launches of the class that this one represents
  double originalMicroseconds = 0, candidateMicroseconds = 0; ///< medians
  Gain gain;
  uint32_t pairs = 0; ///< timed
  /// "timed", "confirmed", "not confirmed", "dropped: ...", "excluded: ...", "not replayed: ...",
  /// "not tuned: ..."
  std::string outcome;
  double seconds = 0;    ///< wall clock of the budget, with restores and comparisons
  CopyBytes copies = {}; ///< of memory, at the launch
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

/// All calls replace `out`, which is empty after an error.
class Database {
public:
  enum class Access : uint8_t { ReadOnly, ReadWrite };

  /// Returns the path that the environment determines; empty for
  /// REGRAIN_DB=off. `error` says why there is no path (no home).
  static std::string defaultPath(DatabaseError &error);

  /// Opens the file. With ReadOnly and no file, returns null without an error.
  /// `notice` is one sentence for the user (the file was set aside or upgraded),
  /// or empty.
  static std::unique_ptr<Database> open(const std::string &path, Access access,
                                        DatabaseError &error, std::string &notice);
  virtual ~Database() = default;

  /// Gives the choices for a kernel, one for each class; imported ones only on
  /// request.
  virtual DatabaseError choices(const TunedKernel &kernel, bool withImported,
                                std::vector<Choice> &out) = 0;
  /// Gives the stale choices: those for a kernel of that name but of another hash,
  /// generation, device, driver or compiler.
  virtual DatabaseError staleChoices(const TunedKernel &kernel, const std::string &kernelName,
                                     std::vector<Choice> &out) = 0;
  virtual DatabaseError exclusions(const TunedKernel &kernel, std::vector<Exclusion> &out) = 0;

  /// Replaces the choice for the class. It is an error if the alternative is
  /// excluded, or a figure is not finite.
  virtual DatabaseError put(const Choice &choice) = 0;
  /// Also drops the kernel's choices of that alternative.
  virtual DatabaseError put(const Exclusion &exclusion) = 0;
  virtual DatabaseError add(const Measurement &measurement) = 0;

  virtual DatabaseError begin(const Underway &underway) = 0;
  virtual DatabaseError end(const Underway &underway) = 0;
  virtual DatabaseError underway(const std::string &session, std::vector<Underway> &out) = 0;

  /// Gives the names of all kernels in the database, sorted and unique.
  virtual DatabaseError kernelNames(std::vector<std::string> &out) = 0;
  virtual DatabaseError allChoices(std::vector<Choice> &out) = 0;
  virtual DatabaseError allExclusions(std::vector<Exclusion> &out) = 0;
  /// Gives the alternatives that had the original's result on the class and are not
  /// excluded, sorted.
  virtual DatabaseError verified(const TunedKernel &kernel, const std::string &launchClass,
                                 std::vector<std::string> &out) = 0;
  /// Gives the measurements in the order in which they were added.
  virtual DatabaseError measurements(const std::string &session, std::vector<Measurement> &out) = 0;

  /// Drops the entries of the kernel with exactly that name, on every device and
  /// from every compiler: choices and measurements, and on request its exclusions.
  virtual DatabaseError forget(const std::string &kernelName, bool exclusionsToo) = 0;
  /// Drops all measurements except those of the last `sessions` sessions that measured a
  /// kernel, by its name, on a device and a class of launches, for any code and compiler.
  virtual DatabaseError dropOldMeasurements(uint32_t sessions) = 0;
  virtual DatabaseError condition(DatabaseCondition &out) = 0;

  /// Makes the calls of `changes` one transaction, including what they read: all of it
  /// takes effect, or none if one call or `changes` itself returns an error.
  /// Transactions do not nest.
  virtual DatabaseError atomically(const std::function<DatabaseError()> &changes) = 0;
};

} // namespace regrain
