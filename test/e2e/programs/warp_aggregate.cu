//===- warp_aggregate.cu - One atomic for all active lanes ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lanes __activemask finds together is up to the machine; that each lane gets a
// place of its own, and that the total is right, is not.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' -o %t.block %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t.block
// RUN: timeout 60 %t.block
// RUN: %regrain cc --targets=cpu --coarsen='*:thread.x=2' -o %t.thread %s
// RUN: timeout 60 %t.thread
#include "expect.h"

constexpr int threads = 256, blocks = 3;

__global__ void aggregate(int *total, int *seen) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 3 == 0) {
    unsigned int active = __activemask();
    int lane = threadIdx.x % 32;
    int leader = __ffs(active) - 1;
    int first = 0;
    if (lane == leader)
      first = atomicAdd(total, __popc(active));
    first = __shfl_sync(active, first, leader);
    int place = first + __popc(active & ((1u << lane) - 1));
    atomicAdd(&seen[place], 1);
  }
}

int main() {
  constexpr int wanted = (threads * blocks + 2) / 3;
  DeviceArray<int> total(1), seen(wanted);
  aggregate<<<blocks, threads>>>(total, seen);
  expectEqual("total", 0, total.host()[0], wanted);
  auto places = seen.host();
  for (int i = 0; i < wanted; ++i)
    expectEqual("place", i, places[i], 1);
  return verdict("warp_aggregate");
}
