//===- replay_timing.cpp - Launches on the data of a replay ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/replay.h"

#include <algorithm>
#include <utility>

namespace regrain {

cudaError_t Replay::verify(size_t candidate, Verification &out) {
  cudaError_t status = timeLaunches(candidate, program, 1, out.microseconds);
  return status == cudaSuccess ? compare(out.found, candidate) : status;
}

cudaError_t Replay::tryPart(size_t candidate, Verification &out) {
  std::vector<MemoryRange> wrong;
  const std::byte *at = nullptr;
  cudaError_t status = timeLaunches(candidate, *part, 1, out.microseconds);
  if (status == cudaSuccess)
    status = original->differing(wrong);
  if (status == cudaSuccess)
    status = original->firstDifference(outside(wrong, written), at);
  if (at)
    out.found.difference = "writes " + describe(at) + ", which the original does not write";
  return status == cudaSuccess ? original->restore(wrong, stream) : status;
}

cudaError_t Replay::restoreResult() {
  std::vector<MemoryRange> wrong;
  cudaError_t status = original->differing(wrong);
  return status == cudaSuccess ? original->restore(wrong, stream) : status;
}

/// The host takes so long to queue a launch between two events.
static constexpr std::chrono::microseconds queueing{20};

/// Starts from the memory before the launch, and leaves the contestant's result in memory. A short
/// launch is queued before the device reaches it: else the time includes that of the host.
cudaError_t Replay::timeLaunches(Contestant contestant, const LaunchShape &shape, unsigned count,
                                 double &microseconds) {
  cudaError_t status = before->restore(written, stream);
  if (status == cudaSuccess && isShort())
    status = device.delay(stream, queueing);
  if (status == cudaSuccess)
    status = device.recordEvent(start, stream, 0);
  for (unsigned i = 0; status == cudaSuccess && i < count; ++i)
    status = launch(contestant, shape);
  if (status == cudaSuccess)
    status = device.recordEvent(end, stream, 0);
  if (status == cudaSuccess)
    status = settle();
  float milliseconds = 0;
  if (status == cudaSuccess)
    status = device.elapsedTime(start, end, milliseconds);
  // Events have a finite resolution, and a ratio needs a positive time.
  constexpr double leastMicroseconds = 0.01;
  microseconds = std::max(double(milliseconds) * 1000 / count, leastMicroseconds);
  return status;
}

/// A verified candidate leaves the original's result in memory.
cudaError_t Replay::time(size_t candidate, TimedPair &out) {
  bool isFirst = std::exchange(candidateIsFirst, !candidateIsFirst);
  cudaError_t status = isFirst ? timeLaunches(candidate, timedShape(), repeats, out.candidate)
                               : timeLaunches(std::nullopt, timedShape(), repeats, out.original);
  if (status != cudaSuccess)
    return status;
  return isFirst ? timeLaunches(std::nullopt, timedShape(), repeats, out.original)
                 : timeLaunches(candidate, timedShape(), repeats, out.candidate);
}

} // namespace regrain
