//===- measuring.h - Interfaces of measuring --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/tuning.h"
#include "runtime/tuning/activities.h"
#include "runtime/tuning/budget.h"
#include "runtime/tuning/database.h"
#include "runtime/tuning/kernel_evidence.h"
#include "runtime/tuning/launch_invariants.h"
#include "runtime/tuning/snapshot.h"
#include "runtime/tuning/statistics.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace regrain {

/// What a class took in a surveyed run of the program (survey.h).
struct Surveyed {
  double seconds = 0;    ///< all its launches together
  uint64_t launches = 0; ///< of all processes of the run
};

/// The services of the session for the tuners of classes.
class Measuring {
public:
  virtual ~Measuring() = default;
  virtual Database &database() = 0;
  virtual const std::string &sessionName() const = 0;
  /// Returns those to which the tuners say what they do.
  virtual Activities &activities() = 0;
  /// Returns the distance that the control's result may have from the
  /// original's, in units in the last place.
  virtual uint32_t ulps() const = 0;
  /// Returns the same for a grain whose sums have another order.
  virtual uint32_t sumUlps() const = 0;
  virtual const CopyBytes &mostCopies() const = 0;
  /// Returns the seconds that are left of the budget; not positive if it is spent.
  /// Only the time from beginSample() to endSample() counts, not the program's own.
  virtual double secondsLeft() const = 0;
  /// Returns the state of the run for the shares of the budget.
  virtual BudgetState budgetState() const = 0;
  /// Returns what a survey of the program found of the class, which is launched now; nothing
  /// without a survey, and for a class that it did not meet.
  [[nodiscard]] virtual std::optional<Surveyed> meetSurveyed(const TunedKernel &kernel,
                                                             const std::string &launchClass) = 0;
  /// Returns what the classes of the kernel have found in this session; it stays where it is.
  virtual KernelEvidence &evidenceOf(const TunedKernel &kernel) = 0;
  /// Leaves time within a sample out of what is spent: it is the program's own.
  virtual void exempt(double seconds) = 0;
  /// Stops the rest of the process: until endSample(), no call of it is in progress, and
  /// the kernel's device is idle. If that is not achieved within `patience`, `whyNot` says
  /// why, and the process continues. An error comes from the program's earlier work.
  /// endSample() must follow in any case.
  [[nodiscard]] virtual cudaError_t beginSample(TunableKernel &kernel, std::string &whyNot) = 0;
  virtual void endSample() = 0;
  /// Returns how long a sample waits for the program's pending work.
  virtual std::chrono::milliseconds patience() const = 0;
  /// Keeps a copy that the device may still access until the device has been idle.
  virtual void keepUntilIdle(std::shared_ptr<void> copy) = 0;
  /// Reports the first failure of the database to `regrain tune`, and only that.
  virtual void note(const OrError<void> &done) = 0;
  /// Ends the process, because a candidate has left the device unusable. The row
  /// of what is running stays in the database.
  [[noreturn]] virtual void giveUp(const std::string &reason) = 0;
  /// Ends the process, because memory cannot be restored to the original's result
  /// although no candidate has failed. The process is started again without tuning.
  [[noreturn]] virtual void startWithout(const std::string &reason) = 0;
};

/// Thrown where it cannot be stored what is about to run: the supervisor would not know what broke
/// the program.
struct NotMarked {};

/// Measures one class of launches of one kernel.
class ClassTuner {
public:
  virtual ~ClassTuner() = default;
  /// Makes a launch of the program, and may measure it.
  [[nodiscard]] virtual cudaError_t launch(const LaunchShape &program, void **arguments,
                                           cudaStream_t stream) = 0;
  /// Writes the conclusion from all launches seen.
  virtual void conclude() = 0;
  /// Returns what the class has taken, and takes, as far as that is known.
  virtual ClassAccount account() const { return {}; }
  /// Returns whether launches of the class may still be sampled, as far as that is known.
  virtual bool mayBeSampled() const { return false; }
};

/// Returns the kernel's key in the database.
[[nodiscard]] TunedKernel keyOf(TunableKernel &kernel);

/// What the session writes to the database about one class of launches.
class ClassJournal {
public:
  ClassJournal(Measuring &session, TunableKernel &kernel, const LaunchClass &launchClass);

  const TunedKernel &kernelKey() const { return key; }
  const std::string &classText() const { return className; }
  const std::string &kernelText() const { return kernelName; }

  /// Returns the candidates that may run, as indices into TunableKernel::candidates(),
  /// and adds why the others may not. There are none if launches of the original
  /// cannot be repeated, which is noted as an exclusion of the original.
  [[nodiscard]] std::vector<size_t> usableCandidates(TunableKernel &kernel);
  /// Returns the ids of the candidates that were verified on the class, in this
  /// or an earlier session.
  [[nodiscard]] std::vector<std::string> verifiedCandidates();
  /// Returns the id of the candidate that is chosen for the class; nothing for the original.
  [[nodiscard]] std::optional<std::string> choice();

  /// Notes the size of the copies for the measurements added after this.
  void noteCopies(const CopyBytes &bytes) { copies = bytes; }

  /// Notes the launch that the measurements added after this are of.
  void noteLaunch(const LaunchShape &program, void *const *arguments) {
    invariants.add(program, arguments);
    blocks = uint64_t(program.grid[0]) * program.grid[1] * program.grid[2];
  }

  /// Adds an outcome without a time.
  void add(const std::string &id, uint64_t launch, const std::string &outcome);
  /// Adds a time; the seconds are its cost.
  void add(const std::string &id, uint64_t launch, const SampledLaunch &sample, double microseconds,
           uint32_t pairs, double seconds, const std::string &outcome);
  void exclude(const std::string &id, uint64_t launch, const std::string &reason);
  void choose(Choice choice);

  /// Marks `id` as running in the database: until the next call, or atRest(), or
  /// for good if the process dies. Throws NotMarked.
  void atWork(const std::string &id, double limitMilliseconds);
  void atRest();
  /// Excludes `id`, which has failed on the device. Its row stays, and tells the
  /// supervisor which candidate was running. Ends the process.
  [[noreturn]] void fail(const std::string &id, uint64_t launch, double limitMilliseconds,
                         cudaError_t status);

private:
  bool mark(const std::string &id, double limitMilliseconds);
  void add(const Measurement &measurement);
  Measurement blank(const std::string &id, uint64_t launch, const std::string &outcome) const;

  Measuring &session;
  TunedKernel key;
  LaunchClass ownClass;
  std::string kernelName, className;
  std::optional<Underway> standing;
  CopyBytes copies;
  LaunchInvariants invariants;
  uint64_t blocks = 0;
};

} // namespace regrain
