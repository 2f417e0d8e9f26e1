//===- reset.cu - A device after a reset ----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

using namespace conformance;

namespace {

__device__ int counter = 10;
__global__ void count(int *out) { *out = ++counter; }

/// Uses the device as a program does at its start; returns the counter's value, or the
/// error.
int use() {
  int *data = nullptr, value = 0;
  cudaError_t status = cudaMalloc(&data, sizeof(int));
  if (status == cudaSuccess) {
    count<<<1, 1>>>(data);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess)
    status = cudaMemcpy(&value, data, sizeof value, cudaMemcpyDeviceToHost);
  return status == cudaSuccess ? value : -int(status);
}

void threads() {
  std::atomic<int> stage{0};
  int first = 0, second = 0, third = 0, perThread = 0;
  std::thread other([&] {
    first = use();
    perThread = cudaStreamSynchronize(cudaStreamPerThread);
    stage = 1;
    while (stage != 2)
      std::this_thread::yield();
    second = use();
    perThread = cudaStreamSynchronize(cudaStreamPerThread);
    stage = 3;
    while (stage != 4)
      std::this_thread::yield();
    third = use();
  });
  while (stage != 1)
    std::this_thread::yield();
  answer("this thread", use());
  answer("reset while another thread idles", cudaDeviceReset());
  stage = 2;
  while (stage != 3)
    std::this_thread::yield();
  answer("another thread before", first);
  answer("another thread after", second);
  answer("another thread's stream", perThread);
  answer("this thread after", use());
  answer("reset twice", cudaDeviceReset());
  answer("and again", cudaDeviceReset());
  stage = 4;
  other.join();
  answer("another thread after two", third);
  answer("this thread after two", use());
}

void whatGoes() {
  void *device = nullptr;
  size_t heap = 0, anew = 0;
  answer("take", cudaMalloc(&device, 256));
  answer("heap", cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
  answer("set the heap", cudaDeviceSetLimit(cudaLimitMallocHeapSize, 2 * heap));
  answer("launch wrongly", (count<<<0, 1>>>(nullptr), cudaPeekAtLastError()) != cudaSuccess);
  answer("reset", cudaDeviceReset());
  answer("the last error goes or stays", cudaGetLastError());
  answer("free what went", cudaFree(device));
  answer("heap again", cudaDeviceGetLimit(&anew, cudaLimitMallocHeapSize));
  answer("the heap is as at start", anew == heap);
  int current = -1;
  answer("the current device", cudaGetDevice(&current));
  answer("it is the first", current);
}

} // namespace

AREA(reset) {
  answer("before any use", cudaDeviceReset());
  threads();
  whatGoes();
}
