//===- batch_timer.cpp - The time of one launch among several -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/batch_timer.h"

#include <algorithm>

namespace regrain {
namespace {

using Mark = TimedQueue::Mark;

/// So many launches are timed at once that they take about this long together: events are exact
/// to half a microsecond, and cost one or two.
constexpr double batchMicroseconds = 200;
constexpr unsigned mostLaunches = 100;
/// Launches whose times are not all alike are averaged over so many.
constexpr unsigned leastLaunches = 4;

constexpr unsigned mostAttempts = 4;
/// The time of a restore is the median of so many batches.
constexpr unsigned restoreBatches = 5;
/// The delay before anything is known of the host, and the longest.
constexpr double leastCover = 20, mostCover = 5000;
/// The delay is so many times what the host took to queue the launches before.
constexpr double coverFactor = 1.5;

/// A grain of two launches takes nearly twice the original's time of the host, and every other one
/// less than a tenth more. On a busy machine, even the median of a few pairs may be a tenth off.
constexpr double hostFactor = 1.5;

/// Events have a finite resolution, and a ratio needs a positive time.
constexpr double leastMicroseconds = 0.01;

std::chrono::microseconds wholeMicroseconds(double time) {
  return std::chrono::microseconds(static_cast<int64_t>(time));
}

cudaError_t recordSteps(TimedQueue &queue, unsigned steps,
                        const std::function<cudaError_t()> &step) {
  cudaError_t status = queue.record(Mark::Begin);
  for (unsigned i = 0; status == cudaSuccess && i < steps; ++i)
    status = step();
  return status == cudaSuccess ? queue.record(Mark::End) : status;
}

/// Waits for the steps between the marks, and yields the time of one.
cudaError_t timeOfOne(TimedQueue &queue, unsigned steps, double &microseconds) {
  cudaError_t status = queue.settle();
  if (status == cudaSuccess)
    status = queue.elapsed(microseconds);
  microseconds = std::max(microseconds / steps, leastMicroseconds);
  return status;
}

} // namespace

void HostNeeds::add(size_t candidate, unsigned calls, const Timing &ofOriginal,
                    const Timing &ofCandidate) {
  double own = ofOriginal.hostMicroseconds / calls;
  leastOfOriginal = pairs.empty() ? own : std::min(leastOfOriginal, own);
  pairs[candidate].push_back({ofCandidate.hostMicroseconds, ofOriginal.hostMicroseconds});
}

double HostNeeds::comparedMicroseconds(size_t candidate, unsigned calls, const Timing &ofOriginal,
                                       const Timing &ofCandidate) const {
  auto found = pairs.find(candidate);
  if (found == pairs.end())
    return ofCandidate.microseconds;
  Gain longer = gainOf(found->second); // what restores is in both times
  double host = leastOfOriginal * (1 + calls * (longer.ratio - 1));
  bool waitsForHost = longer.low > 1 + (hostFactor - 1) / calls && host > ofOriginal.microseconds;
  return waitsForHost ? std::max(host, ofCandidate.microseconds) : ofCandidate.microseconds;
}

unsigned BatchTimer::launchesAtOnce(double microseconds) {
  if (microseconds > loopedMicroseconds)
    return 1;
  return std::clamp(unsigned(batchMicroseconds / std::max(microseconds, 1.0)), leastLaunches,
                    mostLaunches);
}

/// A device that cannot delay passes a delay in less than its time.
cudaError_t BatchTimer::findDelays(TimedQueue &queue) {
  double microseconds = 0;
  cudaError_t status = queue.record(Mark::Begin);
  if (status == cudaSuccess)
    status = queue.delay(wholeMicroseconds(leastCover));
  if (status == cudaSuccess)
    status = queue.record(Mark::End);
  if (status == cudaSuccess)
    status = timeOfOne(queue, 1, microseconds);
  if (status == cudaSuccess)
    hasDelays = microseconds >= leastCover / 2;
  return status;
}

/// Of several steps, one more leads, which is not timed.
cudaError_t BatchTimer::attempt(TimedQueue &queue, unsigned steps, const Step &step, Timing &out) {
  cudaError_t status = queue.restore();
  if (status == cudaSuccess && *hasDelays)
    status = queue.delay(wholeMicroseconds(std::clamp(cover, leastCover, mostCover)));
  double begin = queue.now();
  if (status == cudaSuccess && steps > 1)
    status = step();
  if (status == cudaSuccess)
    status = recordSteps(queue, steps, step);
  if (status != cudaSuccess)
    return status;
  out.isQueuedInTime = !*hasDelays || queue.isPending(Mark::Begin);
  double queueing = queue.now() - begin;
  cover = leastCover + coverFactor * queueing;
  out.hostMicroseconds = queueing / (steps > 1 ? steps + 1 : steps);
  return timeOfOne(queue, steps, out.microseconds);
}

cudaError_t BatchTimer::timeSteps(TimedQueue &queue, unsigned steps, const Step &step,
                                  Timing &out) {
  cudaError_t status = hasDelays ? cudaSuccess : findDelays(queue);
  out.isQueuedInTime = false;
  for (unsigned i = 0; status == cudaSuccess && !out.isQueuedInTime && i < mostAttempts; ++i)
    status = attempt(queue, steps, step, out);
  return status;
}

cudaError_t BatchTimer::time(TimedQueue &queue, unsigned launches, Timing &out) {
  return timeSteps(queue, launches, [&] { return queue.launch(); }, out);
}

cudaError_t BatchTimer::findRestoring(TimedQueue &queue, unsigned launches) {
  std::vector<double> times;
  cudaError_t status = cudaSuccess;
  for (unsigned i = 0; status == cudaSuccess && i < restoreBatches; ++i) {
    Timing timing;
    status = timeSteps(queue, launches, [&] { return queue.restore(); }, timing);
    times.push_back(timing.microseconds);
  }
  restoring = median(std::move(times));
  return status;
}

cudaError_t BatchTimer::timeRestored(TimedQueue &queue, unsigned launches, Timing &out) {
  auto step = [&] {
    cudaError_t status = queue.restore();
    return status == cudaSuccess ? queue.launch() : status;
  };
  cudaError_t status = timeSteps(queue, launches, step, out);
  out.microseconds = std::max(out.microseconds - restoring, leastMicroseconds);
  return status;
}

cudaError_t BatchTimer::timeLong(TimedQueue &queue, double &microseconds) {
  cudaError_t status = queue.restore();
  if (status == cudaSuccess)
    status = recordSteps(queue, 1, [&] { return queue.launch(); });
  return status == cudaSuccess ? timeOfOne(queue, 1, microseconds) : status;
}

} // namespace regrain
