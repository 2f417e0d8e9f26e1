//===- PointerVerdictsTest.cpp - Pointers into different allocations ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/pointer_verdicts.h"

#include <gtest/gtest.h>
#include <thread>

using namespace regrain;

namespace {

/// A kernel with an integer between two pointers.
class Verdicts : public testing::Test {
protected:
  bool areApart(const char *first, const char *second) {
    int number = 0;
    void *values[] = {&first, &number, &second};
    const uint32_t pointers[] = {0, 2};
    return verdicts.areApart({values, {}, pointers}, allocations);
  }

  char memory[64];
  Allocations allocations;
  PointerVerdicts verdicts{2};
};

TEST_F(Verdicts, HoldUntilTheListChanges) {
  allocations.add(memory, 16, MemoryKind::Device);
  EXPECT_FALSE(areApart(memory, memory + 32));
  EXPECT_FALSE(areApart(memory, memory + 32));
  allocations.add(memory + 32, 16, MemoryKind::Device);
  EXPECT_TRUE(areApart(memory, memory + 32));
  EXPECT_TRUE(areApart(memory, memory + 32));
  allocations.take(memory);
  EXPECT_FALSE(areApart(memory, memory + 32));
  allocations.add(memory, 64, MemoryKind::Device);
  EXPECT_FALSE(areApart(memory, memory + 32)) << "one allocation has both addresses";
}

TEST_F(Verdicts, AreOfTheirPointers) {
  allocations.add(memory, 16, MemoryKind::Device);
  allocations.add(memory + 32, 16, MemoryKind::Device);
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 48; ++j)
        EXPECT_EQ(areApart(memory + i, memory + j), j >= 32) << i << ' ' << j;
}

TEST_F(Verdicts, OfSimultaneousLaunches_AreOfTheirPointers) {
  allocations.add(memory, 16, MemoryKind::Device);
  allocations.add(memory + 32, 16, MemoryKind::Device);
  std::atomic<int> wrong = 0;
  auto launchAll = [&](int first) {
    for (int i = 0; i < 20000; ++i) {
      int place = (i * 7 + first) % 48;
      wrong += areApart(memory + first, memory + place) != (place >= 32);
    }
  };
  std::vector<std::thread> threads;
  for (int first = 0; first < 4; ++first)
    threads.emplace_back(launchAll, first);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(Verdicts, OfTooManyPointers_AreFalse) {
  std::vector<void *> none(PointerVerdicts::mostPointers + 1);
  std::vector<void *> values;
  std::vector<uint32_t> pointers;
  for (void *&pointer : none) {
    pointers.push_back(uint32_t(values.size()));
    values.push_back(&pointer);
  }
  PointerVerdicts many(none.size());
  EXPECT_FALSE(many.areApart({values.data(), {}, pointers}, allocations));
  pointers.pop_back();
  EXPECT_TRUE(many.areApart({values.data(), {}, pointers}, allocations));
}

} // namespace
