//===- barrier_exits.cu - Barriers after threads have left ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads return before a barrier, at different times; the barrier waits for
// the remaining ones.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=4' --coarsen='*:thread.x=2' --coarsen='*:fuse.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=4' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=2' timeout 60 %t
#include "expect.h"

constexpr int threads = 100;

__global__ void earlyReturn(int *out, int n) {
  __shared__ int value[threads];
  int tid = threadIdx.x;
  if (tid >= n)
    return;
  value[tid] = tid * tid;
  __syncthreads();
  out[tid] = value[n - 1 - tid];
}

__global__ void leaveOneByOne(int *out, int rounds) {
  __shared__ int value[threads];
  int tid = threadIdx.x, sum = 0;
  value[tid] = tid;
  for (int round = 0; round < rounds; ++round) {
    if (tid == blockDim.x - 1 - round) {
      out[tid] = -sum;
      return;
    }
    __syncthreads();
    int left = value[tid ? tid - 1 : 0];
    __syncthreads();
    value[tid] = left + round;
    sum += value[tid];
  }
  out[tid] = sum;
}

// One thread fills what another reads, and returns.
__global__ void fillAndLeave(int *out) {
  __shared__ int value[threads];
  int tid = threadIdx.x;
  value[tid] = blockIdx.x * threads + tid;
  if (tid % 2)
    return;
  __syncthreads();
  out[blockIdx.x * threads + tid] = value[tid + 1];
}

// Behind the guard, a value is not 0 that is 0 in a block whose threads all return.
__global__ void remainderOfRest(unsigned *out, unsigned n) {
  __shared__ unsigned value[threads];
  unsigned tid = threadIdx.x, first = blockIdx.x * threads;
  if (first + tid >= n)
    return;
  unsigned rest = min(unsigned(threads), n - first);
  value[tid] = first + tid;
  __syncthreads();
  out[first + tid] = value[(tid + 7) % rest];
}

int main() {
  DeviceArray<int> out(threads);
  earlyReturn<<<1, threads>>>(out, 77);
  auto got = out.host();
  for (int t = 0; t < threads; ++t)
    expectEqual("earlyReturn", t, got[t], t < 77 ? (76 - t) * (76 - t) : 0);

  constexpr int rounds = 7;
  leaveOneByOne<<<1, threads>>>(out, rounds);
  got = out.host();
  std::vector<int> value(threads), sum(threads), wanted(threads);
  for (int t = 0; t < threads; ++t)
    value[t] = t;
  for (int round = 0; round < rounds; ++round) {
    int gone = threads - 1 - round;
    wanted[gone] = -sum[gone];
    std::vector<int> next(value);
    for (int t = 0; t < gone; ++t) {
      next[t] = value[t ? t - 1 : 0] + round;
      sum[t] += next[t];
    }
    value = next;
  }
  for (int t = 0; t < threads - rounds; ++t)
    wanted[t] = sum[t];
  for (int t = 0; t < threads; ++t)
    expectEqual("leaveOneByOne", t, got[t], wanted[t]);

  constexpr int blocks = 5;
  DeviceArray<int> pairs(blocks * threads);
  fillAndLeave<<<blocks, threads>>>(pairs);
  got = pairs.host();
  for (int i = 0; i < blocks * threads; i += 2)
    expectEqual("fillAndLeave", i, got[i], i + 1);

  constexpr unsigned n = 3 * threads;
  DeviceArray<unsigned> rotated(blocks * threads);
  remainderOfRest<<<blocks, threads>>>(rotated, n);
  auto values = rotated.host();
  for (unsigned i = 0; i < n; ++i) {
    unsigned first = i / threads * threads, rest = std::min<unsigned>(threads, n - first);
    expectEqual("remainderOfRest", i, values[i], first + (i % threads + 7) % rest);
  }
  return verdict("barrier_exits");
}
