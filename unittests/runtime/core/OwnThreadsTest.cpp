//===- OwnThreadsTest.cpp - Threads without code of the program -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/own_threads.h"

#include "runtime/core/device_wait.h"
#include "runtime/plugins/cpu/cpu_device.h"

#include <gtest/gtest.h>
#include <latch>
#include <thread>

using namespace regrain;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

size_t othersBeside(cpu::CpuDevice &device) {
  std::vector<pid_t> ofDevice;
  device.addThreads(ofDevice);
  return programThreadsBeside(ofDevice).size();
}

TEST(OwnThreads, ThreadOfTheProgram_Counts) {
  std::latch seen(1);
  std::thread other([&] { seen.wait(); });
  EXPECT_EQ(programThreadsBeside({}).size(), 1u);
  seen.count_down();
  other.join();
  EXPECT_TRUE(programThreadsBeside({}).empty()) << "it is gone once it is joined";
}

TEST(OwnThreads, ThreadOfTheRuntime_DoesNotCount) {
  std::latch begun(1), seen(1);
  std::thread other([&] {
    OwnThread here;
    begun.count_down();
    seen.wait();
  });
  begun.wait();
  EXPECT_TRUE(programThreadsBeside({}).empty());
  seen.count_down();
  other.join();
}

TEST(OwnThreads, ThreadsOfTheDevice_DoNotCount) {
  cpu::CpuDevice device(2);
  std::latch seen(1);
  ASSERT_EQ(device.launchHostFunction(
                nullptr, [](void *latch) { static_cast<std::latch *>(latch)->wait(); }, &seen),
            cudaSuccess);
  DeviceWait wait;
  EXPECT_FALSE(wait.until(device, steady_clock::now() + 20ms));
  EXPECT_EQ(othersBeside(device), 0u);
  seen.count_down();
  EXPECT_EQ(wait.until(device, steady_clock::now() + 10s), cudaSuccess);
}

/// The blocks are so short that workers come too late to run any.
TEST(OwnThreads, WorkersWithoutABlock_DoNotCount) {
  cpu::Execution execution(3);
  RegrainCpuKernel kernel = {};
  kernel.runBlock = [](void *const *, RegrainCpuBlock *) {};
  Launch launch = {};
  launch.grid = {3, 1, 1};
  launch.block = {1, 1, 1};
  const cpu::QueuedLaunch queued(kernel, launch);
  const std::atomic<bool> isCancelled = false;
  for (int i = 0; i < 5; ++i) {
    cpu::LaunchRun run(queued, isCancelled);
    execution.run(run, 1);
    std::vector<pid_t> ofDevice;
    execution.addThreads(ofDevice);
    ASSERT_EQ(programThreadsBeside(ofDevice).size(), 0u) << i;
  }
  std::latch seen(1);
  std::thread other([&] { seen.wait(); });
  std::vector<pid_t> ofDevice;
  execution.addThreads(ofDevice);
  EXPECT_EQ(programThreadsBeside(ofDevice).size(), 1u) << "a thread of the program counts";
  seen.count_down();
  other.join();
}

TEST(DeviceWait, WorkThatDoesNotEnd_IsNotWaitedForLonger) {
  cpu::CpuDevice device(2);
  std::latch release(1);
  DeviceWait wait;
  EXPECT_EQ(wait.until(device, steady_clock::now() + 10s), cudaSuccess);
  ASSERT_EQ(device.launchHostFunction(
                nullptr, [](void *latch) { static_cast<std::latch *>(latch)->wait(); }, &release),
            cudaSuccess);
  auto begin = steady_clock::now();
  EXPECT_FALSE(wait.until(device, begin + 30ms));
  EXPECT_FALSE(wait.until(device, begin + 60ms)) << "the first wait is under way yet";
  EXPECT_LT(steady_clock::now() - begin, 5s);
  release.count_down();
  EXPECT_EQ(wait.until(device, steady_clock::now() + 10s), cudaSuccess);
}

/// A wait that began before work was given does not cover a later wait.
TEST(DeviceWait, EachWait_IsForWhatWasGivenBefore) {
  cpu::CpuDevice device(2);
  std::atomic<int> done = 0;
  DeviceWait wait;
  for (int i = 1; i <= 50; ++i) {
    ASSERT_EQ(device.launchHostFunction(
                  nullptr,
                  [](void *counter) {
                    std::this_thread::sleep_for(1ms);
                    ++*static_cast<std::atomic<int> *>(counter);
                  },
                  &done),
              cudaSuccess);
    ASSERT_EQ(wait.until(device, steady_clock::now() + 10s), cudaSuccess);
    EXPECT_EQ(done, i);
  }
}

} // namespace
