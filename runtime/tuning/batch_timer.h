//===- batch_timer.h - The time of one launch among several -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two events around a launch of a microsecond time mostly other things: the events themselves, the
// first fetch of its code, and the host, which takes longer to queue a launch than the device to
// run it. So short launches are timed back to back, behind one that is not timed, and the device is
// kept busy until all of them are queued: that the device has not reached the first event when the
// host has queued the last one proves it. The time is then what one more launch adds to a queue on
// the device. A timing without that proof is repeated behind a longer delay, and in the end says
// that it has none.
//
// The timer knows no device and no clock.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"
#include "runtime/tuning/statistics.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace regrain {

/// The stream in which launches are timed.
class TimedQueue {
public:
  enum class Mark { Begin, End };

  virtual ~TimedQueue() = default;
  /// Queues what makes memory as it was before the launch.
  virtual cudaError_t restore() = 0;
  /// Keeps the stream busy; does nothing if the device cannot.
  virtual cudaError_t delay(std::chrono::microseconds time) = 0;
  virtual cudaError_t launch() = 0;
  virtual cudaError_t record(Mark mark) = 0;
  /// Returns whether the device has not reached the mark yet.
  virtual bool isPending(Mark mark) = 0;
  /// Waits for all that was queued.
  virtual cudaError_t settle() = 0;
  /// Yields the device's time between the marks.
  virtual cudaError_t elapsed(double &microseconds) = 0;
  /// Returns the time of the host's clock, in microseconds.
  virtual double now() = 0;
};

struct Timing {
  double microseconds = 0; ///< of a launch, positive
  /// What the host takes to queue a launch, with the restore in front of it, if there is one.
  double hostMicroseconds = 0;
  bool isQueuedInTime = true;
};

/// What the host needs for launches of candidates, by what it needs for the original's. Other
/// programs disturb the host for longer than a batch takes, so the two batches of a pair are
/// compared, and a need counts when the pairs of a candidate prove it.
class HostNeeds {
public:
  /// Adds a pair. `calls` is how many calls queue a launch of the original and the restore in front
  /// of it; they take about equally long.
  void add(size_t candidate, unsigned calls, const Timing &ofOriginal, const Timing &ofCandidate);

  /// Returns the time of a candidate's launch that is compared with the original's. A program that
  /// only queues launches waits for the host or for the device. Where it would wait for the
  /// candidate's host, and neither for the original's host nor for its device as long, the time is
  /// that of the candidate's host: what the device saves is lost.
  [[nodiscard]] double comparedMicroseconds(size_t candidate, unsigned calls,
                                            const Timing &ofOriginal,
                                            const Timing &ofCandidate) const;

private:
  /// Of each candidate, with the original's time in the place of the slower one.
  std::map<size_t, std::vector<TimedPair>> pairs;
  double leastOfOriginal = 0; ///< microseconds for a launch without what restores
};

class BatchTimer {
public:
  /// Launches up to this time are short: they are timed behind a delay, and several at once where
  /// they may be repeated.
  static constexpr double shortMicroseconds = 100;
  /// Launches up to this time are timed several at once where they may be repeated as they are:
  /// where one ends, the next begins, as in the loop of a program. Where blocks go differs with
  /// that, and what is in the caches, too.
  static constexpr double loopedMicroseconds = 500;

  /// Returns how many launches of so many microseconds are timed at once.
  [[nodiscard]] static unsigned launchesAtOnce(double microseconds);

  /// Times launches one behind the other: of more than one, all start from a launch's own result.
  [[nodiscard]] cudaError_t time(TimedQueue &queue, unsigned launches, Timing &out);

  /// Returns whether the device can delay, as far as something was timed.
  bool delays() const { return hasDelays.value_or(false); }
  /// Finds what one of several restores takes. Must be called before timeRestored, and when what is
  /// restored has changed.
  [[nodiscard]] cudaError_t findRestoring(TimedQueue &queue, unsigned launches);
  /// Times launches each of which starts from restored memory; the time leaves out the restore. An
  /// error in the latter makes the ratio of two such times wrong, but not its being above 1.
  [[nodiscard]] cudaError_t timeRestored(TimedQueue &queue, unsigned launches, Timing &out);
  double restoringMicroseconds() const { return restoring; }

  /// Times one launch that takes long, so that nothing has to be queued in time.
  [[nodiscard]] static cudaError_t timeLong(TimedQueue &queue, double &microseconds);

private:
  using Step = std::function<cudaError_t()>;
  cudaError_t findDelays(TimedQueue &queue);
  cudaError_t attempt(TimedQueue &queue, unsigned steps, const Step &step, Timing &out);
  cudaError_t timeSteps(TimedQueue &queue, unsigned steps, const Step &step, Timing &out);

  std::optional<bool> hasDelays; ///< the device can delay
  double cover = 0;              ///< microseconds of the next delay
  double restoring = 0;          ///< microseconds of a restore
};

} // namespace regrain
