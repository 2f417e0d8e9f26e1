//===- waits.cu - Progress of threads in every kind of wait -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread waits for one of another warp, for one of its own warp, and for one
// of another block, which comes later in the order in which they begin. Each
// way to wait is tried with memory of the block and with global memory. The
// machine may be able to run only one block at a time.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 -o %t.3 %s
// RUN: timeout 60 %t.3
// RUN: env REGRAIN_NUM_THREADS=1 timeout 60 %t.3
// RUN: %regrain cc --targets=cpu -O0 -o %t.0 %s
// RUN: timeout 60 %t.0
// RUN: env REGRAIN_NUM_THREADS=1 timeout 60 %t.0
#include "expect.h"
#include "waits.h"

constexpr int threads = 96, blocks = 6;

/// The first thread waits for thread `setter`; another one works meanwhile.
template <class Wait> __global__ void inBlock(int *word, int *out, int setter, bool isShared) {
  __shared__ int own;
  own = 0;
  __syncthreads();
  int *flag = isShared ? &own : word;
  if (threadIdx.x == 0) {
    Wait::wait(flag);
    out[0] = 7;
  } else if (threadIdx.x == setter) {
    __threadfence();
    atomicExch(flag, 7);
  } else {
    out[threadIdx.x] = threadIdx.x;
  }
}

/// Each block but the last waits for the one that begins after it.
template <class Wait> __global__ void acrossBlocks(int *words, int *out) {
  if (threadIdx.x == 0) {
    if (blockIdx.x + 1 < gridDim.x)
      Wait::wait(words + blockIdx.x);
    if (blockIdx.x > 0)
      atomicExch(words + blockIdx.x - 1, 7);
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x + 1;
}

template <class Wait> void check(const char *name) {
  for (int setter : {1, 64})
    for (bool isShared : {false, true}) {
      DeviceArray<int> word(1), out(threads);
      inBlock<Wait><<<1, threads>>>(word, out, setter, isShared);
      auto got = out.host();
      for (int t = 0; t < threads; ++t)
        expectEqual(name, t, got[t], t == 0 ? 7 : t == setter ? 0 : t);
    }
  DeviceArray<int> words(blocks), out(blocks * 32);
  acrossBlocks<Wait><<<blocks, 32>>>(words, out);
  auto got = out.host();
  for (int i = 0; i < blocks * 32; ++i)
    expectEqual(name, i, got[i], i / 32 + 1);
}

int main() {
#define CHECK_WAIT(NAME) check<NAME>(#NAME);
  FOR_EACH_WAIT(CHECK_WAIT)
  return verdict("waits");
}
