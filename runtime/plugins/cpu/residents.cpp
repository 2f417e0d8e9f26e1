//===- residents.cpp - Blocks that may wait -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/residents.h"

#include "runtime/plugins/cpu/sanitizers.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>

namespace regrain::cpu {
namespace {

/// The time that an idle thread stays.
constexpr auto crewPatience = std::chrono::seconds(2);
/// The time that blocks may run before more begin beside them.
constexpr auto growthInterval = std::chrono::milliseconds(1);
/// The maximum of blocks of one launch that run at once beyond the promised
/// number.
constexpr uint64_t mostThreads = 512;

} // namespace

bool Crew::start(std::function<void()> work) {
  {
    std::lock_guard lock(mutex);
    if (idle > queue.size()) {
      queue.push_back(std::move(work));
      filled.notify_one();
      return true;
    }
  }
  try {
    std::thread([self = shared_from_this(), work = std::move(work)]() mutable {
      self->serve(std::move(work));
    }).detach();
  } catch (const std::system_error &) {
    return false;
  }
  return true;
}

void Crew::serve(std::function<void()> work) {
  while (true) {
    work();
    {
      UnseenMemory freed;
      work = nullptr; // frees its resources before the thread becomes idle
    }
    std::unique_lock lock(mutex);
    ++idle;
    bool isFilled = filled.wait_for(lock, crewPatience, [&] { return !queue.empty(); });
    --idle;
    if (!isFilled)
      return;
    work = std::move(queue.front());
    queue.pop_front();
  }
}

void Residents::work() {
  uint64_t blocks = run.launch.blockCount();
  for (uint64_t index; !run.isStopped() && (index = next.fetch_add(1)) < blocks; ++ended)
    Worker::get().run(run, index, index + 1);
  std::lock_guard lock(mutex);
  --threads;
  left.notify_all();
}

bool Residents::grow(uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    {
      std::lock_guard lock(mutex);
      ++threads;
    }
    if (crew.start([self = shared_from_this()] { self->work(); }))
      continue;
    std::lock_guard lock(mutex);
    --threads;
    return false;
  }
  return true;
}

/// Returns how many more blocks should begin while none of the begun ones ends.
uint64_t Residents::missing(uint64_t promised) {
  uint64_t blocks = run.launch.blockCount();
  uint64_t begun = std::min(next.load(), blocks);
  std::lock_guard lock(mutex);
  uint64_t most = threads < promised               ? promised
                  : run.waitingBlocks() == threads ? std::max(mostThreads, promised)
                                                   : threads;
  return std::min({threads, most - std::min(most, threads), blocks - begun});
}

void Residents::runAll(uint64_t first, uint64_t promised) {
  uint64_t blocks = run.launch.blockCount();
  first = std::min({first, promised, blocks});
  if (!grow(first))
    run.fail(cudaErrorMemoryAllocation);
  auto haveLeft = [&] { return threads == 0; };
  for (uint64_t endedBefore = 0, most = UINT64_MAX; next < blocks && !run.isStopped();) {
    {
      std::unique_lock lock(mutex);
      if (left.wait_for(lock, growthInterval, haveLeft))
        break;
    }
    if (uint64_t now = ended; now != endedBefore) {
      endedBefore = now;
      continue;
    }
    uint64_t count = std::min(missing(promised), most);
    if (grow(count))
      continue;
    most = 0;
    std::lock_guard lock(mutex);
    if (threads < promised)
      run.fail(cudaErrorMemoryAllocation);
  }
  std::unique_lock lock(mutex);
  left.wait(lock, haveLeft);
}

} // namespace regrain::cpu
