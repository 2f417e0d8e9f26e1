//===- replay_timing.cpp - Launches on the data of a replay ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/tuning/replay.h"

#include "runtime/tuning/result_reads.h"

#include <chrono>
#include <utility>

namespace regrain {
namespace {

/// Ranges that are restored before each of several launches, and how much longer that may take.
constexpr size_t mostRestores = 4;
constexpr double mostOfRestores = 6;

} // namespace

/// Launches of one contestant in the stream of the replay.
class Replay::Queue final : public TimedQueue {
public:
  Queue(Replay &replay, Contestant contestant, const LaunchShape &shape)
      : replay(replay), contestant(contestant), shape(shape) {}

  cudaError_t restore() override { return replay.before->restore(replay.written, replay.stream); }
  cudaError_t delay(std::chrono::microseconds time) override {
    return replay.device.delay(replay.stream, time);
  }
  cudaError_t launch() override { return replay.launch(contestant, shape); }
  cudaError_t record(Mark mark) override {
    return replay.device.recordEvent(eventOf(mark), replay.stream, 0);
  }
  bool isPending(Mark mark) override {
    return replay.device.queryEvent(eventOf(mark)) == cudaErrorNotReady;
  }
  cudaError_t settle() override { return replay.settle(); }
  cudaError_t elapsed(double &microseconds) override {
    float milliseconds = 0;
    cudaError_t status = replay.device.elapsedTime(replay.start, replay.end, milliseconds);
    microseconds = double(milliseconds) * 1000;
    return status;
  }
  double now() override {
    std::chrono::duration<double, std::micro> time =
        std::chrono::steady_clock::now().time_since_epoch();
    return time.count();
  }

private:
  cudaEvent_t eventOf(Mark mark) const { return mark == Mark::Begin ? replay.start : replay.end; }

  Replay &replay;
  Contestant contestant;
  const LaunchShape &shape;
};

/// Starts from the memory before the launch, and leaves the contestant's result in memory.
cudaError_t Replay::timeLaunches(Contestant contestant, const LaunchShape &shape, unsigned count,
                                 Timing &out) {
  Queue queue(*this, contestant, shape);
  if (!isShort() && count == 1)
    return BatchTimer::timeLong(queue, out.microseconds);
  return count > 1 && restoresEach ? timer.timeRestored(queue, count, out)
                                   : timer.time(queue, count, out);
}

cudaError_t Replay::findRestoring() {
  Queue queue(*this, std::nullopt, program);
  return timer.findRestoring(queue, repeats);
}

/// Returns true if it is known that a launch on its own result does the same work. If the launch
/// changed nothing, it starts from the same memory again. Otherwise the kernel must not read what
/// it writes. What its variants read is not known.
bool Replay::worksTheSameAgain() const {
  if (written.empty())
    return true;
  for (size_t i = 0; i < kernel.candidates().size(); ++i)
    if (!kernel.candidateGrain(i).variant.empty())
      return false;
  return readsNoResults(kernel.entry(), around.words, around.owned);
}

/// Checks whether a launch on its own result has that result again, after the same work. If not,
/// each of those that are timed at once is restored.
cudaError_t Replay::checkRepeats() {
  repeats = BatchTimer::launchesAtOnce(originalTime);
  if (repeats == 1)
    return cudaSuccess;
  if (!worksTheSameAgain())
    return repeatRestored();
  cudaError_t status = launch(std::nullopt, program);
  Comparison found;
  if (status == cudaSuccess)
    status = settle();
  if (status == cudaSuccess)
    status = compare(found);
  if (status != cudaSuccess)
    return status;
  return found.difference.empty() ? timeRepeats() : repeatRestored();
}

/// Restores each launch of those that are timed at once, if they are short, and if that is done on
/// the device and does not take much longer than the launches; otherwise they are timed one by one.
cudaError_t Replay::repeatRestored() {
  double alone = originalTime;
  LaunchCosts costs = originalCosts;
  restoresEach = isShort() && repeats > 1 && timer.delays() &&
                 before->place() == Snapshot::Place::Device && written.size() <= mostRestores;
  cudaError_t status = restoresEach ? findRestoring() : cudaSuccess;
  if (restoresEach && status == cudaSuccess)
    status = timeRepeats();
  if (!restoresEach || originalTime * mostOfRestores < timer.restoringMicroseconds()) {
    restoresEach = false;
    repeats = 1;
    originalTime = alone;
    originalCosts = costs;
  }
  return status;
}

/// Times as many launches of the original as each timing has from now on, and notes what that
/// costs.
cudaError_t Replay::timeRepeats() {
  auto begin = std::chrono::steady_clock::now();
  Timing timing;
  cudaError_t status = timeLaunches(std::nullopt, program, repeats, timing);
  originalTime = timing.microseconds;
  originalCosts.original = originalTime / 1e6;
  originalCosts.run = secondsSince(begin);
  return status;
}

cudaError_t Replay::timeOne(Contestant contestant, double &microseconds) {
  Timing timing;
  cudaError_t status = timeLaunches(contestant, timedShape(), 1, timing);
  microseconds = timing.microseconds;
  return status;
}

cudaError_t Replay::verify(size_t candidate, Verification &out) {
  Timing timing;
  cudaError_t status = timeLaunches(candidate, program, 1, timing);
  out.microseconds = timing.microseconds;
  return status == cudaSuccess ? compare(out.found, candidate) : status;
}

cudaError_t Replay::tryPart(size_t candidate, Verification &out) {
  std::vector<MemoryRange> wrong;
  const std::byte *at = nullptr;
  cudaError_t status = timeOne(candidate, out.microseconds);
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

/// A verified candidate leaves the original's result in memory.
cudaError_t Replay::time(size_t candidate, TimedPair &out) {
  bool candidateFirst = std::exchange(candidateIsFirst, !candidateIsFirst);
  Timing ofOriginal, ofCandidate;
  for (bool isCandidate : {candidateFirst, !candidateFirst}) {
    Contestant contestant = isCandidate ? Contestant(candidate) : std::nullopt;
    cudaError_t status =
        timeLaunches(contestant, timedShape(), repeats, isCandidate ? ofCandidate : ofOriginal);
    if (status != cudaSuccess)
      return status;
  }
  unsigned calls = restoresEach ? unsigned(1 + written.size()) : 1;
  bool areComparable = ofOriginal.isQueuedInTime && ofCandidate.isQueuedInTime;
  if (areComparable)
    hostNeeds.add(candidate, calls, ofOriginal, ofCandidate);
  out.original = ofOriginal.microseconds;
  out.candidate = areComparable
                      ? hostNeeds.comparedMicroseconds(candidate, calls, ofOriginal, ofCandidate)
                      : ofOriginal.microseconds;
  return cudaSuccess;
}

} // namespace regrain
