//===- core/LentMemoryTest.cpp - Global memory lent to launches -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/lent_memory.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

using namespace regrain;

namespace {

class LentMemoryOfCpu : public testing::Test {
protected:
  void SetUp() override {
    std::string reason;
    ASSERT_EQ(regrainCpuPlugin()->open(0, device, reason), cudaSuccess) << reason;
    ASSERT_EQ(device->createStream(cudaStreamNonBlocking, 0, first), cudaSuccess);
    ASSERT_EQ(device->createStream(cudaStreamNonBlocking, 0, second), cudaSuccess);
  }
  void TearDown() override {
    lent.clear(*device);
    EXPECT_EQ(device->reset(), cudaSuccess);
  }

  /// Returns null if it is not lent.
  void *lend(cudaStream_t stream, uint64_t bytes) {
    std::optional<LentMemory::Loan> loan = lent.lend(*device, stream, bytes);
    return loan ? loan->address() : nullptr;
  }
  bool isAllocated(void *pointer) {
    cudaPointerAttributes attributes = {};
    return device->pointerAttributes(pointer, attributes) == cudaSuccess &&
           attributes.type == cudaMemoryTypeDevice;
  }
  /// Keeps `stream` busy until `isReleased`.
  void block(cudaStream_t stream) {
    auto wait = [](void *flag) {
      while (!*static_cast<std::atomic<bool> *>(flag))
        std::this_thread::yield();
    };
    ASSERT_EQ(device->launchHostFunction(stream, wait, &isReleased), cudaSuccess);
  }

  std::unique_ptr<Device> device;
  cudaStream_t first = nullptr, second = nullptr;
  std::atomic<bool> isReleased = false;
  LentMemory lent;
};

TEST_F(LentMemoryOfCpu, AStreamKeepsItsBuffer) {
  void *large = lend(first, 4096);
  ASSERT_TRUE(large);
  EXPECT_TRUE(isAllocated(large));
  EXPECT_EQ(lend(first, 4096), large);
  EXPECT_EQ(lend(first, 256), large);
  EXPECT_NE(lend(second, 256), large);
  EXPECT_EQ(lend(nullptr, 256), lend(cudaStreamLegacy, 256)) << "two names of one stream";
}

TEST_F(LentMemoryOfCpu, ABufferInUseIsNotFreed) {
  void *small = lend(first, 256);
  block(first);
  void *large = lend(first, 4096);
  ASSERT_TRUE(large);
  EXPECT_NE(large, small);
  EXPECT_TRUE(lend(second, 256));
  EXPECT_TRUE(isAllocated(small)) << "its stream is at work";
  isReleased = true;
  ASSERT_EQ(device->synchronizeStream(first), cudaSuccess);
  EXPECT_TRUE(lend(second, 1024));
  EXPECT_FALSE(isAllocated(small));
  EXPECT_TRUE(isAllocated(large));
}

TEST_F(LentMemoryOfCpu, OfADestroyedStream_IsNotFreedBeforeItsWorkEnds) {
  void *buffer = lend(first, 256);
  block(first);
  lent.forget(*device, first);
  ASSERT_EQ(device->destroyStream(first), cudaSuccess);
  EXPECT_TRUE(lend(second, 256));
  EXPECT_TRUE(isAllocated(buffer));
  isReleased = true;
  ASSERT_EQ(device->synchronize(), cudaSuccess);
  EXPECT_TRUE(lend(second, 1024));
  EXPECT_FALSE(isAllocated(buffer));
  lent.forget(*device, second);
  lent.forget(*device, second);
}

TEST_F(LentMemoryOfCpu, AWordIsZeroAndTheStreamsOwn) {
  auto lendWord = [&](cudaStream_t stream) {
    std::optional<LentMemory::Loan> loan = lent.lendWord(*device, stream);
    return loan ? loan->address() : nullptr;
  };
  void *word = lendWord(first), *buffer = lend(first, 256);
  ASSERT_TRUE(word);
  EXPECT_NE(word, buffer);
  EXPECT_NE(word, lendWord(second));
  EXPECT_EQ(word, lendWord(first));
  uint32_t value = 1;
  ASSERT_EQ(device->synchronizeStream(first), cudaSuccess);
  ASSERT_EQ(device->copy(&value, sizeof value, word, sizeof value, {sizeof value, 1},
                         cudaMemcpyDeviceToHost, nullptr, /*async=*/false),
            cudaSuccess);
  EXPECT_EQ(value, 0u);
  EXPECT_EQ(lent.heldBytes(), 3 * 256u);
  block(first);
  lent.forget(*device, first);
  EXPECT_TRUE(lend(second, 256));
  EXPECT_TRUE(isAllocated(word)) << "its stream is at work";
  isReleased = true;
  EXPECT_TRUE(lent.giveBack(*device));
  EXPECT_FALSE(isAllocated(word));
  EXPECT_EQ(lent.heldBytes(), 0u);
}

TEST_F(LentMemoryOfCpu, MoreThanItsShareIsRefused) {
  size_t freeBytes = 0, totalBytes = 0;
  ASSERT_EQ(device->memoryInfo(freeBytes, totalBytes), cudaSuccess);
  EXPECT_FALSE(lend(first, freeBytes / 2));
  EXPECT_FALSE(lend(first, UINT64_MAX));
  EXPECT_TRUE(lend(first, 4096));
  lent.noteFreed();
  EXPECT_FALSE(lend(first, freeBytes / 2));
  lent.clear(*device);
  EXPECT_TRUE(lend(first, 4096));
}

TEST_F(LentMemoryOfCpu, GivenBack_IsFreedOnceTheDeviceIsDone) {
  EXPECT_FALSE(lent.giveBack(*device)) << "there is nothing";
  void *small = lend(first, 256);
  std::atomic<int> ended = 0;
  auto end = [](void *count) { ++*static_cast<std::atomic<int> *>(count); };
  block(first);
  ASSERT_EQ(device->launchHostFunction(first, end, &ended), cudaSuccess);
  void *large = lend(first, 4096), *other = lend(second, 1024);
  EXPECT_EQ(lent.heldBytes(), 256u + 4096 + 1024);
  isReleased = true;
  EXPECT_TRUE(lent.giveBack(*device));
  EXPECT_EQ(ended, 1);
  EXPECT_EQ(lent.heldBytes(), 0u);
  for (void *buffer : {small, large, other})
    EXPECT_FALSE(isAllocated(buffer));
  EXPECT_TRUE(lend(first, 256));
}

// The other thread asks during the loan, even if it starts late.
TEST_F(LentMemoryOfCpu, ALoanKeepsOtherThreadsFromGrowing) {
  std::optional<LentMemory::Loan> loan = lent.lend(*device, first, 256);
  ASSERT_TRUE(loan);
  std::atomic<bool> isAsking = false, isReturned = false;
  std::thread other([&] {
    isAsking = true;
    EXPECT_TRUE(lend(first, 4096));
    EXPECT_TRUE(isReturned) << "the loan was lent twice";
  });
  while (!isAsking)
    std::this_thread::yield();
  for (int turn = 0; turn < 1000; ++turn)
    std::this_thread::yield();
  EXPECT_TRUE(isAllocated(loan->address()));
  isReturned = true;
  loan.reset();
  other.join();
}

} // namespace
