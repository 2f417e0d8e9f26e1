//===- warp_aggregate.cu - One atomic for all active lanes ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine determines which lanes __activemask finds together; each lane
// gets a place of its own, and the total is right, on any machine.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"
#include <cooperative_groups.h>

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

// The others have no value of their own, and pass it nevertheless.
__device__ int placeByShuffle(int *total) {
  unsigned int active = __activemask();
  int lane = threadIdx.x % 32, leader = __ffs(active) - 1, first;
  if (lane == leader)
    first = atomicAdd(total, __popc(active));
  return __shfl_sync(active, first, leader) + __popc(active & ((1u << lane) - 1));
}

template <class T> __device__ T fromLane(unsigned int mask, T value, int lane) {
  return __shfl_sync(mask, value, lane);
}

__device__ int placeByFunction(int *total) {
  unsigned int active = __activemask();
  int lane = threadIdx.x % 32, leader = __ffs(active) - 1, first;
  if (lane == leader)
    first = atomicAdd(total, __popc(active));
  return fromLane(active, first, leader) + __popc(active & ((1u << lane) - 1));
}

__device__ int placeByGroup(int *total) {
  cooperative_groups::coalesced_group group = cooperative_groups::coalesced_threads();
  int first;
  if (group.thread_rank() == 0)
    first = atomicAdd(total, group.size());
  return group.shfl(first, 0) + group.thread_rank();
}

template <int (*place)(int *)> __global__ void aggregateBy(int *total, int *seen) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 3 == 0)
    atomicAdd(&seen[place(total)], 1);
}

void check(const char *what, void (*kernel)(int *, int *)) {
  constexpr int wanted = (threads * blocks + 2) / 3;
  // It is as large as if each lane had taken places for all.
  DeviceArray<int> total(1), seen(32 * wanted);
  kernel<<<blocks, threads>>>(total, seen);
  expectEqual(what, -1, total.host()[0], wanted);
  auto places = seen.host();
  for (int i = 0; i < wanted; ++i)
    expectEqual(what, i, places[i], 1);
}

int main() {
  check("initialised", aggregate);
  check("shuffle", aggregateBy<placeByShuffle>);
  check("function", aggregateBy<placeByFunction>);
  check("group", aggregateBy<placeByGroup>);
  return verdict("warp_aggregate");
}
