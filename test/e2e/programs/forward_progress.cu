//===- forward_progress.cu - Threads that wait ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of one block spin on flags that other threads set: in another warp, in
// the same warp, and in a chain through the whole block. Each must make progress.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

constexpr int threads = 64;

__global__ void waitForOther(int *out, int setter) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (flag == 0) {
    }
    out[0] = flag;
  } else if (threadIdx.x == setter) {
    flag = 40 + setter;
  }
}

__global__ void chain(int *out) {
  __shared__ volatile int turn;
  if (threadIdx.x == 0)
    turn = blockDim.x - 1;
  __syncthreads();
  while (turn != threadIdx.x) {
  }
  out[threadIdx.x] = turn * 2;
  __threadfence_block();
  turn = turn - 1;
}

__global__ void spinLock(int *lock, int *sum) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *(volatile int *)sum = *(volatile int *)sum + threadIdx.x;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

// The polled word itself counts the polls, far below the bit that ends them.
template <typename T> __global__ void countLooks(T *word, int *out, T end) {
  constexpr T bit = T(1) << (8 * sizeof(T) - 4);
  if (threadIdx.x == 0) {
    while (atomicAdd(word, T(1)) < (sizeof(T) == 8 ? end : bit)) {
    }
    out[1] = ((volatile int *)out)[0];
  } else if (threadIdx.x == 33) {
    ((volatile int *)out)[0] = 77;
    __threadfence();
    atomicOr(word, bit);
  }
}

int main() {
  DeviceArray<int> out(threads), lock(1), sum(1);
  for (int setter : {33, 1}) {
    waitForOther<<<1, threads>>>(out, setter);
    expectEqual("flag", setter, out.host()[0], 40 + setter);
  }
  chain<<<1, threads>>>(out);
  auto got = out.host();
  for (int t = 0; t < threads; ++t)
    expectEqual("chain", t, got[t], 2 * t);
  spinLock<<<3, threads>>>(lock, sum);
  expectEqual("sum under the lock", 0, sum.host()[0], 3 * threads * (threads - 1) / 2);
  DeviceArray<unsigned> narrow(1);
  countLooks<unsigned><<<1, threads>>>(narrow, out, 0);
  expectEqual("looks at 32 bits", 0, out.host()[1], 77);
  DeviceArray<unsigned long long> wide(1);
  countLooks<unsigned long long><<<1, threads>>>(wide, out, 1ull << 60);
  expectEqual("looks at 64 bits", 0, out.host()[1], 77);
  return verdict("forward_progress");
}
