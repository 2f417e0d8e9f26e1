//===- warp_synchronous.cu - Lanes in lockstep ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Volatile accesses to memory without __syncwarp, as code before
// compute capability 7.0 has them: trees, prefix sums in place, a branch and a
// loop that some lanes leave before others, and lanes of one warp that wait for
// each other.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='sums:block.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='sums:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='sums:block.x=2' timeout 60 %t
#include "expect.h"

constexpr int threads = 96;

template <class T> __device__ void addTree(volatile T *values, int tid) {
  for (int step = 32; step; step /= 2)
    values[tid] += values[tid + step];
}

// Each lane also reads what other lanes have overwritten in the step before.
__device__ int addBefore(int value, volatile int *values) {
  int place = 2 * threadIdx.x - (threadIdx.x & 31);
  values[place] = 0;
  place += 32;
  values[place] = value;
  for (int step = 1; step < 32; step *= 2) {
    int left = values[place - step];
    value += left;
    values[place] = value;
  }
  return values[place - 1];
}

__global__ void sums(const int *in, int *work, int *tree, int *before) {
  __shared__ int values[128];
  __shared__ int halves[2 * threads];
  int tid = threadIdx.x, at = blockIdx.x * threads + tid;
  values[tid] = in[at];
  if (tid < 32)
    values[threads + tid] = 0;
  before[at] = addBefore(in[at], halves);
  __syncthreads();
  if (tid < 32)
    addTree(values, tid);
  work += blockIdx.x * 128;
  work[tid] = in[at];
  __syncthreads();
  if (tid < 32)
    addTree(work, tid);
  __syncthreads();
  tree[at] = values[0] - 2 * work[0];
}

// Every second lane takes a branch, and lanes stay in the loop for different times.
__global__ void apart(int *out) {
  __shared__ volatile int values[threads];
  int tid = threadIdx.x, other = tid ^ 1;
  values[tid] = tid;
  if (tid & 1) {
    values[tid] = values[other] + 100;
    values[other] = 5;
  }
  int taken = values[other];
  for (int turn = 0; turn < tid % 3; ++turn)
    values[tid] = values[tid] + 1;
  int late = values[other];
  values[other] = late + taken;
  out[blockIdx.x * threads + tid] = values[tid];
}

// Lanes that step in a loop wait for others of their warp that have not been there, or are behind it.
__global__ void handOn(int *out) {
  __shared__ volatile int flags[2], turns[32];
  int lane = threadIdx.x;
  if (lane < 2)
    flags[lane] = 0;
  __syncthreads();
  if (lane & 1) {
    while (!flags[0])
      turns[lane] = lane;
    flags[1] = 1;
  } else {
    turns[lane] = -lane;
    flags[0] = 1;
    while (!flags[1])
      turns[lane] = lane;
  }
  __syncthreads();
  out[lane] = flags[0] + flags[1];
}

int main() {
  constexpr int blocks = 4, n = blocks * threads;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i)
    in[i] = i * 7 % 31 - 9;
  DeviceArray<int> input(in), work(blocks * 128), tree(n), before(n), parted(n), handed(32);
  sums<<<blocks, threads>>>(input, work, tree, before);
  apart<<<blocks, threads>>>(parted);
  handOn<<<1, 32>>>(handed);
  auto trees = tree.host(), befores = before.host(), aparts = parted.host(), flags = handed.host();
  for (int i = 0; i < n; ++i) {
    int block = i / threads * threads, all = 0, sum = 0, tid = i % threads, other = tid ^ 1;
    for (int k = block; k < block + 64; ++k)
      all += in[k];
    for (int k = block + tid / 32 * 32; k < i; ++k)
      sum += in[k];
    expectEqual("tree", i, trees[i], -all);
    expectEqual("sum before", i, befores[i], sum);
    // What lanes hold behind the branch: the even one 5, the odd one the even one's number + 100.
    auto held = [](int lane) { return lane & 1 ? lane - 1 + 100 : 5; };
    expectEqual("apart", i, aparts[i], held(tid) + tid % 3 + held(tid));
  }
  for (int lane = 0; lane < 32; ++lane)
    expectEqual("handed on", lane, flags[lane], 2);
  return verdict("warp_synchronous");
}
