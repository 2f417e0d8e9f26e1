//===- cudart/GateTest.cpp - The gate of the program's calls --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/gate.h"
#include "runtime/core/tuning.h"

#include "Entries.h"

#include <atomic>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace regrain;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

/// The gate is guarded if the process tunes, which the first call reads.
[[gnu::constructor]] void tune() {
  setenv("REGRAIN_TUNE", "session=gate", 1);
  setenv("REGRAIN_DB", "off", 1);
  setenv("REGRAIN_DEVICE", "cpu", 1);
}

/// Tuning that measures nothing.
class IdleTuning final : public Tuning {
public:
  bool isMeasuring() const override { return false; }
  std::vector<TunedChoice> choices(TunableKernel &) override { return {}; }
  void decline(TunableKernel &, const std::string &) override {}
  cudaError_t launch(TunableKernel &kernel, const LaunchShape &program, void **arguments,
                     cudaStream_t stream) override {
    return kernel.launchOriginal(program, arguments, stream);
  }
  void settle() override {}
  void forget(TunableKernel &) override {}
};

/// A thread that passes the gate and stays inside until it is released.
class Caller {
public:
  explicit Caller(std::function<void()> inside = [] {}) {
    thread = std::thread([this, inside] {
      Gate::Passage passage;
      inside();
      isInside = true;
      while (!mayLeave)
        std::this_thread::sleep_for(1ms);
    });
  }
  ~Caller() {
    leave();
    thread.join();
  }
  void leave() { mayLeave = true; }
  bool isIn(std::chrono::milliseconds patience) const {
    for (auto end = steady_clock::now() + patience; !isInside && steady_clock::now() < end;)
      std::this_thread::sleep_for(1ms);
    return isInside;
  }

private:
  std::atomic<bool> isInside = false, mayLeave = false;
  std::thread thread;
};

TEST(Gate, Closed_HoldsCallsUntilItOpens) {
  ASSERT_TRUE(Gate::get().close(steady_clock::now() + 10s));
  Caller caller;
  EXPECT_FALSE(caller.isIn(50ms));
  Gate::get().open();
  EXPECT_TRUE(caller.isIn(10s));
}

TEST(Gate, Close_GivesUpWhereACallDoesNotEnd) {
  Caller caller;
  ASSERT_TRUE(caller.isIn(10s));
  EXPECT_FALSE(Gate::get().close(steady_clock::now() + 50ms));
  Caller other; // the gate is open
  EXPECT_TRUE(other.isIn(10s));
}

TEST(Gate, Close_WaitsForCallsThatEnd) {
  Caller caller;
  ASSERT_TRUE(caller.isIn(10s));
  std::thread later([&] {
    std::this_thread::sleep_for(50ms);
    caller.leave();
  });
  EXPECT_TRUE(Gate::get().close(steady_clock::now() + 10s));
  Gate::get().open();
  later.join();
}

TEST(Gate, OwnCall_DoesNotHoldUpClosing) {
  Gate::Passage passage;
  Gate::Passage nested;
  ASSERT_TRUE(Gate::get().close(steady_clock::now() + 10s));
  Gate::Passage whileClosed; // of the same thread
  Gate::get().open();
}

TEST(Gate, NestedPassage_LeavesWithTheOutermost) {
  Caller caller([] { Gate::Passage nested; });
  ASSERT_TRUE(caller.isIn(10s));
  EXPECT_FALSE(Gate::get().close(steady_clock::now() + 20ms));
}

TEST(Gate, WhoWaitsOutside_DoesNotHoldUpClosing) {
  std::mutex turn;
  turn.lock();
  Caller caller([&] {
    Gate::Outside outside(Gate::get());
    turn.lock();
  });
  ASSERT_TRUE(Gate::get().close(steady_clock::now() + 10s));
  turn.unlock();
  EXPECT_FALSE(caller.isIn(50ms)) << "it passes again";
  Gate::get().open();
  EXPECT_TRUE(caller.isIn(10s));
  caller.leave();
  turn.unlock();
}

TEST(Gate, ForkedChild_PassesAClosedGate) {
  ASSERT_TRUE(Gate::get().close(steady_clock::now() + 10s));
  pid_t child = fork();
  if (child == 0) {
    std::thread([] { Gate::Passage passage; }).join();
    _exit(0);
  }
  int status = 0;
  bool hasEnded = false;
  for (auto end = steady_clock::now() + 10s; !hasEnded && steady_clock::now() < end;) {
    hasEnded = waitpid(child, &status, WNOHANG) == child;
    std::this_thread::sleep_for(1ms);
  }
  Gate::get().open();
  EXPECT_TRUE(hasEnded);
  if (!hasEnded) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
  }
}

/// Returns whether the entry only uses the state of the thread or of the compiler,
/// and no device.
bool isOfThread(const Entry &entry) {
  static const std::set<std::string> names = {"cudaCreateChannelDesc"};
  return entry.group == "error" || names.contains(entry.name);
}

/// Makes all calls in threads of their own behind a closed gate, and reports
/// those that pass.
void expectAllWait(const std::vector<Entry> &entries) {
  std::vector<std::atomic<bool>> isDone(entries.size());
  std::vector<std::thread> threads;
  ASSERT_TRUE(Gate::get().close(steady_clock::now() + 10s));
  for (size_t i = 0; i < entries.size(); ++i)
    threads.emplace_back([&, i] {
      entries[i].call();
      isDone[i] = true;
    });
  std::this_thread::sleep_for(200ms);
  for (size_t i = 0; i < entries.size(); ++i)
    EXPECT_FALSE(isDone[i]) << entries[i].name;
  Gate::get().open();
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Gate, EveryEntryPassesIt) {
  std::vector<Entry> most, resets;
  for (Entry &entry : allEntries())
    if (entry.name == "cudaDeviceReset" || entry.name == "cudaThreadExit")
      resets.push_back(entry);
    else if (!isOfThread(entry))
      most.push_back(entry);
  ASSERT_GT(most.size(), 100u);
  expectAllWait(most);
  expectAllWait({resets[0]});
  expectAllWait({resets[1]});
}

} // namespace

extern "C" Tuning *regrainTuning(uint32_t, Gate &, std::string &) {
  static IdleTuning tuning;
  return &tuning;
}
