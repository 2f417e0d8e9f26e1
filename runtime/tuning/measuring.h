//===- measuring.h - Those that measure, and what they share ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/tuning.h"
#include "runtime/tuning/database.h"
#include "runtime/tuning/snapshot.h"
#include "runtime/tuning/statistics.h"

#include <chrono>
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
  /// Stops the rest of the process: until endSample() no call of it is under way, and the
  /// kernel's device has nothing to do. Where that does not come about in `patience`,
  /// `whyNot` says so, and the process goes on. An error is of the program's earlier work.
  /// endSample() is to follow in any case.
  [[nodiscard]] virtual cudaError_t beginSample(TunableKernel &kernel, std::string &whyNot) = 0;
  virtual void endSample() = 0;
  /// How long a sample waits for what the program has under way.
  virtual std::chrono::milliseconds patience() const = 0;
  /// Keeps a copy that the device may still be at work on until the device has been idle.
  virtual void keepUntilIdle(std::unique_ptr<Snapshot> copy) = 0;
  /// Says it once, when it is the first failure to write.
  virtual void note(const DatabaseError &error) = 0;
  /// A candidate has left the device unusable: the process cannot go on. What is
  /// under way stays written down.
  [[noreturn]] virtual void giveUp(const std::string &reason) = 0;
  /// Memory cannot be put back as the original leaves it, though no candidate has failed:
  /// the process cannot go on. It is started again without tuning.
  [[noreturn]] virtual void startWithout(const std::string &reason) = 0;
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
  /// which may not, and why. None where launches of the original cannot be repeated: that
  /// stands as an exclusion of the original.
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
