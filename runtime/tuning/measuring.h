//===- measuring.h - Those that measure, and what they share ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/tuning.h"
#include "runtime/tuning/database.h"
#include "runtime/tuning/statistics.h"

#include <optional>
#include <string>
#include <vector>

namespace regrain {

/// What the session lends to those that measure.
class Measuring {
public:
  virtual ~Measuring() = default;
  virtual Database &database() = 0;
  virtual const std::string &sessionName() const = 0;
  /// What the control may be away from the original, in units in the last place.
  virtual uint32_t ulps() const = 0;
  virtual const CopyBytes &mostCopies() const = 0;
  /// Seconds that are left of the budget; not positive where it is spent. Time counts
  /// from beginSample() to endSample() alone: the program's own is its own.
  virtual double secondsLeft() const = 0;
  virtual void beginSample() = 0;
  virtual void endSample() = 0;
  /// Says it once, when it is the first failure to write.
  virtual void note(const DatabaseError &error) = 0;
  /// A candidate has left the device unusable: the process cannot go on. What is
  /// under way stays written down.
  [[noreturn]] virtual void giveUp(const std::string &reason) = 0;
};

/// Measures one class of launches of one kernel.
class ClassTuner {
public:
  virtual ~ClassTuner() = default;
  /// Launches for the program, and may measure.
  [[nodiscard]] virtual cudaError_t launch(const LaunchShape &program, void **arguments,
                                           cudaStream_t stream) = 0;
  /// Writes what follows from all launches that were seen.
  virtual void conclude() = 0;
};

/// What the kernel's measurements hold for.
[[nodiscard]] TunedKernel keyOf(TunableKernel &kernel);

/// What is written down about one class of launches.
class ClassJournal {
public:
  ClassJournal(Measuring &session, TunableKernel &kernel, const LaunchClass &launchClass);

  /// Candidates that may run, as indices into TunableKernel::candidates(). Writes down
  /// which may not, and why.
  [[nodiscard]] std::vector<size_t> usableCandidates(TunableKernel &kernel);
  /// Ids of those that were verified on the class, in this or an earlier session.
  [[nodiscard]] std::vector<std::string> verifiedCandidates();

  /// What is recorded from now on was measured with copies of that size.
  void noteCopies(const CopyBytes &bytes) { copies = bytes; }

  /// An outcome without a time.
  void record(const std::string &id, uint64_t launch, const std::string &outcome);
  /// A time; the seconds are those that it cost.
  void record(const std::string &id, uint64_t launch, const SampledLaunch &sample,
              double microseconds, uint32_t pairs, double seconds, const std::string &outcome);
  void exclude(const std::string &id, uint64_t launch, const std::string &reason);
  void choose(Choice choice);

  /// The row of `id` stands in the database from now on: until the next call, or
  /// atRest(), or for ever where the process dies.
  void atWork(const std::string &id, double limitMilliseconds);
  void atRest();
  /// `id` has failed on the device: it is excluded, and its row stays, which tells the
  /// supervisor who was at work, whenever that was. Gives the process up.
  [[noreturn]] void fail(const std::string &id, uint64_t launch, double limitMilliseconds,
                         cudaError_t status);

private:
  Measurement blank(const std::string &id, uint64_t launch, const std::string &outcome) const;

  Measuring &session;
  TunedKernel key;
  std::string kernelName, className;
  std::optional<Underway> standing;
  CopyBytes copies;
};

} // namespace regrain
