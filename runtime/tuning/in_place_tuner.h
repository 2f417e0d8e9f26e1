//===- in_place_tuner.h - Measuring without copies --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's launches of a class run at the original and at the candidates in
// turn; each launch happens once, and no memory is copied. Neighbouring launches are
// the pairs, so the work may drift, but must not alternate. After at most 2 * (25 N +
// 40 log2 N + 80) launches of N candidates the choice is made, and the program
// continues with it. The program loses no time, so there is no budget.
//
// Only candidates that were verified on the class run, unless the user allows others,
// because nothing is compared here.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/tuning/launch_timer.h"
#include "runtime/tuning/measuring.h"

#include <deque>
#include <optional>

namespace regrain {

class InPlaceTuner final : public ClassTuner {
public:
  InPlaceTuner(Measuring &session, TunableKernel &kernel, const LaunchClass &launchClass,
               bool mayRunUnverified);

  [[nodiscard]] cudaError_t launch(const LaunchShape &program, void **arguments,
                                   cudaStream_t stream) override;
  void conclude() override;

private:
  struct Candidate {
    size_t index; ///< index into TunableKernel::candidates()
    std::string id;
    bool hasRun; ///< here or, verified, in an earlier run; until then it may fault
    std::vector<TimedPair> pairs, fresh; ///< of all rounds; of this one
  };
  /// A launch whose time is not known yet.
  struct Pending {
    size_t candidate; ///< index into `candidates`
    bool isOriginal;
    LaunchTimer timer;
  };
  enum class Phase : uint8_t { Racing, Confirming, Over };

  void planRound();
  cudaError_t launchTimed(size_t candidate, bool isOriginal, const LaunchShape &program,
                          void **arguments, cudaStream_t stream);
  cudaError_t launchFirst(Candidate &candidate, const LaunchShape &program, void **arguments,
                          cudaStream_t stream);
  void giveUp(const std::string &reason);
  bool collect(bool waits);
  cudaError_t waitFor(LaunchTimer &timer);
  void endRound();
  void decide();

  TunableKernel &kernel;
  Device &device;
  Activities &shown;
  ClassJournal journal;
  std::vector<Candidate> candidates;
  std::optional<Halving> halving;
  Phase phase = Phase::Racing;
  std::deque<size_t> turns; ///< candidates of this round's pairs; the front is next
  bool isSecondOfPair = false;
  std::deque<Pending> pending;
  double originalMicroseconds = 0; ///< of the pair that is being collected
  std::optional<size_t> leader;    ///< index into `candidates`
  std::optional<size_t> chosen;
  uint64_t launches = 0;
};

} // namespace regrain
