//===- per_thread.cu - Default streams of threads -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

// This file is compiled with --default-stream per-thread.

using namespace conformance;

namespace {

__global__ void store(int *out, int value) { *out = value; }

/// Returns whether the work of `act` in this thread waits for another thread's default
/// stream, which is busy.
template <typename Act> void isHeldUp(const char *question, cudaStream_t stream, Act act) {
  Gate gate;
  std::atomic<bool> isClosed{false}, isDone{false};
  std::thread other([&] {
    cudaError_t status = gate.close(stream);
    isClosed = true;
    if (status != cudaSuccess || cudaStreamSynchronize(stream) != cudaSuccess)
      answer(question, "the other thread fails");
  });
  while (!isClosed)
    std::this_thread::yield();
  std::thread opener([&] {
    for (int i = 0; i < 500 && !isDone; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    answer(question, !isDone);
    gate.open();
  });
  act();
  isDone = true;
  opener.join();
  other.join();
}

void defaultStreams(int *data) {
  int back = 0;
  isHeldUp("a launch", nullptr, [&] {
    store<<<1, 1>>>(data, 5);
    static_cast<void>(cudaStreamSynchronize(nullptr));
  });
  isHeldUp("a copy", nullptr, [&] {
    static_cast<void>(cudaMemcpy(&back, data, sizeof(int), cudaMemcpyDeviceToHost));
  });
  answer("what was copied", back);
  isHeldUp("a copy without a stream", nullptr, [&] {
    static_cast<void>(cudaMemcpyAsync(&back, data, sizeof(int), cudaMemcpyDeviceToHost));
    static_cast<void>(cudaStreamSynchronize(nullptr));
  });
  isHeldUp("a fill", nullptr, [&] {
    static_cast<void>(cudaMemset(data, 1, sizeof(int)));
    static_cast<void>(cudaStreamSynchronize(nullptr));
  });
  isHeldUp("the legacy stream", nullptr, [&] {
    store<<<1, 1, 0, cudaStreamLegacy>>>(data, 6);
    static_cast<void>(cudaStreamSynchronize(cudaStreamLegacy));
  });
  isHeldUp("the device", nullptr, [&] { static_cast<void>(cudaDeviceSynchronize()); });
  isHeldUp("a launch by a busy legacy stream", cudaStreamLegacy, [&] {
    store<<<1, 1>>>(data, 7);
    static_cast<void>(cudaStreamSynchronize(nullptr));
  });
}

/// The null stream is the thread's own in every entry that takes a stream.
void entries(int *data) {
  Gate gate;
  cudaEvent_t event = nullptr;
  answer("make an event", cudaEventCreate(&event));
  answer("close a gate", gate.close(nullptr));
  answer("poll null", cudaStreamQuery(nullptr));
  answer("poll the thread's", cudaStreamQuery(cudaStreamPerThread));
  answer("record", cudaEventRecord(event));
  answer("poll the event", cudaEventQuery(event));
  answer("wait for the event", cudaStreamWaitEvent(nullptr, event, 0));
  void *arguments[] = {&data, &data};
  answer("launch", cudaLaunchKernel(reinterpret_cast<const void *>(store), dim3(1), dim3(1),
                                    arguments, 0, nullptr));
  gate.open();
  answer("wait", cudaStreamSynchronize(nullptr));
  answer("poll null again", cudaStreamQuery(nullptr));
  unsigned flags = 77;
  answer("flags", cudaStreamGetFlags(nullptr, &flags));
  answer("its flags", int(flags));
  answer("destroy the event", cudaEventDestroy(event));
}

} // namespace

AREA(per_thread) {
  Buffer<int> data(1);
  store<<<1, 1>>>(data.data, 0); // loads the code
  answer("load the code", cudaDeviceSynchronize());
  defaultStreams(data.data);
  entries(data.data);
}
