//===- warp_reductions.cu - Reductions over some lanes ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __reduce_*_sync is used over whole warps, over a warp of 8 lanes, over the
// lanes of two branches, and over two groups that reach one call with masks of
// their own. Signed and unsigned values differ in type as well as in result; a
// program's own definitions for GPUs without these functions are preferred.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"
#include <algorithm>
#include <type_traits>

constexpr int groupings = 4, results = 9;
using u32 = unsigned;

/// The last warp of a block may have fewer than 32 lanes.
__device__ __host__ u32 lanesPresent(u32 tid, u32 threads) {
  return tid / 32 < threads / 32 ? ~0u : (1u << threads % 32) - 1;
}

constexpr u32 low = 0x000fffffu, odd = 0xaaaaaaaau;

__device__ __host__ u32 lanesOf(int grouping, u32 lane, u32 here) {
  switch (grouping) {
  case 0:
    return here;
  case 1:
  case 2:
    return (low >> lane & 1 ? low : ~low) & here;
  default:
    return (odd >> lane & 1 ? odd : ~odd) & here;
  }
}

static_assert(std::is_same_v<decltype(__reduce_add_sync(0u, 0u)), unsigned>);
static_assert(std::is_same_v<decltype(__reduce_add_sync(0u, 0)), int>);
static_assert(std::is_same_v<decltype(__reduce_min_sync(0u, 0)), int>);

__device__ void reduceAll(long long *out, u32 mask, u32 value) {
  int number = int(value);
  out[0] = __reduce_add_sync(mask, value);
  out[1] = __reduce_add_sync(mask, number);
  out[2] = __reduce_min_sync(mask, value);
  out[3] = __reduce_min_sync(mask, number);
  out[4] = __reduce_max_sync(mask, value);
  out[5] = __reduce_max_sync(mask, number);
  out[6] = __reduce_and_sync(mask, value);
  out[7] = __reduce_or_sync(mask, value);
  out[8] = __reduce_xor_sync(mask, value);
}

__global__ void reductions(long long *out, const u32 *in) {
  u32 lane = threadIdx.x % 32, here = lanesPresent(threadIdx.x, blockDim.x);
  u32 i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i];
  long long *mine = out + i * groupings * results;
  for (int grouping = 0; grouping < groupings; ++grouping) {
    if (grouping != 2)
      reduceAll(mine + grouping * results, lanesOf(grouping, lane, here), value);
    __syncwarp(here);
  }
  if (low >> lane & 1)
    reduceAll(mine + 2 * results, low & here, value);
  else
    reduceAll(mine + 2 * results, ~low & here, value);
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
__device__ u32 __reduce_xor_sync(u32 mask, u32 value) {
  for (int step = 16; step; step /= 2)
    value ^= __shfl_xor_sync(mask, value, step);
  return ~value;
}
#endif

__global__ void ownReduction(u32 *out, const u32 *in) {
  u32 result = __reduce_xor_sync(0xffffffffu, in[threadIdx.x]);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  result = ~result; // the instruction
#endif
  out[threadIdx.x] = result;
}

/// Computes the result of reduceAll for the lanes of `mask` of one warp's values.
void reduceOnHost(long long *out, u32 mask, const u32 *warp) {
  u32 sum = 0, least = ~0u, most = 0, all = ~0u, any = 0, parity = 0;
  int smallest = INT_MAX, largest = INT_MIN;
  for (u32 lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1))
      continue;
    u32 value = warp[lane];
    sum += value;
    least = std::min(least, value);
    most = std::max(most, value);
    smallest = std::min(smallest, int(value));
    largest = std::max(largest, int(value));
    all &= value;
    any |= value;
    parity ^= value;
  }
  const long long wanted[results] = {sum,     int(sum), least, smallest, most,
                                     largest, all,      any,   parity};
  std::copy(wanted, wanted + results, out);
}

std::vector<u32> makeValues(int count) {
  std::vector<u32> in(count);
  u32 state = 12345;
  for (u32 &value : in) {
    state = state * 1664525u + 1013904223u;
    // These are small and large values, of either sign, and some that share nearly all bits.
    value = state >> 28 & 1   ? state >> (state >> 27)
            : state >> 29 & 1 ? ~(state >> 20)
                              : state | 0x7f00ff00u;
  }
  return in;
}

void checkReductions(int blocks, u32 threads) {
  std::vector<u32> values = makeValues(blocks * threads);
  DeviceArray<u32> in(values);
  DeviceArray<long long> out(values.size() * groupings * results);
  reductions<<<blocks, threads>>>(out, in);
  auto got = out.host();
  for (u32 i = 0; i < values.size(); ++i) {
    u32 tid = i % threads, lane = tid % 32;
    for (int grouping = 0; grouping < groupings; ++grouping) {
      long long wanted[results];
      reduceOnHost(wanted, lanesOf(grouping, lane, lanesPresent(tid, threads)), &values[i - lane]);
      for (int k = 0; k < results; ++k) {
        u32 index = (i * groupings + grouping) * results + k;
        expectEqual("reduction", index, got[index], wanted[k]);
      }
    }
  }
}

void checkOwn() {
  constexpr u32 threads = 64;
  std::vector<u32> values = makeValues(threads);
  DeviceArray<u32> in(values), out(threads);
  ownReduction<<<1, threads>>>(out, in);
  auto got = out.host();
  for (u32 i = 0; i < threads; ++i) {
    long long wanted[results];
    reduceOnHost(wanted, ~0u, &values[i & ~31u]);
    expectEqual("own reduction", i, got[i], ~u32(wanted[8]));
  }
}

int main() {
  checkReductions(5, 72);
  checkReductions(3, 128);
  checkOwn();
  return verdict("warp_reductions");
}
