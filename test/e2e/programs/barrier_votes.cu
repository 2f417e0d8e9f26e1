//===- barrier_votes.cu - Barriers that count -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __syncthreads_count, _and and _or are used alone and as the condition of a loop.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

constexpr int threads = 80;

__global__ void votes(int *out, int limit) {
  int tid = threadIdx.x;
  int *mine = out + tid * 5;
  mine[0] = __syncthreads_count(tid < limit);
  mine[1] = __syncthreads_and(tid < limit) != 0;
  mine[2] = __syncthreads_or(tid == limit) != 0;
  int rounds = 0, left = tid % 13;
  while (__syncthreads_or(left > 0)) {
    --left;
    ++rounds;
  }
  mine[3] = rounds;
  mine[4] = __syncthreads_count(limit > 0); // the same for all threads
}

int main() {
  for (int limit : {0, 37, threads}) {
    DeviceArray<int> out(threads * 5);
    votes<<<1, threads>>>(out, limit);
    auto got = out.host();
    for (int t = 0; t < threads; ++t) {
      expectEqual("count", t, got[t * 5], limit);
      expectEqual("and", t, got[t * 5 + 1], limit == threads);
      expectEqual("or", t, got[t * 5 + 2], limit < threads);
      expectEqual("rounds", t, got[t * 5 + 3], 12);
      expectEqual("uniform", t, got[t * 5 + 4], limit > 0 ? threads : 0);
    }
  }
  return verdict("barrier_votes");
}
