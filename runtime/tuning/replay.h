//===- replay.h - One launch, repeated on the same data ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch is made for the program, at the original; then it is repeated, at the
// original and at candidates, from the memory before it. At the end, memory
// contains the original's result. Memory of other allocators is never changed: the
// repetitions then work on copies of it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/tuning.h"
#include "runtime/image/memory_use.h"
#include "runtime/tuning/activities.h"
#include "runtime/tuning/argument_copies.h"
#include "runtime/tuning/batch_timer.h"
#include "runtime/tuning/budget.h"
#include "runtime/tuning/expected_memory.h"
#include "runtime/tuning/reach.h"
#include "runtime/tuning/statistics.h"
#include "runtime/tuning/tolerance.h"

#include <chrono>
#include <map>
#include <optional>

namespace regrain {

/// Returns the seconds that have passed since `start`.
inline double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The code of a launch: the original, or an index into
/// TunableKernel::candidates().
using Contestant = std::optional<size_t>;

/// The result of a comparison.
struct Comparison {
  std::string difference; ///< the first difference from the expected result; empty if there is none
  bool isBitwise = true;  ///< the original's; otherwise the control's
};

/// A candidate's first run.
struct Verification {
  Comparison found;
  double microseconds = 0; ///< of the launch
};

/// Returns whether the memory is that of a variable of the program's.
inline bool isVariable(const Allocation &allocation) {
  return allocation.kind == MemoryKind::Variable || allocation.kind == MemoryKind::ManagedVariable;
}

class Replay {
public:
  /// Copies take at most `most` on the device and on the host.
  Replay(TunableKernel &kernel, const LaunchShape &program, void **arguments, cudaStream_t stream,
         const CopyBytes &most, Activities &shown)
      : kernel(kernel), device(kernel.tuningDevice()), program(program), arguments(arguments),
        stream(stream), most(most), shown(shown) {}
  ~Replay();

  /// Makes the program's launch, once, and waits at most `patience` for its end.
  /// `whyNot` stays empty if the launch may be repeated; otherwise the replay may
  /// only be ended. The status is the program's.
  [[nodiscard]] cudaError_t begin(std::chrono::milliseconds patience, std::string &whyNot);

  /// Repeats the original, and determines what it writes. `whyNot` says if its result
  /// differs by more than the tolerance or cannot be kept; then the replay may only be ended. Sums
  /// by atomic operations have another order in each run. Then no bits can be asked for.
  [[nodiscard]] cudaError_t examine(const Tolerance &tolerance, std::string &whyNot);

  /// Runs a control: the original compiled in the way of the candidates, or one that rounds in its
  /// own way. From then on, a candidate may also have the control's result, provided that it is
  /// within the tolerance of the original's: this applies to words that the kernel computes as
  /// floating-point numbers of one type; all others must be equal. If they are not, `difference`
  /// says where. If the control's result cannot be kept, `whyNot` says so, and no candidate can be
  /// verified. With `Holds::ForItself`, only `candidate` may have the result.
  enum class Holds : uint8_t { ForAll, ForItself };
  [[nodiscard]] cudaError_t addControl(size_t candidate, const Tolerance &tolerance, Holds holds,
                                       std::string &difference, std::string &whyNot);

  /// Returns the distance of the control that was added last from the original, if they are not
  /// bitwise equal.
  std::optional<uint64_t> ulpsOfControl() const { return largestUlps; }

  /// Runs a candidate on the same data.
  [[nodiscard]] cudaError_t verify(size_t candidate, Verification &out);

  /// Times one launch of the original or of a verified candidate, which leaves the original's
  /// result in memory; with a part, one of the part.
  [[nodiscard]] cudaError_t timeOne(Contestant contestant, double &microseconds);

  /// Times launches of a part of the grid from now on. Their results are not compared.
  void timePart(const Extent &grid) {
    part = program;
    part->grid = grid;
    repeats = 1;
  }
  /// Runs a candidate that is not verified on the part, and restores the original's result. The
  /// difference tells if the candidate writes where the original does not.
  [[nodiscard]] cudaError_t tryPart(size_t candidate, Verification &out);

  /// Restores the original's result after launches of the part.
  [[nodiscard]] cudaError_t restoreResult();
  bool hasPart() const { return part.has_value(); }

  /// Times the original and a candidate that was verified, unless there is a part, one after the
  /// other; the order alternates. If one was not queued in time (batch_timer.h), both have the same
  /// time.
  [[nodiscard]] cudaError_t time(size_t candidate, TimedPair &out);

  /// Ends the replay: memory contains the original's result. If a candidate had a
  /// different result when it was timed, `difference` describes it.
  [[nodiscard]] cudaError_t finish(std::string &difference);

  /// Returns whether the program's launch has been made.
  bool hasLaunched() const { return isLaunched; }
  /// Returns whether memory may differ from the original's result.
  bool hasRepeated() const { return isRepeated; }
  /// Returns the copies that the device may still access although the launch
  /// has been abandoned.
  [[nodiscard]] std::vector<std::shared_ptr<void>> takeUnfinished();
  /// Returns the time limit of one wait for a repetition.
  std::chrono::milliseconds limit() const { return mostWait; }

