//===- thread_races.cu - Races behind barriers ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -fsanitize=thread finds races behind any number of barriers, in blocks of more threads
// than ThreadSanitizer has slots, and is silent where threads are ordered.
//
//===----------------------------------------------------------------------===//
// REQUIRES: sanitizers
// RUN: %regrain cc --targets=cpu -std=c++17 -fsanitize=thread -o %t %s
// RUN: timeout 60 %t 2>&1 | FileCheck %s --check-prefix=GOOD
// RUN: not timeout 60 %t behind 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not timeout 60 %t loop 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not timeout 60 %t reduction 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not timeout 60 %t warps 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not timeout 60 %t rounds 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not timeout 60 %t mask 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not timeout 60 %t tile 2>&1 | FileCheck %s --check-prefix=RACE
//
// GOOD-NOT: WARNING
// GOOD: thread_races: ok
// RACE: ThreadSanitizer: data race
// RACE: thread_races.cu:
#include "expect.h"
#include <cooperative_groups.h>
#include <cstring>
#include <cuda/barrier>
#include <cuda_pipeline.h>
#include <utility>

namespace cg = cooperative_groups;

constexpr int threads = 512;

__global__ void behind(int *data, bool waits) {
  int t = threadIdx.x;
  __syncthreads();
  data[t] = 1;
  if (waits)
    __syncthreads();
  data[threads - 1 - t] += 2;
}

__global__ void loop(int *data, bool waits) {
  __shared__ int tile[threads];
  for (int round = 0; round < 10; ++round) {
    tile[threadIdx.x] = round;
    __syncthreads();
    data[threadIdx.x] = tile[threadIdx.x ^ 1];
    if (waits)
      __syncthreads();
  }
}

__global__ void reduction(int *data, bool waits) {
  __shared__ int tile[threads];
  tile[threadIdx.x] = 1;
  __syncthreads();
  for (int half = threads / 2; half; half /= 2) {
    if (threadIdx.x < half)
      tile[threadIdx.x] += tile[threadIdx.x + half];
    if (waits || half != 64)
      __syncthreads();
  }
  if (threadIdx.x == 0)
    data[0] = tile[0];
}

/// __syncwarp orders no threads of other warps.
__global__ void warps(int *data, int *other, int partner) {
  __syncthreads();
  data[threadIdx.x] = threadIdx.x;
  __syncwarp();
  other[threadIdx.x] = data[threadIdx.x ^ partner];
}

/// However often each of the warps waits for itself. With three warps, a few places that were used
/// in turn would each serve all of them.
__global__ void rounds(int *data, int *other, int reader) {
  if (threadIdx.x == 0)
    data[0] = 1;
  for (int i = 0; i < 2000; ++i)
    __syncwarp();
  if (threadIdx.x == reader)
    other[0] = data[0];
}

/// __syncwarp orders the lanes of its mask alone.
__global__ void mask(int *data, int *other, int partner) {
  __syncthreads();
  data[threadIdx.x] = threadIdx.x;
  __syncwarp(threadIdx.x < 16 ? 0xffffu : 0xffff0000u);
  other[threadIdx.x] = data[threadIdx.x ^ partner];
}

__global__ void tile(int *data, int *other, int partner) {
  auto group = cg::tiled_partition<8>(cg::this_thread_block());
  __syncthreads();
  data[threadIdx.x] = threadIdx.x;
  group.sync();
  other[threadIdx.x] = data[threadIdx.x ^ partner];
}

__global__ void shuffles(int *data) {
  __shared__ int sums[threads / 32];
  int value = 1;
  for (int offset = 16; offset; offset /= 2)
    value += __shfl_xor_sync(~0u, value, offset);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = value;
  __syncthreads();
  atomicAdd(data + 1, sums[(threadIdx.x / 32) ^ 1]);
}

__global__ void phases(int *data) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int tile[threads];
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    tile[threadIdx.x] = round;
    barrier.arrive_and_wait();
    data[threadIdx.x] = tile[threads - 1 - threadIdx.x];
    barrier.wait(barrier.arrive());
  }
}

__global__ void copies(const int *data, int *other) {
  __shared__ int tiles[2][threads];
  for (int round = 0; round < 4; ++round) {
    int *tile = tiles[round % 2];
    __pipeline_memcpy_async(tile + threadIdx.x, data + threadIdx.x, sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    other[threadIdx.x] = tile[threads - 1 - threadIdx.x];
  }
}

int main(int count, char **arguments) {
  auto isAsked = [&](const char *what) { return count > 1 && !std::strcmp(arguments[1], what); };
  DeviceArray<int> data(threads), other(threads);
  behind<<<1, threads>>>(data, !isAsked("behind"));
  loop<<<1, threads>>>(data, !isAsked("loop"));
  warps<<<1, threads>>>(data, other, isAsked("warps") ? 32 : 31);
  rounds<<<1, 96>>>(data, other, isAsked("rounds") ? 32 : 31);
  mask<<<1, 32>>>(data, other, isAsked("mask") ? 16 : 15);
  tile<<<1, threads>>>(data, other, isAsked("tile") ? 8 : 7);
  phases<<<1, threads>>>(data);
  copies<<<1, threads>>>(data, other);
  shuffles<<<1, threads>>>(data);
  reduction<<<1, threads>>>(data, !isAsked("reduction"));
  expectEqual("error", 0, int(cudaDeviceSynchronize()), int(cudaSuccess));
  expectEqual("sum", 0, data.host()[0], threads);
  return verdict("thread_races");
}
