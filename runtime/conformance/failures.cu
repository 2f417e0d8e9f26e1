//===- failures.cu - A device after a kernel has failed -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

#include <cassert>

using namespace conformance;

namespace {

__global__ void trap(int *out) {
  if (*out != 77)
    __trap();
}
__global__ void fail(int *out) { assert(*out == 77); }
__global__ void store(int *out) { *out = 2; }

/// Asks about calls while the device has failed.
void afterwards(int *data, cudaStream_t stream, cudaEvent_t event) {
  int value = 0;
  void *pointer = nullptr;
  cudaFuncAttributes attributes;
  cudaDeviceProp properties;
  answer("get it again", cudaGetLastError());
  answer("wait for the device", cudaDeviceSynchronize());
  answer("wait for a stream", cudaStreamSynchronize(stream));
  answer("poll a stream", cudaStreamQuery(stream));
  answer("poll an event", cudaEventQuery(event));
  answer("record an event", cudaEventRecord(event, stream));
  answer("copy", cudaMemcpy(&value, data, sizeof(int), cudaMemcpyDeviceToHost));
  answer("fill", cudaMemset(data, 0, sizeof(int)));
  answer("allocate", cudaMalloc(&pointer, 64));
  answer("allocate for the host", cudaMallocHost(&pointer, 64));
  answer("free", cudaFree(data));
  answer("make a stream", cudaStreamCreate(&stream));
  answer("make an event", cudaEventCreate(&event));
  store<<<1, 1>>>(data);
  answerLaunch("launch");
  store<<<0, 1>>>(data);
  answerLaunch("launch wrongly");
  answer("an argument that is wrong", cudaMalloc(nullptr, 4));
  answer("ask for a kernel", cudaFuncGetAttributes(&attributes, store));
  answer("count devices", cudaGetDeviceCount(&value));
  answer("current device", cudaGetDevice(&value));
  answer("choose a device", cudaSetDevice(0));
  answer("ask for the device", cudaGetDeviceProperties(&properties, 0));
  answer("ask for the version", cudaRuntimeGetVersion(&value));
}

void elsewhere() {
  cudaError_t last = cudaErrorUnknown, waited = cudaErrorUnknown, then = cudaErrorUnknown;
  std::thread([&] {
    last = cudaGetLastError();
    waited = cudaDeviceSynchronize();
    then = cudaGetLastError();
  }).join();
  answer("another thread's last error", cudaGetErrorName(last));
  answer("another thread waits", cudaGetErrorName(waited));
  answer("another thread's last error then", cudaGetErrorName(then));
}

void answerAfter(void (*kernel)(int *)) {
  int *data = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  answer("prepare memory", cudaMalloc(&data, sizeof(int)));
  answer("prepare its value", cudaMemset(data, 0, sizeof(int)));
  answer("prepare a stream", cudaStreamCreate(&stream));
  answer("prepare an event", cudaEventCreate(&event));
  kernel<<<1, 1>>>(data);
  answerLaunch("launch what fails");
  answer("wait for what fails", cudaDeviceSynchronize());
  afterwards(data, stream, event);
  elsewhere();
  // The effect of a reset on a failed process is not specified.
  answer("reset", cudaDeviceReset());
}

} // namespace

AREA(trapped) { answerAfter(trap); }
AREA(asserted) { answerAfter(fail); }
