//===- replay.h - One launch, repeated on the same data ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch is done for the program, at the original; then it is repeated, at the
// original and at candidates, from the memory before it. At the end memory holds
// what the original wrote.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/tuning.h"
#include "runtime/image/memory_use.h"
#include "runtime/tuning/expected_memory.h"
#include "runtime/tuning/reach.h"
#include "runtime/tuning/statistics.h"

#include <chrono>
#include <optional>

namespace regrain {

/// What is launched: the original, or an index into TunableKernel::candidates().
using Contestant = std::optional<size_t>;

/// What came of comparing a result.
struct Comparison {
  std::string difference; ///< from what it is to be, where that is; empty where it is right
  bool isBitwise = true;  ///< the original's; else the control's, which is near to it
};

class Replay {
public:
  /// Copies take `most` on the device and on the host.
  Replay(TunableKernel &kernel, const LaunchShape &program, void **arguments, cudaStream_t stream,
         const CopyBytes &most)
      : kernel(kernel), device(kernel.tuningDevice()), program(program), arguments(arguments),
        stream(stream), most(most) {}
  ~Replay();

  /// Launches for the program, once, and waits for the end at most for `patience`. Where
  /// the launch may be repeated, `whyNot` stays empty; otherwise nothing but ending may
  /// follow. The status is the program's.
  [[nodiscard]] cudaError_t begin(std::chrono::milliseconds patience, std::string &whyNot);

  /// Repeats the original, and finds what it writes. `whyNot` says where it does not give
  /// the same result, or that cannot be kept; then nothing but ending may follow.
  [[nodiscard]] cudaError_t examine(std::string &whyNot);

  /// Runs the control: the original by the route of the candidates. From then on a
  /// candidate's result may be the control's, where that is within `ulps` units in the
  /// last place of the original's: words that the kernel computes as floating-point
  /// numbers of one type; all others are equal. Not near: `difference` says where. Where
  /// its result cannot be kept, `whyNot` says so, and no candidate can be verified.
  [[nodiscard]] cudaError_t addControl(size_t candidate, uint32_t ulps, std::string &difference,
                                       std::string &whyNot);

  /// How far the control is from the original, where it is not the same bit for bit.
  std::optional<uint64_t> ulpsOfControl() const { return largestUlps; }

  /// Runs a candidate on the same data.
  [[nodiscard]] cudaError_t verify(size_t candidate, Comparison &out);

  /// Times the original and a verified candidate, one after the other; which goes first
  /// alternates.
  [[nodiscard]] cudaError_t time(size_t candidate, TimedPair &out);

  /// After all: memory holds what the original wrote. `difference` says what it held
  /// instead, where a candidate did something else when it was timed.
  [[nodiscard]] cudaError_t finish(std::string &difference);

  /// Whether the program's launch has been made.
  bool hasLaunched() const { return isLaunched; }
  /// Whether memory may hold something else than what the original leaves.
  bool hasRepeated() const { return isRepeated; }
  /// What the device may be at work on, though the launch has been given up.
  [[nodiscard]] std::unique_ptr<Snapshot> takeUnfinished();
  /// What one wait for a repetition takes at most.
  std::chrono::milliseconds limit() const { return mostWait; }

  /// Whether the original gave the same result twice, as far as that was looked at.
  bool repeatsItself() const { return isSteady; }
  /// Microseconds of a launch of the original in the second run.
  double originalMicroseconds() const { return originalTime; }
  uint64_t comparedBytes() const { return before ? totalBytes(before->ranges()) : 0; }
  /// Whether only what the arguments reach, and nothing else can be, was copied and compared.
  bool isOfArguments() const { return copiesArgumentsAlone; }
  /// What the copies take that were made so far.
  CopyBytes copyBytes() const;

private:
  std::vector<ArgumentWord> readWords() const;
  bool isForeign(uintptr_t address) const;
  std::string whyNotReplayable();
  bool isArgument(const Allocation &memory) const;
  std::vector<MemoryRange> memoryToCopy(bool argumentsAlone) const;
  cudaError_t roomFor(Snapshot::Place place, uint64_t &bytes) const;
  cudaError_t takeWhereItFits(const std::vector<MemoryRange> &ranges);
  cudaError_t takeSnapshot(std::string &whyNot);
  cudaError_t readWrites(std::string &whyNot);
  cudaError_t controlOriginal(std::string &whyNot);
  cudaError_t checkRepeats();
  cudaError_t launch(Contestant contestant);
  cudaError_t settle();
  cudaError_t run(Contestant contestant);
  cudaError_t compare(Comparison &out);
  cudaError_t findFirst(ExpectedMemory &expected, const std::byte *&at);
  StoredTypes typesAt(const std::byte *at) const;
  cudaError_t measureControl(const std::vector<MemoryRange> &ranges, uint32_t ulps,
                             uint64_t &largest, std::string &difference);
  cudaError_t keepControl(const std::vector<MemoryRange> &ranges, std::string &whyNot);
  cudaError_t checkRepeatsOf(size_t control);
  cudaError_t timeOne(Contestant contestant, double &microseconds);
  std::string describe(const std::byte *at) const;

  TunableKernel &kernel;
  Device &device;
  LaunchShape program;
  void **arguments;
  cudaStream_t stream;
  CopyBytes most;
  LaunchSurroundings around;
  std::unique_ptr<Snapshot> before, after;         ///< `after`: of what was written
  std::unique_ptr<Snapshot> controlled;            ///< what the control writes otherwise
  std::optional<ExpectedMemory> original, control; ///< results
  std::vector<MemoryRange> written;                ///< by either
  std::optional<uint64_t> largestUlps;
  cudaEvent_t start = nullptr, end = nullptr;
  double originalTime = 0;
  bool isSteady = true;
  bool isLaunched = false, isRepeated = false;
  bool isUnfinished = false; ///< the device may be at work on the launch
  std::chrono::milliseconds mostWait = {};
  bool copiesArgumentsAlone = false;
  bool candidateIsFirst = false; ///< in the next pair
  /// Launches between two events. More than one where a launch on its own result
  /// gives the same result again.
  unsigned repeats = 1;
};

} // namespace regrain
