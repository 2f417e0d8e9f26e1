//===- branch_votes.cu - Votes of the active lanes --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __activemask returns lanes that are at the same instruction, perhaps not all
// of them, and never one that is in another branch.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O3 --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' --coarsen='*:block.x=3' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=3' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

constexpr int blocks = 4, threads = 128, total = blocks * threads;

// One of the active lanes adds for all of them.
__device__ int draw(int *counter) {
  unsigned lanes = __activemask(), lane = threadIdx.x % 32, leader = __ffs(lanes) - 1;
  int first = 0;
  if (lane == leader)
    first = atomicAdd(counter, __popc(lanes));
  return __shfl_sync(lanes, first, leader) + __popc(lanes & ((1u << lane) - 1));
}

__global__ void oneBranch(int *counter, int *drawn) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t % 3 == 0)
    drawn[t] = draw(counter);
}

__global__ void bothBranches(int *counter, int *drawn) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t % 3 == 0)
    drawn[t] = draw(counter);
  else
    drawn[t] = draw(counter);
}

// The call is beside a vote that names its lanes.
__global__ void namesNoOther(unsigned *out) {
  unsigned lane = threadIdx.x % 32, lanes;
  if (lane < 8)
    lanes = __activemask() & ~0xffu;
  else if (lane < 16)
    lanes = __ballot_sync(0xff00, lane & 1) ^ 0xaa00;
  else
    lanes = __activemask() & 0xffff;
  out[threadIdx.x] = lanes;
}

static void expectEach(const char *what, const std::vector<int> &drawn, int step, int count) {
  std::vector<int> times(count);
  for (int t = 0; t < total; t += step)
    if (drawn[t] >= 0 && drawn[t] < count)
      ++times[drawn[t]];
  for (int i = 0; i < count; ++i)
    expectEqual(what, i, times[i], 1);
}

int main() {
  DeviceArray<int> counters(2), drawn(total);
  oneBranch<<<blocks, threads>>>(counters, drawn);
  expectEach("drawn in one branch", drawn.host(), 3, (total + 2) / 3);
  bothBranches<<<blocks, threads>>>(counters + 1, drawn);
  expectEach("drawn in both branches", drawn.host(), 1, total);
  DeviceArray<unsigned> lanes(threads);
  namesNoOther<<<1, threads>>>(lanes);
  auto got = lanes.host();
  for (int t = 0; t < threads; ++t)
    expectEqual("lanes of other branches", t, got[t], 0u);
  return verdict("branch_votes");
}
