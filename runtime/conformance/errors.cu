//===- errors.cu - The last error -----------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

using namespace conformance;

namespace {

__global__ void store(int *out) { *out = 1; }

void polls() {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  answer("make a stream", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  answer("make an event", cudaEventCreate(&event));
  Gate gate;
  answer("close a gate", gate.close(stream));
  answer("record behind it", cudaEventRecord(event, stream));
  answer("poll a busy stream", cudaStreamQuery(stream));
  answer("poll a busy event", cudaEventQuery(event));
  float milliseconds = 0;
  answer("time that has not passed", cudaEventElapsedTime(&milliseconds, event, event));
  answer("an error before a poll", cudaMalloc(nullptr, 4) == cudaErrorInvalidValue);
  static_cast<void>(cudaStreamQuery(stream));
  answer("an error after a poll", cudaGetLastError());
  gate.open();
  answer("wait for the stream", cudaStreamSynchronize(stream));
  answer("poll an idle stream", cudaStreamQuery(stream));
  answer("poll a reached event", cudaEventQuery(event));
  answer("destroy the event", cudaEventDestroy(event));
  answer("destroy the stream", cudaStreamDestroy(stream));
}

void lastError() {
  int *data = nullptr;
  static_cast<void>(cudaMalloc(nullptr, 4));
  answer("success leaves an error", cudaMalloc(&data, 4) == cudaSuccess);
  answer("peek", cudaPeekAtLastError() == cudaErrorInvalidValue);
  answer("peek again", cudaPeekAtLastError() == cudaErrorInvalidValue);
  answer("get", cudaGetLastError() == cudaErrorInvalidValue);
  answer("get again", cudaGetLastError());
  static_cast<void>(cudaMalloc(nullptr, 4));
  store<<<0, 1>>>(data);
  answer("the newer error counts", cudaGetLastError());
  store<<<0, 1>>>(data);
  store<<<1, 1>>>(data);
  answer("a launch that is right leaves an error", cudaGetLastError());
  static_cast<void>(cudaMalloc(nullptr, 4));
  cudaError_t ofThread = cudaErrorUnknown;
  std::thread([&] { ofThread = cudaPeekAtLastError(); }).join();
  answer("another thread's is its own", ofThread == cudaSuccess);
  answer("this thread's stays", cudaGetLastError());
  answer("free", cudaFree(data));
}

void texts() {
  answer("name of success", cudaGetErrorName(cudaSuccess));
  answer("name of not ready", cudaGetErrorName(cudaErrorNotReady));
  answer("name of nothing", cudaGetErrorName(static_cast<cudaError_t>(12345)));
  answer("text of success", cudaGetErrorString(cudaSuccess));
  answer("text of invalid value", cudaGetErrorString(cudaErrorInvalidValue));
  answer("text of no memory", cudaGetErrorString(cudaErrorMemoryAllocation));
  answer("text of a configuration", cudaGetErrorString(cudaErrorInvalidConfiguration));
  answer("text of a trap", cudaGetErrorString(cudaErrorLaunchFailure));
  answer("text of nothing", cudaGetErrorString(static_cast<cudaError_t>(12345)));
}

void versions() {
  int version = 0;
  answer("the runtime's version", cudaRuntimeGetVersion(&version));
  answer("the runtime is of the headers", version == CUDART_VERSION);
  answer("the runtime's version to null", cudaRuntimeGetVersion(nullptr));
  answer("the driver's version", cudaDriverGetVersion(&version));
  answer("the driver's version to null", cudaDriverGetVersion(nullptr));
}

} // namespace

AREA(errors) {
  polls();
  lastError();
  texts();
  versions();
}
