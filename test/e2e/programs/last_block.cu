//===- last_block.cu - The last block adds up -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks publish partial sums before a fence and count themselves; the last one
// adds up. This needs no order of the blocks.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

constexpr int threads = 128, blocks = 37, n = 10001;

__device__ unsigned int finished;

__global__ void sum(long long *partial, const int *data, long long *total) {
  __shared__ long long scratch[threads];
  __shared__ bool last;
  long long mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += data[i];
  scratch[threadIdx.x] = mine;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      scratch[threadIdx.x] += scratch[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = scratch[0];
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    long long all = 0;
    for (int b = 0; b < gridDim.x; ++b)
      all += ((volatile long long *)partial)[b];
    *total = all;
  }
}

int main() {
  std::vector<int> data(n);
  long long wanted = 0;
  for (int i = 0; i < n; ++i)
    wanted += data[i] = i * 7919 % 1000;
  DeviceArray<int> input(data);
  DeviceArray<long long> partial(blocks), total(1);
  for (int run = 0; run < 3; ++run) {
    sum<<<blocks, threads>>>(partial, input, total);
    expectEqual("total", run, total.host()[0], wanted);
  }
  return verdict("last_block");
}