  /// Returns whether the original had the same result twice, as far as that was
  /// examined.
  bool repeatsItself() const { return isSteady; }
  /// Returns the distance of two runs of the original that differ within the tolerance.
  std::optional<uint64_t> ulpsOfRuns() const { return runsUlps; }
  /// Returns the microseconds of a launch of the original in the second run.
  double originalMicroseconds() const { return originalTime; }
  /// Returns the costs of a launch, as they were for the second run of the original.
  const LaunchCosts &costs() const { return originalCosts; }
  /// Returns the seconds that the program's own launch took.
  double ownSeconds() const { return firstSeconds; }
  uint64_t comparedBytes() const { return before ? totalBytes(before->ranges()) : 0; }
  /// Returns whether only memory that the arguments reach was copied and compared, because
  /// the kernel can reach no other.
  bool isOfArguments() const { return copiesArgumentsAlone; }
  /// Returns whether launches are repeated on copies of what the arguments reach.
  bool isOnCopies() const { return copies != nullptr; }
  /// Returns the size of the copies made so far.
  CopyBytes copyBytes() const;

private:
  std::vector<ArgumentWord> readWords() const;
  bool isForeign(uintptr_t address) const;
  bool extentOf(uintptr_t address, MemoryExtent &extent, std::string &reason) const;
  std::string whyNotReplayable();
  cudaError_t copyArguments(std::string &whyNot);
  bool isArgument(const Allocation &memory) const;
  std::vector<MemoryRange> memoryToCopy(bool argumentsAlone) const;
  cudaError_t roomFor(Snapshot::Place place, uint64_t &bytes) const;
  cudaError_t takeWhereItFits(const std::vector<MemoryRange> &ranges);
  cudaError_t takeSnapshot(std::string &whyNot);
  cudaError_t launchForProgram(std::chrono::milliseconds patience, std::string &whyNot);
  cudaError_t readWrites(std::string &whyNot);
  cudaError_t controlOriginal(std::string &whyNot);
  cudaError_t compareRuns(std::string &whyNot);
  const Tolerance &atEnd() const;
  cudaError_t compareAtEnd(std::string &difference);
  bool isShort() const { return originalTime <= BatchTimer::shortMicroseconds; }
  bool worksTheSameAgain() const;
  cudaError_t checkRepeats();
  cudaError_t repeatRestored();
  cudaError_t findRestoring();
  cudaError_t timeRepeats();
  const LaunchShape &timedShape() const { return part ? *part : program; }
  cudaError_t launch(Contestant contestant, const LaunchShape &shape);
  cudaError_t settle();
  cudaError_t compare(Comparison &out, Contestant candidate = std::nullopt);
  cudaError_t findFirst(ExpectedMemory &expected, const std::byte *&at);
  StoredTypes typesAt(const std::byte *at, const Tolerance &tolerance) const;
  cudaError_t measureControl(const std::vector<MemoryRange> &ranges, const Tolerance &tolerance,
                             uint64_t &largest, std::string &difference);
  cudaError_t keepControl(const std::vector<MemoryRange> &ranges, Contestant owner,
                          std::string &whyNot);
  cudaError_t checkRepeatsOf(size_t candidate);
  class Queue;
  cudaError_t timeLaunches(Contestant contestant, const LaunchShape &shape, unsigned count,
                           Timing &out);
  std::string describe(const std::byte *at) const;

  TunableKernel &kernel;
  Device &device;
  LaunchShape program;
  std::optional<LaunchShape> part; ///< is timed in place of the program's launch
  void **arguments;
  cudaStream_t stream;
  CopyBytes most;
  Activities &shown;
  LaunchSurroundings around;        ///< once there are copies, those of the repetitions
  std::vector<MemoryExtent> toCopy; ///< what repetitions must not change
  std::unique_ptr<ArgumentCopies> copies;
  std::optional<MovedArguments> movedArguments;
  std::unique_ptr<Snapshot> before, after; ///< `after`: only what was written
  /// The result of a control, and what it writes differently.
  struct Control {
    std::unique_ptr<Snapshot> written;
    ExpectedMemory result;
    Contestant owner; ///< the only candidate that may have the result; nothing: each may
  };
  std::vector<std::unique_ptr<Control>> controls; ///< those that differ from the original
  std::optional<ExpectedMemory> original;
  std::vector<MemoryRange> written; ///< by either of them
  std::optional<uint64_t> largestUlps;
  Tolerance ofRuns; ///< between runs of the original
  std::optional<uint64_t> runsUlps;
  std::map<size_t, Tolerance> allowed; ///< of candidates that are not bitwise equal
  Contestant latest;                   ///< whose launch was made last
  cudaEvent_t start = nullptr, end = nullptr;
  double originalTime = 0;
  LaunchCosts originalCosts = {};
  double firstSeconds = 0;
  bool isSteady = true;
  bool isLaunched = false, isRepeated = false;
  bool isUnfinished = false; ///< the device may still be executing the launch
  std::chrono::milliseconds mostWait = {};
  bool copiesArgumentsAlone = false;
  bool candidateIsFirst = false; ///< in the next pair
  BatchTimer timer;
  HostNeeds hostNeeds;
  /// The number of launches between two events. It exceeds one only if a launch on its own result
  /// does the same work, and has the same result again, or if each of them is restored.
  unsigned repeats = 1;
  bool restoresEach = false;
};

} // namespace regrain
