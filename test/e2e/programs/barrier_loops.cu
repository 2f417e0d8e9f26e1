//===- barrier_loops.cu - Barriers in nested loops --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers are under loops whose trip counts are the same for all threads, but
// known only at run time; with continue, an inner loop, and loop-carried values.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' --coarsen='*:fuse.x=3,block.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=3,block.x=2' timeout 60 %t
#include "expect.h"

constexpr int threads = 96;

__global__ void rotate(int *out, int rounds, int skip) {
  __shared__ int ring[threads];
  int tid = threadIdx.x, carried = 0;
  ring[tid] = tid + 100 * blockIdx.x;
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    if (round == skip)
      continue;
    int k = 0;
    do {
      int neighbour = ring[(tid + 1) % blockDim.x];
      carried += neighbour * (round + 1);
      __syncthreads();
      ring[tid] = neighbour + k;
      __syncthreads();
    } while (++k < round % 3);
    if (round % 2) {
      if (tid == 0)
        ring[round % blockDim.x] += 1000;
      __syncthreads();
    }
  }
  out[blockIdx.x * blockDim.x + tid] = carried + ring[tid];
}

static std::vector<int> reference(int block, int rounds, int skip) {
  std::vector<int> ring(threads), carried(threads);
  for (int t = 0; t < threads; ++t)
    ring[t] = t + 100 * block;
  for (int round = 0; round < rounds; ++round) {
    if (round == skip)
      continue;
    int k = 0;
    do {
      std::vector<int> next(threads);
      for (int t = 0; t < threads; ++t) {
        next[t] = ring[(t + 1) % threads] + k;
        carried[t] += ring[(t + 1) % threads] * (round + 1);
      }
      ring = next;
    } while (++k < round % 3);
    if (round % 2)
      ring[round % threads] += 1000;
  }
  for (int t = 0; t < threads; ++t)
    carried[t] += ring[t];
  return carried;
}

int main() {
  constexpr int blocks = 5;
  DeviceArray<int> out(blocks * threads);
  rotate<<<blocks, threads>>>(out, 11, 4);
  auto got = out.host();
  for (int block = 0; block < blocks; ++block) {
    auto wanted = reference(block, 11, 4);
    for (int t = 0; t < threads; ++t)
      expectEqual("out", block * threads + t, got[block * threads + t], wanted[t]);
  }
  return verdict("barrier_loops");
}
