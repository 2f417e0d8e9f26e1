//===- waiting_allocas.cu - Stack memory across barriers --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The size of the stack memory differs from thread to thread, with a barrier
// between the write and the read, in a function and a loop.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

constexpr int threads = 48, blocks = 3;

__device__ __noinline__ int sumBehindBarrier(int index, int count) {
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    int *own = static_cast<int *>(alloca((count + round) * sizeof(int)));
    for (int i = 0; i < count + round; ++i)
      own[i] = index + i;
    __syncthreads();
    for (int i = 0; i < count; ++i)
      sum = sum * 2 + own[i];
  }
  return sum;
}

__global__ void acrossBarriers(int *out) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  out[index] = sumBehindBarrier(index, 1 + index % 5);
}

int main() {
  DeviceArray<int> sums(blocks * threads);
  acrossBarriers<<<blocks, threads>>>(sums);
  auto sum = sums.host();
  for (int index = 0; index < blocks * threads; ++index) {
    int wanted = 0;
    for (int round = 0; round < 3; ++round)
      for (int i = 0; i < 1 + index % 5; ++i)
        wanted = wanted * 2 + index + i;
    expectEqual("across barriers", index, sum[index], wanted);
  }
  return verdict("waiting_allocas");
}
