//===- warp_memory.cu - Lanes that share memory -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __syncwarp orders the lanes' accesses: there is a prefix sum inside each
// warp, in a branch that only some warps take and in a loop.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

constexpr int threads = 160;

__global__ void prefixSums(int *out) {
  __shared__ int value[threads];
  int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  value[tid] = tid % 7 + 1;
  __syncwarp();
  if (warp != 2) {
    for (int step = 1; step < 32; step *= 2) {
      int left = lane >= step ? value[tid - step] : 0;
      __syncwarp();
      value[tid] += left;
      __syncwarp();
    }
  }
  __syncthreads();
  out[tid] = value[threads - 1 - tid];
}

int main() {
  DeviceArray<int> out(threads);
  prefixSums<<<1, threads>>>(out);
  auto got = out.host();
  for (int tid = 0; tid < threads; ++tid) {
    int sum = 0;
    for (int k = tid / 32 == 2 ? tid : tid / 32 * 32; k <= tid; ++k)
      sum += k % 7 + 1;
    expectEqual("prefix sum", tid, got[threads - 1 - tid], sum);
  }
  return verdict("warp_memory");
}
