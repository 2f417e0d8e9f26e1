//===- waits_streams.cu - Launches that wait block no others ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in some streams wait for an event in another one: a kernel, a copy,
// a fill, a host function, or a write of the program. There are more of them,
// with more blocks, than the machine has cores.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 -o %t.3 %s
// RUN: timeout 60 %t.3
// RUN: env REGRAIN_NUM_THREADS=1 timeout 60 %t.3
// RUN: %regrain cc --targets=cpu -O0 -o %t.0 %s
// RUN: env REGRAIN_NUM_THREADS=2 timeout 60 %t.0
#include "expect.h"
#include "waits.h"

constexpr int waiting = 9, blocks = 12, threads = 64;

/// All blocks wait for the word; `met` counts them.
template <class Wait> __global__ void waitFor(int *word, int *met) {
  if (threadIdx.x == 0)
    Wait::wait(word);
  __syncthreads();
  if (threadIdx.x == threads - 1)
    atomicAdd(met, 1);
}

/// Each iteration is common to the block: a barrier, and what one thread has read.
__global__ void waitTogether(int *word, int *met) {
  __shared__ int seen;
  do {
    __syncthreads();
    if (threadIdx.x == 0)
      seen = *(volatile int *)word;
    __syncthreads();
  } while (seen == 0);
  if (threadIdx.x == 0)
    atomicAdd(met, 1);
}

/// This is the same by warps.
__global__ void waitByWarps(int *word, int *met) {
  int seen = 0;
  while (!__any_sync(~0u, seen))
    if (threadIdx.x % 32 == 3)
      seen = atomicAdd(word, 0);
  if (threadIdx.x == 0)
    atomicAdd(met, 1);
}

__global__ void set(int *word) {
  if (threadIdx.x == 0)
    atomicExch(word, 1);
}

/// Many blocks run that do not wait.
__global__ void work(int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] += i;
}

enum class Signal { Kernel, Copy, Fill, HostFunction, Program };
using Waiter = void (*)(int *, int *);

cudaStream_t newStream() {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

void give(Signal signal, int *word, const int *one, cudaStream_t stream) {
  switch (signal) {
  case Signal::Kernel:
    set<<<3, 32, 0, stream>>>(word);
    return;
  case Signal::Copy:
    CHECK(cudaMemcpyAsync(word, one, sizeof *word, cudaMemcpyDefault, stream));
    return;
  case Signal::Fill:
    CHECK(cudaMemsetAsync(word, 1, sizeof *word, stream));
    return;
  case Signal::HostFunction:
    CHECK(cudaLaunchHostFunc(
        stream, [](void *word) { *static_cast<volatile int *>(word) = 1; }, word));
    return;
  case Signal::Program:
    *static_cast<volatile int *>(word) = 1;
    return;
  }
}

void check(const char *name, Waiter waiter, Signal signal) {
  constexpr int n = 5000;
  int *word, *one;
  CHECK(cudaHostAlloc(&word, sizeof *word, cudaHostAllocMapped));
  CHECK(cudaHostAlloc(&one, sizeof *one, cudaHostAllocDefault));
  *word = 0;
  *one = 1;
  DeviceArray<int> met(1), values(n);
  cudaStream_t other = newStream(), streams[waiting];
  for (cudaStream_t &stream : streams) {
    stream = newStream();
    waiter<<<blocks, threads, 0, stream>>>(word, met);
  }
  for (int i = 0; i < 3; ++i)
    work<<<(n + 127) / 128, 128, 0, other>>>(values, n);
  CHECK(cudaStreamSynchronize(other));
  for (cudaStream_t stream : streams)
    expectEqual(name, -1, int(cudaStreamQuery(stream)), int(cudaErrorNotReady));
  (void)cudaGetLastError();
  give(signal, word, one, other);
  CHECK(cudaStreamSynchronize(other));
  for (cudaStream_t stream : streams) {
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaStreamDestroy(stream));
  }
  CHECK(cudaStreamDestroy(other));
  expectEqual(name, 0, met.host()[0], waiting * blocks);
  auto got = values.host();
  for (int i = 0; i < n; ++i)
    expectEqual(name, i, got[i], 3 * i);
  CHECK(cudaFreeHost(word));
  CHECK(cudaFreeHost(one));
}

int main() {
  check("kernel", waitFor<ByAdd>, Signal::Kernel);
  check("copy", waitFor<ByVolatile>, Signal::Copy);
  check("fill", waitFor<BelowRecursion>, Signal::Fill);
  check("host function", waitFor<ByPointer>, Signal::HostFunction);
  check("program", waitFor<Sleeping>, Signal::Program);
  check("together", waitTogether, Signal::Program);
  check("warps", waitByWarps, Signal::Kernel);
  return verdict("waits_streams");
}
