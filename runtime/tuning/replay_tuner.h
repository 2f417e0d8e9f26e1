//===- replay_tuner.h - Measuring on copies of the data ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of the launches of a class, the 1st, 2nd, 4th, 8th, ... are sampled, which covers
// programs whose work shrinks or grows from launch to launch. At a sampled launch,
// every remaining candidate is verified and timed; the choice minimises the time of
// all launches that the samples represent.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/measuring.h"
#include "runtime/tuning/replay.h"

#include <string>
#include <vector>

namespace regrain {

class ReplayTuner final : public ClassTuner {
public:
  ReplayTuner(Measuring &session, TunableKernel &kernel, const LaunchClass &launchClass);

  [[nodiscard]] cudaError_t launch(const LaunchShape &program, void **arguments,
                                   cudaStream_t stream) override;
  void conclude() override;

private:
  struct Candidate {
    size_t index; ///< index into TunableKernel::candidates()
    std::string id;
    std::vector<SampledLaunch> samples;
    std::vector<double> microseconds; ///< medians, one for each sample
    bool isConfirmed = false;         ///< has won with fresh pairs
    bool isBitwise = true;            ///< the original's result at all samples, not the control's
  };

  bool isDue() const;
  cudaError_t sample(const LaunchShape &program, void **arguments, cudaStream_t stream);
  cudaError_t sampleWithin(const LaunchShape &program, void **arguments, cudaStream_t stream);
  cudaError_t replayWith(Replay &replay, const LaunchShape &program, void **arguments,
                         cudaStream_t stream);
  cudaError_t finish(Replay &replay);
  cudaError_t leaveUnsampled(const std::string &why, const LaunchShape &program, void **arguments,
                             cudaStream_t stream);
  double limitOf(const Replay &replay) const;
  void measure(Replay &replay, const LaunchShape &program, void **arguments, cudaStream_t stream);
  bool addControl(Replay &replay);
  bool verify(Replay &replay, Candidate &candidate);
  void race(Replay &replay);
  bool timePairs(Replay &replay, Candidate &candidate, uint32_t count,
                 std::vector<TimedPair> &pairs);
  void keep(Candidate &candidate, const std::vector<TimedPair> &pairs, double seconds);
  void confirm(Replay &replay);
  void weigh(double lastWeight);
  Candidate *leader(Gain &gain);
  void keepOriginal(const std::string &why);
  std::string howVerified(const Candidate *chosen) const;
  void decide();

  Measuring &session;
  TunableKernel &kernel;
  ClassJournal journal;
  std::vector<Candidate> candidates; ///< that have not been eliminated
  std::optional<size_t> control;     ///< its index; others may have its result
  uint64_t launches = 0;             ///< seen so far
  unsigned givenUp = 0;              ///< consecutive samples that the process left no room for
  std::vector<uint64_t> sampled;     ///< numbers of the sampled launches
  uint64_t mostCompared = 0;         ///< bytes at one launch
  bool isOfArguments = false;        ///< in the comparisons at some sample
  std::optional<uint64_t> mostUlps;  ///< between original and control, if they differ
  double originalMicroseconds = 0;   ///< at the last sample
  std::string whyNone = "no candidate is left";
  bool isOver = false; ///< measuring has ended
};

} // namespace regrain
