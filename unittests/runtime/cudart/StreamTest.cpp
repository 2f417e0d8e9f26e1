//===- cudart/StreamTest.cpp - Streams and events on the CPU device -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Program.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

using namespace regrain::test;

namespace {

/// A kernel that runs in a stream until it is released.
class Blocked {
public:
  explicit Blocked(cudaStream_t stream) {
    useProgram();
    EXPECT_EQ(launch(&shadows.wait, 1, 1, 0, stream, &flag, &done), cudaSuccess);
  }
  ~Blocked() {
    release();
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  void release() { flag = 1; }
  bool isDone() const { return done; }

private:
  std::atomic<int> flag = 0, done = 0;
};

class Streams : public testing::Test {
protected:
  void SetUp() override {
    useProgram();
    ASSERT_EQ(cudaStreamCreate(&first), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&second), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&free, cudaStreamNonBlocking), cudaSuccess);
  }
  void TearDown() override {
    for (cudaStream_t stream : {first, second, free})
      EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  }

  cudaStream_t first = nullptr, second = nullptr, free = nullptr;
};

void add(void *counter) { ++*static_cast<std::atomic<int> *>(counter); }

TEST_F(Streams, Launches_AreAsynchronous) {
  Blocked blocked(first);
  EXPECT_FALSE(blocked.isDone());
  EXPECT_EQ(cudaStreamQuery(first), cudaErrorNotReady);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess); // a result, not an error
  EXPECT_EQ(cudaStreamQuery(second), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  blocked.release();
  EXPECT_EQ(cudaStreamSynchronize(first), cudaSuccess);
  EXPECT_TRUE(blocked.isDone());
  EXPECT_EQ(cudaStreamQuery(first), cudaSuccess);
}

TEST_F(Streams, OneStream_IsInOrder) {
  Blocked blocked(first);
  std::atomic<int> count = 0;
  ASSERT_EQ(cudaLaunchHostFunc(first, add, &count), cudaSuccess);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(count, 0);
  blocked.release();
  ASSERT_EQ(cudaStreamSynchronize(first), cudaSuccess);
  EXPECT_EQ(count, 1);
}

