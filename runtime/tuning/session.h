//===- session.h - Tuning inside a running program --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Under REGRAIN_TUNE the process measures; otherwise it reads choices. While it
// measures, launches happen one at a time.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/measuring.h"
#include "runtime/tuning/note_file.h"
#include "runtime/tuning/survey.h"
#include "runtime/tuning/tune_request.h"

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace regrain {

/// Reads choices, in a program that does not tune.
class Reader : public Tuning {
public:
  explicit Reader(std::string path) : path(std::move(path)) {}
  bool isMeasuring() const override { return false; }
  std::vector<TunedChoice> choices(TunableKernel &kernel) override;
  void decline(TunableKernel &, const std::string &) override {}
  cudaError_t launch(TunableKernel &kernel, const LaunchShape &program, void **arguments,
                     cudaStream_t stream) override {
    return kernel.launchOriginal(program, arguments, stream);
  }
  void settle() override {}
  void forget(TunableKernel &) override {}

private:
  /// What the database knows of a kernel.
  struct Known {
    std::vector<Choice> choices;
    bool isStale = false; ///< there are choices, but for other code or another device
  };
  OrError<Known> read(const TunedKernel &key, const std::string &kernelName) const;

  std::string path;
  std::mutex reading;
};

/// Measures launches and records choices.
class Session final : public Tuning, public Measuring {
public:
  Session(TuneRequest request, std::unique_ptr<Database> file, NoteFile unstored, Gate &gate);

  /// Makes the listener hear of everything that is done from now on; null is nobody.
  void show(std::unique_ptr<ActivityListener> listener) { shown.add(std::move(listener)); }

  bool isMeasuring() const override { return true; }
  std::vector<TunedChoice> choices(TunableKernel &) override { return {}; }
  void decline(TunableKernel &kernel, const std::string &reason) override;
  cudaError_t launch(TunableKernel &kernel, const LaunchShape &program, void **arguments,
                     cudaStream_t stream) override;
  void settle() override { Turn turn(*this); }
  void forget(TunableKernel &kernel) override;
  /// Runs at the end of the process.
  void conclude();

  Database &database() override { return *file; }
  const std::string &sessionName() const override { return request.session; }
  Activities &activities() override { return shown; }
  uint32_t ulps() const override { return request.ulps; }
  uint32_t sumUlps() const override { return request.sumUlps; }
  const CopyBytes &mostCopies() const override { return request.mostCopies; }
  double secondsLeft() const override;
  BudgetState budgetState() const override;
  std::optional<Surveyed> meetSurveyed(const TunedKernel &kernel,
                                       const std::string &launchClass) override {
    return survey.meet(kernel, launchClass);
  }
  KernelEvidence &evidenceOf(const TunedKernel &kernel) override { return evidence[kernel]; }
  void exempt(double seconds) override { spentSeconds -= seconds; }
  cudaError_t beginSample(TunableKernel &kernel, std::string &whyNot) override;
  void endSample() override;
  std::chrono::milliseconds patience() const override;
  void keepUntilIdle(std::shared_ptr<void> copy) override { kept.push_back(std::move(copy)); }
  void note(const OrError<void> &done) override;
  [[noreturn]] void giveUp(const std::string &reason) override;
  [[noreturn]] void startWithout(const std::string &reason) override;

private:
  /// Admits one thread at a time. A thread that waits for its turn is outside the gate,
  /// which the thread that has the turn may be about to close.
  class Turn {
  public:
    explicit Turn(Session &session) : lock(session.launching, std::defer_lock) {
      Gate::Outside outside(session.gate);
      lock.lock();
    }

  private:
    std::unique_lock<std::mutex> lock;
  };

  void openGate();
  std::unique_ptr<ClassTuner> makeTuner(TunableKernel &kernel, const LaunchClass &launchClass);

  using ClassOf = std::pair<TunableKernel *, LaunchClass>;

  TuneRequest request;
  std::unique_ptr<Database> file;
  Activities shown;
  Survey survey; ///< of an earlier run of the session; empty without one
  std::map<TunedKernel, KernelEvidence> evidence;
  double spentSeconds = 0; ///< in samples that have ended, without what is exempt
  std::optional<std::chrono::steady_clock::time_point> sampling; ///< since when, if it is
  Gate &gate;
  bool isGateClosed = false;
  std::vector<std::shared_ptr<void>> kept;
  std::mutex launching;
  std::map<ClassOf, std::unique_ptr<ClassTuner>> classes;
  std::set<ClassOf> capturedClasses; ///< whose launches in possible captures have been reported
  NoteFile unstored;
  bool hasSaidError = false;
};

} // namespace regrain
