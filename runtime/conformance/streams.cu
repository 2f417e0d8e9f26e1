//===- streams.cu - Streams and the order of their work -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

using namespace conformance;

namespace {

__global__ void store(int *out, int value) { *out = value; }

void making() {
  cudaStream_t stream = nullptr;
  unsigned flags = 77;
  int priority = 77, least = 0, greatest = 0;
  answer("to null", cudaStreamCreate(nullptr));
  answer("flags that are none", cudaStreamCreateWithFlags(&stream, 0x10));
  answer("make one", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  answer("flags", cudaStreamGetFlags(stream, &flags));
  answer("it does not block", flags == cudaStreamNonBlocking);
  answer("flags to null", cudaStreamGetFlags(stream, nullptr));
  answer("priority", cudaStreamGetPriority(stream, &priority));
  answer("usual priority", priority);
  answer("poll", cudaStreamQuery(stream));
  answer("destroy", cudaStreamDestroy(stream));
  answer("range of priorities", cudaDeviceGetStreamPriorityRange(&least, &greatest));
  answer("beyond the range", cudaStreamCreateWithPriority(&stream, 0, greatest - 100));
  answer("priority beyond the range", cudaStreamGetPriority(stream, &priority));
  answer("it is within the range", priority == greatest);
  answer("destroy that", cudaStreamDestroy(stream));
  answer("destroy the null stream", cudaStreamDestroy(nullptr));
  answer("destroy the legacy stream", cudaStreamDestroy(cudaStreamLegacy));
  answer("destroy the thread's stream", cudaStreamDestroy(cudaStreamPerThread));
}

void builtin() {
  unsigned flags = 77;
  answer("poll the null stream", cudaStreamQuery(nullptr));
  answer("poll the legacy stream", cudaStreamQuery(cudaStreamLegacy));
  answer("poll the thread's stream", cudaStreamQuery(cudaStreamPerThread));
  answer("flags of the null stream", cudaStreamGetFlags(nullptr, &flags));
  answer("the null stream's flags", int(flags));
  answer("flags of the thread's stream", cudaStreamGetFlags(cudaStreamPerThread, &flags));
  answer("the thread's stream's flags", int(flags));
  answer("wait for the thread's stream", cudaStreamSynchronize(cudaStreamPerThread));
}

/// Returns whether the work of `second` waits for that of `first`.
void waits(const char *question, cudaStream_t first, cudaStream_t second, int *data) {
  Gate gate;
  if (gate.close(first) != cudaSuccess)
    return answer(question, "the gate cannot be closed");
  store<<<1, 1, 0, second>>>(data, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  bool isBusy = cudaStreamQuery(second) == cudaErrorNotReady;
  gate.open();
  answer(question, isBusy);
  static_cast<void>(cudaDeviceSynchronize());
}

void order() {
  Buffer<int> data(1);
  cudaStream_t blocking = nullptr, free = nullptr, other = nullptr;
  answer("make a blocking one", cudaStreamCreate(&blocking));
  answer("make a free one", cudaStreamCreateWithFlags(&free, cudaStreamNonBlocking));
  answer("make another", cudaStreamCreate(&other));
  store<<<1, 1>>>(data.data, 0); // loads the code
  answer("load the code", cudaDeviceSynchronize());
  waits("null waits for a blocking one", blocking, nullptr, data.data);
  waits("null waits for a free one", free, nullptr, data.data);
  waits("null waits for the thread's", cudaStreamPerThread, nullptr, data.data);
  waits("a blocking one waits for null", nullptr, blocking, data.data);
  waits("a free one waits for null", nullptr, free, data.data);
  waits("the thread's waits for null", nullptr, cudaStreamPerThread, data.data);
  waits("legacy is null", cudaStreamLegacy, nullptr, data.data);
  waits("blocking ones wait for each other", blocking, other, data.data);
  waits("the thread's waits for a blocking one", blocking, cudaStreamPerThread, data.data);
  for (cudaStream_t stream : {blocking, free, other})
    answer("destroy them", cudaStreamDestroy(stream));
}

/// A stream that is destroyed while it has work completes the work.
void destroyedBusy() {
  Buffer<int> data(1);
  cudaStream_t stream = nullptr;
  answer("make one to destroy", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  Gate gate;
  answer("close its gate", gate.close(stream));
  store<<<1, 1, 0, stream>>>(data.data, 9);
  answerLaunch("launch behind the gate");
  answer("destroy it busy", cudaStreamDestroy(stream));
  gate.open();
  answer("wait for it", cudaDeviceSynchronize());
  answer("its work is done", read(data.data));
}

} // namespace

AREA(streams) {
  making();
  builtin();
  order();
  destroyedBusy();
}