TEST_F(Streams, LegacyStream_WaitsForBlockingStreamsOnly) {
  std::atomic<int> count = 0;
  {
    Blocked blocked(free);
    ASSERT_EQ(cudaLaunchHostFunc(nullptr, add, &count), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
    EXPECT_EQ(count, 1);
  }
  Blocked blocked(first);
  ASSERT_EQ(cudaLaunchHostFunc(nullptr, add, &count), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess); // a result, not an error
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(count, 1);
  blocked.release();
  ASSERT_EQ(cudaStreamSynchronize(cudaStreamLegacy), cudaSuccess);
  EXPECT_EQ(count, 2);
}

TEST_F(Streams, BlockingStreams_WaitForTheLegacyStream) {
  Blocked blocked(nullptr);
  std::atomic<int> count = 0;
  ASSERT_EQ(cudaLaunchHostFunc(second, add, &count), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(cudaStreamPerThread, add, &count), cudaSuccess);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(count, 0);
  ASSERT_EQ(cudaLaunchHostFunc(free, add, &count), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(free), cudaSuccess);
  EXPECT_EQ(count, 1);
  blocked.release();
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(count, 3);
}

TEST_F(Streams, Event_OrdersTwoStreams) {
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  std::atomic<int> count = 0;
  Blocked blocked(first);
  ASSERT_EQ(cudaEventRecord(event, first), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(free, event, 0), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(free, add, &count), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess); // a result, not an error
  // The wait is for the recording at the time of the call, whatever happens to
  // the event later.
  ASSERT_EQ(cudaEventDestroy(event), cudaSuccess);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(count, 0);
  blocked.release();
  ASSERT_EQ(cudaStreamSynchronize(free), cudaSuccess);
  EXPECT_EQ(count, 1);
}

TEST_F(Streams, Events_MeasureTime) {
  cudaEvent_t start = nullptr, end = nullptr;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  float milliseconds = -1;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventQuery(start), cudaSuccess); // never recorded
  ASSERT_EQ(cudaEventRecord(start, first), cudaSuccess);
  auto nap = [](void *) { std::this_thread::sleep_for(std::chrono::milliseconds(30)); };
  ASSERT_EQ(cudaLaunchHostFunc(first, nap, nullptr), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(end, first), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorNotReady);
  ASSERT_EQ(cudaEventSynchronize(end), cudaSuccess);
  ASSERT_EQ(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
  EXPECT_GE(milliseconds, 29);
  EXPECT_LT(milliseconds, 5000);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(end), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(end, first), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
}

TEST_F(Streams, AsyncCopies_FollowTheStream) {
  char *device = nullptr, *pinned = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&device), 4), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(reinterpret_cast<void **>(&pinned), 4), cudaSuccess);
  *pinned = 'p';
  {
    Blocked blocked(first);
    ASSERT_EQ(cudaMemsetAsync(device, 'm', 4, first), cudaSuccess);
    ASSERT_EQ(cudaMemcpyAsync(pinned, device, 1, cudaMemcpyDeviceToHost, first), cudaSuccess);
    EXPECT_EQ(*pinned, 'p');
  }
  EXPECT_EQ(*pinned, 'm');
  // Ordinary memory may change as soon as the call has returned.
  char local = 'l';
  ASSERT_EQ(cudaMemcpyAsync(device, &local, 1, cudaMemcpyHostToDevice, first), cudaSuccess);
  local = 'x';
  ASSERT_EQ(cudaMemcpy(pinned, device, 1, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(*pinned, 'l');
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST_F(Streams, Callback_GetsItsStream) {
  struct Seen {
    cudaStream_t stream = nullptr;
    cudaError_t status = cudaErrorUnknown;
  } seen;
  auto callback = [](cudaStream_t stream, cudaError_t status, void *data) {
    *static_cast<Seen *>(data) = {stream, status};
  };
  ASSERT_EQ(cudaStreamAddCallback(first, callback, &seen, 0), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(first), cudaSuccess);
  EXPECT_EQ(seen.stream, first);
  EXPECT_EQ(seen.status, cudaSuccess);
}

TEST_F(Streams, DestroyedStream_FinishesItsWork) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  std::atomic<int> count = 0;
  {
    Blocked blocked(stream);
    ASSERT_EQ(cudaLaunchHostFunc(stream, add, &count), cudaSuccess);
    ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  }
  for (int i = 0; i < 1000 && count == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(count, 1);
}

TEST_F(Streams, DestroyedStream_IsWaitedForByTheDevice) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  std::atomic<int> count = 0;
  auto addLate = [](void *counter) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    add(counter);
  };
  ASSERT_EQ(cudaLaunchHostFunc(stream, addLate, &count), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  // The default stream follows all blocking streams.
  ASSERT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(count, 1);
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(stream, addLate, &count), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(count, 2);
}

TEST_F(Streams, WrongHandles_AreInvalidResourceHandle) {
  auto wrong = reinterpret_cast<cudaStream_t>(&shadows);
  EXPECT_EQ(cudaStreamSynchronize(wrong), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(launch(&shadows.trap, 1, 1, 0, wrong), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamCreateWithFlags(&wrong, 77), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(Streams, ManyThreads_LaunchAtOnce) {
  constexpr int threads = 8, rounds = 200;
  int zero = 0, result = 0;
  ASSERT_EQ(cudaMemcpyToSymbol(&shadows.counter, &zero, 4, 0, cudaMemcpyHostToDevice), cudaSuccess);
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i)
    workers.emplace_back([&, i] {
      cudaStream_t streams[] = {first, free, nullptr, cudaStreamPerThread};
      for (int round = 0; round < rounds; ++round)
        EXPECT_EQ(launch(&shadows.count, 2, 1, 0, streams[(i + round) % 4], 0), cudaSuccess);
      EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    });
  for (std::thread &worker : workers)
    worker.join();
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  ASSERT_EQ(cudaMemcpyFromSymbol(&result, &shadows.counter, 4, 0, cudaMemcpyDeviceToHost),
            cudaSuccess);
  // table[0] is 1, and other tests change only the elements behind it
  EXPECT_EQ(result, threads * rounds * 2);
}

} // namespace
