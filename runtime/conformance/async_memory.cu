//===- async_memory.cu - Memory in the order of a stream ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

using namespace conformance;

namespace {

__global__ void add(int *data) { *data += 1; }

void inOrder(cudaStream_t stream) {
  int *data = nullptr, back = 0;
  answer("take", cudaMallocAsync(&data, sizeof(int), stream));
  answer("fill", cudaMemsetAsync(data, 0, sizeof(int), stream));
  for (int i = 0; i < 10; ++i)
    add<<<1, 1, 0, stream>>>(data);
  answerLaunch("use");
  answer("copy", cudaMemcpyAsync(&back, data, sizeof(int), cudaMemcpyDeviceToHost, stream));
  answer("give back", cudaFreeAsync(data, stream));
  answer("wait", cudaStreamSynchronize(stream));
  answer("ten launches", back);
}

void doesNotWait(cudaStream_t stream) {
  int *data = nullptr, *other = nullptr, *third = nullptr;
  answer("take before a gate", cudaMallocAsync(&data, sizeof(int), stream));
  answer("wait for it", cudaStreamSynchronize(stream));
  Gate gate;
  answer("close a gate", gate.close(stream));
  add<<<1, 1, 0, stream>>>(data);
  answerLaunch("use behind the gate");
  answer("give back behind the gate", cudaFreeAsync(data, stream));
  answer("take behind the gate", cudaMallocAsync(&other, sizeof(int), stream));
  answer("fill behind the gate", cudaMemsetAsync(other, 7, sizeof(int), stream));
  answer("take with nobody's stream", cudaMallocAsync(&third, 1000, cudaStreamPerThread));
  answer("the stream is busy", cudaStreamQuery(stream));
  gate.open();
  answer("wait after the gate", cudaStreamSynchronize(stream));
  answer("what was filled behind the gate", read(other) == 0x07070707);
  answer("give back with the null stream", cudaFreeAsync(other, nullptr));
  answer("give back with nobody's stream", cudaFreeAsync(third, cudaStreamPerThread));
  answer("wait for the device", cudaDeviceSynchronize());
}

void mixed(cudaStream_t stream) {
  void *data = nullptr;
  answer("take for a plain free", cudaMallocAsync(&data, 256, stream));
  answer("a plain free", cudaFree(data));
  answer("take plainly", cudaMalloc(&data, 256));
  answer("free plain memory in order", cudaFreeAsync(data, stream));
  answer("wait for both", cudaStreamSynchronize(stream));
}

void errors(cudaStream_t stream) {
  void *data = &data;
  answer("take nothing", cudaMallocAsync(&data, 0, stream));
  answer("nothing is null", data == nullptr);
  answer("take to null", cudaMallocAsync(static_cast<void **>(nullptr), 16, stream));
  answer("take 2^50 bytes", cudaMallocAsync(&data, size_t(1) << 50, stream));
  answer("give back null", cudaFreeAsync(nullptr, stream));
  int local = 0;
  answer("give back a variable", cudaFreeAsync(&local, stream));
  answer("wait at the end", cudaStreamSynchronize(stream));
}

} // namespace

AREA(async_memory) {
  cudaStream_t stream = nullptr;
  answer("make a stream", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  inOrder(stream);
  doesNotWait(stream);
  mixed(stream);
  errors(stream);
  answer("destroy the stream", cudaStreamDestroy(stream));
}
