//===- plugins/cpu/DeviceHeapTest.cpp - Memory that kernels allocate ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/device_heap.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace regrain::cpu;

namespace {

TEST(DeviceHeap, GivesNoMoreThanItsLimit) {
  DeviceHeap heap;
  ASSERT_TRUE(heap.setLimit(1 << 20));
  EXPECT_EQ(heap.allocate(1 << 20), nullptr); // the block's header counts, too
  void *half = heap.allocate(1 << 19);
  ASSERT_NE(half, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(half) % 16, 0u);
  EXPECT_EQ(heap.allocate(1 << 19), nullptr);
  heap.free(half);
  half = heap.allocate(1 << 19);
  EXPECT_NE(half, nullptr);
  heap.free(half);
  heap.free(nullptr);
}

TEST(DeviceHeap, OddSizes) {
  DeviceHeap heap;
  EXPECT_EQ(heap.allocate(SIZE_MAX), nullptr);
  EXPECT_EQ(heap.allocate(SIZE_MAX - 8), nullptr);
  void *nothing = heap.allocate(0);
  EXPECT_NE(nothing, nullptr);
  heap.free(nothing);
}

TEST(DeviceHeap, LimitStaysOnceItIsInUse) {
  DeviceHeap heap;
  ASSERT_TRUE(heap.setLimit(1 << 20));
  heap.free(heap.allocate(1));
  EXPECT_FALSE(heap.setLimit(1 << 21));
  EXPECT_EQ(heap.limitInBytes(), size_t(1) << 20);
}

TEST(DeviceHeap, ResetForgetsWhatWasKept) {
  DeviceHeap heap;
  void *kept = heap.allocate(DeviceHeap::usualLimit - 64);
  ASSERT_NE(kept, nullptr);
  heap.reset();
  EXPECT_TRUE(heap.setLimit(1 << 10));
  heap.free(kept); // from before the reset: the account stays unchanged
  void *small = heap.allocate(512);
  EXPECT_NE(small, nullptr);
  EXPECT_EQ(heap.allocate(512), nullptr);
  heap.free(small);
}

TEST(DeviceHeap, ThreadsShareOneAccount) {
  DeviceHeap heap;
  ASSERT_TRUE(heap.setLimit(100 * 128));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 10000; ++round)
        heap.free(heap.allocate(100));
    });
  for (std::thread &thread : threads)
    thread.join();
  void *all = heap.allocate(100 * 128 - 16);
  EXPECT_NE(all, nullptr);
  heap.free(all);
}

} // namespace
