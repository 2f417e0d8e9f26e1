//===- class_tuner.h - Measuring one class of launches ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of the launches of a class the 1st, 2nd, 4th, 8th, ... are sampled: a program whose
// work shrinks or grows from launch to launch shows that. At a sampled launch every
// candidate left is verified and timed; which one is chosen follows from the time of
// all launches that the samples stand for.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/database.h"
#include "runtime/tuning/replay.h"

#include <string>
#include <vector>

namespace regrain {

/// What the session lends to those that measure.
class Measuring {
public:
  virtual ~Measuring() = default;
  virtual Database &database() = 0;
  virtual const std::string &sessionName() const = 0;
  /// Seconds that are left of the budget; not positive where it is spent. Time counts
  /// from beginSample() to endSample() alone: the program's own is its own.
  virtual double secondsLeft() const = 0;
  virtual void beginSample() = 0;
  virtual void endSample() = 0;
  virtual TunedKernel keyOf(TunableKernel &kernel) const = 0;
  /// Says it once, when it is the first failure to write.
  virtual void note(const DatabaseError &error) = 0;
  /// A candidate has left the device unusable: the process cannot go on. What is
  /// under way stays written down.
  [[noreturn]] virtual void giveUp(const std::string &reason) = 0;
};

class ClassTuner {
public:
  ClassTuner(Measuring &session, TunableKernel &kernel, const LaunchClass &launchClass);

  /// Launches for the program; measures where the launch is to be sampled.
  [[nodiscard]] cudaError_t launch(const LaunchShape &program, void **arguments,
                                   cudaStream_t stream);

  /// Writes what follows from all launches that were seen.
  void conclude();

private:
  struct Candidate {
    size_t index; ///< into TunableKernel::candidates()
    std::string id;
    std::vector<SampledLaunch> samples;
    std::vector<double> microseconds; ///< medians, one a sample
    bool isConfirmed = false;         ///< has won with fresh pairs
    bool wasVerified = false;
  };

  bool isDue() const;
  void readExclusions();
  cudaError_t sample(const LaunchShape &program, void **arguments, cudaStream_t stream);
  void measure(Replay &replay, const LaunchShape &program, void **arguments);
  cudaError_t sampleWithin(const LaunchShape &program, void **arguments, cudaStream_t stream);
  Underway underwayAs(Replay &replay, const Candidate &candidate) const;
  bool verify(Replay &replay, Candidate &candidate);
  [[noreturn]] void giveUp(Replay &replay, const Candidate &candidate, cudaError_t status);
  void exclude(const Candidate &candidate, const std::string &reason);
  void race(Replay &replay);
  bool timePairs(Replay &replay, Candidate &candidate, uint32_t count,
                 std::vector<TimedPair> &pairs);
  void keep(Candidate &candidate, const std::vector<TimedPair> &pairs);
  void confirm(Replay &replay);
  void weigh(double lastWeight);
  Candidate *leader(Gain &gain);
  void decide();
  void record(const std::string &id, const SampledLaunch *sample, double microseconds,
              uint32_t pairs, const std::string &outcome);

  Measuring &session;
  TunableKernel &kernel;
  std::string kernelName, className;
  TunedKernel key;
  std::vector<Candidate> candidates; ///< that are still in the race
  uint64_t launches = 0;             ///< seen so far
  std::vector<uint64_t> sampled;     ///< numbers of the sampled launches
  uint64_t mostCompared = 0;         ///< bytes at one launch
  double originalMicroseconds = 0;   ///< at the last sample
  double leftWhenRecorded;           ///< of the budget, at the last record of this class
  std::string whyNone = "no candidate is left";
  bool isOver = false; ///< nothing is measured any more
};

} // namespace regrain
