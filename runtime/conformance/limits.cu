//===- limits.cu - Limits of a device, and its heap ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

using namespace conformance;

namespace {

/// Stores whether each of `count` allocations from the device heap gets memory.
__global__ void take(size_t bytes, int count, int *got) {
  void *pointers[16];
  *got = 0;
  for (int i = 0; i < count; ++i) {
    pointers[i] = malloc(bytes);
    *got += pointers[i] != nullptr;
  }
  for (int i = 0; i < count; ++i)
    free(pointers[i]);
}

__device__ void *kept;
__global__ void keep(size_t bytes, int *got) {
  kept = malloc(bytes);
  *got = kept != nullptr;
}
__global__ void release() { free(kept); }

void taken(const char *question, size_t bytes, int count) {
  Buffer<int> got(1);
  take<<<1, 1>>>(bytes, count, got.data);
  answer(question, read(got.data));
}

void values() {
  size_t value = 0, again = 0;
  const struct {
    const char *name;
    cudaLimit limit;
  } limits[] = {{"stack", cudaLimitStackSize},
                {"printf buffer", cudaLimitPrintfFifoSize},
                {"heap", cudaLimitMallocHeapSize}};
  for (auto &each : limits) {
    answer(each.name, cudaDeviceGetLimit(&value, each.limit));
    answer("it is not 0", value > 0);
    answer("set it as it is", cudaDeviceSetLimit(each.limit, value));
    answer("ask again", cudaDeviceGetLimit(&again, each.limit));
    answer("it is as it was", again == value);
  }
  answer("the heap at start", (long long)again);
  answer("to null", cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
  answer("what is no limit", cudaDeviceGetLimit(&value, static_cast<cudaLimit>(99)));
  answer("set what is no limit", cudaDeviceSetLimit(static_cast<cudaLimit>(99), 16));
  answer("set a larger stack", cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  answer("ask for the stack", cudaDeviceGetLimit(&value, cudaLimitStackSize));
  answer("the stack is as set", value >= 4096);
}

void heap() {
  size_t heap = 0;
  Buffer<int> got(1);
  answer("set the heap", cudaDeviceSetLimit(cudaLimitMallocHeapSize, size_t(32) << 20));
  answer("ask for the heap", cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
  answer("the heap is as set", heap >= size_t(32) << 20);
  taken("a little of it", 1000, 1);
  taken("16 MiB of it", size_t(16) << 20, 1);
  taken("more than it", heap + (size_t(1) << 30), 1);
  taken("ten times 16 MiB of it", size_t(16) << 20, 10);
  taken("nothing of it", 0, 1);
  keep<<<1, 1>>>(size_t(24) << 20, got.data);
  answer("keep 24 MiB", read(got.data));
  taken("16 MiB beside them", size_t(16) << 20, 1);
  release<<<1, 1>>>();
  answer("release them", cudaDeviceSynchronize());
  taken("16 MiB again", size_t(16) << 20, 1);
  answer("set the heap after its use",
         cudaDeviceSetLimit(cudaLimitMallocHeapSize, size_t(64) << 20));
}

} // namespace

AREA(limits) {
  values();
  heap();
}
