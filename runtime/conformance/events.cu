//===- events.cu - Events -----------------------------------------------===//
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
  cudaEvent_t event = nullptr;
  answer("to null", cudaEventCreate(nullptr));
  answer("flags that are none", cudaEventCreateWithFlags(&event, 0x100));
  answer("for processes, with times", cudaEventCreateWithFlags(&event, cudaEventInterprocess));
  answer("make one", cudaEventCreateWithFlags(&event, cudaEventBlockingSync));
  answer("poll what was never recorded", cudaEventQuery(event));
  answer("wait for what was never recorded", cudaEventSynchronize(event));
  answer("let a stream wait for it", cudaStreamWaitEvent(nullptr, event, 0));
  answer("destroy", cudaEventDestroy(event));
  answer("record null", cudaEventRecord(nullptr, nullptr));
  answer("poll null", cudaEventQuery(nullptr));
  answer("wait for null", cudaEventSynchronize(nullptr));
  answer("destroy null", cudaEventDestroy(nullptr));
  answer("let a stream wait for null", cudaStreamWaitEvent(nullptr, nullptr, 0));
}

void times(cudaStream_t stream) {
  cudaEvent_t start = nullptr, end = nullptr, timeless = nullptr;
  float milliseconds = -1;
  answer("make a start", cudaEventCreate(&start));
  answer("make an end", cudaEventCreate(&end));
  answer("make one without times", cudaEventCreateWithFlags(&timeless, cudaEventDisableTiming));
  answer("time of what was never recorded", cudaEventElapsedTime(&milliseconds, start, end));
  answer("record the start", cudaEventRecord(start, stream));
  answer("time of half", cudaEventElapsedTime(&milliseconds, start, end));
  answer("record the end", cudaEventRecord(end, stream));
  answer("record without times", cudaEventRecord(timeless, stream));
  answer("wait", cudaEventSynchronize(timeless));
  answer("time", cudaEventElapsedTime(&milliseconds, start, end));
  answer("it is not negative", milliseconds >= 0);
  answer("time to null", cudaEventElapsedTime(nullptr, start, end));
  answer("time from null", cudaEventElapsedTime(&milliseconds, nullptr, end));
  answer("time without times", cudaEventElapsedTime(&milliseconds, start, timeless));
  Gate gate;
  answer("close a gate", gate.close(stream));
  answer("record behind it", cudaEventRecord(end, stream));
  answer("time that has not passed", cudaEventElapsedTime(&milliseconds, start, end));
  answer("poll", cudaEventQuery(end));
  gate.open();
  answer("wait behind the gate", cudaEventSynchronize(end));
  answer("poll again", cudaEventQuery(end));
  answer("time that has passed", cudaEventElapsedTime(&milliseconds, start, end));
  for (cudaEvent_t event : {start, end, timeless})
    answer("destroy them", cudaEventDestroy(event));
}

/// A wait applies to the recording that is the latest when it is requested.
void order(cudaStream_t stream) {
  Buffer<int> data(1);
  cudaStream_t other = nullptr;
  cudaEvent_t event = nullptr;
  answer("make another stream", cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  answer("make an event", cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  store<<<1, 1>>>(data.data, 0); // loads the code
  answer("load the code", cudaDeviceSynchronize());
  Gate first, second;
  answer("close the first gate", first.close(stream));
  answer("record", cudaEventRecord(event, stream));
  answer("wait in the other", cudaStreamWaitEvent(other, event, 0));
  answer("close the second gate", second.close(stream));
  answer("record again", cudaEventRecord(event, stream));
  store<<<1, 1, 0, other>>>(data.data, 4);
  answer("the other waits", cudaStreamQuery(other));
  first.open();
  answer("the other ends", cudaStreamSynchronize(other));
  answer("the event has not come", cudaEventQuery(event));
  answer("the value", read(data.data));
  answer("destroy the event busy", cudaEventDestroy(event));
  second.open();
  answer("the stream ends", cudaStreamSynchronize(stream));
  answer("destroy the other stream", cudaStreamDestroy(other));
}

} // namespace

AREA(events) {
  cudaStream_t stream = nullptr;
  answer("make a stream", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  making();
  times(stream);
  order(stream);
  answer("destroy the stream", cudaStreamDestroy(stream));
}
