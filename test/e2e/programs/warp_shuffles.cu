//===- warp_shuffles.cu - Shuffles under warp-uniform ifs -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All four shuffles are used, with several types and widths, in a branch that
// whole warps take, and in a loop whose trip count differs from warp to warp.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' --coarsen='*:fuse.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=2' timeout 60 %t
#include "expect.h"

constexpr int threads = 128;

__global__ void shuffles(int *ints, double *doubles, long long *longs, float *sums) {
  int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  if (warp % 2 == 1) {
    ints[tid] = __shfl_sync(0xffffffffu, tid * 10, 5);
    ints[threads + tid] = __shfl_up_sync(0xffffffffu, tid, 3);
    ints[2 * threads + tid] = __shfl_down_sync(0xffffffffu, tid, 4, 8);
    ints[3 * threads + tid] = __shfl_xor_sync(0xffffffffu, tid, 6, 16);
  } else {
    ints[tid] = __shfl_sync(0xffffffffu, tid, lane + 1);
    ints[threads + tid] = __shfl_up_sync(0xffffffffu, tid, 2, 4);
    ints[2 * threads + tid] = __shfl_down_sync(0xffffffffu, tid, 31);
    ints[3 * threads + tid] = __shfl_sync(0xffffffffu, tid, lane + 5, 8);
  }
  doubles[tid] = __shfl_down_sync(0xffffffffu, tid + 0.5, 1);
  longs[tid] = __shfl_xor_sync(0xffffffffu, (1ll << 40) + tid, 1);

  float sum = 0;
  for (int round = 0; round <= warp; ++round) {
    float value = float(tid + round);
    for (int step = 16; step > 0; step /= 2)
      value += __shfl_xor_sync(0xffffffffu, value, step);
    sum += value;
  }
  sums[tid] = sum;
}

int main() {
  DeviceArray<int> ints(4 * threads);
  DeviceArray<double> doubles(threads);
  DeviceArray<long long> longs(threads);
  DeviceArray<float> sums(threads);
  shuffles<<<1, threads>>>(ints, doubles, longs, sums);
  auto i = ints.host();
  auto d = doubles.host();
  auto l = longs.host();
  auto s = sums.host();
  for (int tid = 0; tid < threads; ++tid) {
    int lane = tid % 32, warp = tid / 32, first = warp * 32;
    if (warp % 2 == 1) {
      expectEqual("shfl", tid, i[tid], (first + 5) * 10);
      expectEqual("shfl_up", tid, i[threads + tid], lane >= 3 ? tid - 3 : tid);
      expectEqual("shfl_down width 8", tid, i[2 * threads + tid], lane % 8 < 4 ? tid + 4 : tid);
      expectEqual("shfl_xor width 16", tid, i[3 * threads + tid], first + (lane ^ 6));
    } else {
      expectEqual("shfl wraps", tid, i[tid], first + (lane + 1) % 32);
      expectEqual("shfl_up width 4", tid, i[threads + tid], lane % 4 >= 2 ? tid - 2 : tid);
      expectEqual("shfl_down 31", tid, i[2 * threads + tid], lane == 0 ? tid + 31 : tid);
      expectEqual("shfl width 8", tid, i[3 * threads + tid], first + lane / 8 * 8 + (lane + 5) % 8);
    }
    expectEqual("double", tid, d[tid], lane < 31 ? tid + 1.5 : tid + 0.5);
    expectEqual("long long", tid, l[tid], (1ll << 40) + (tid ^ 1));
    float sum = 0;
    for (int round = 0; round <= warp; ++round)
      for (int k = 0; k < 32; ++k)
        sum += first + k + round;
    expectEqual("sum", tid, s[tid], sum);
  }
  return verdict("warp_shuffles");
}
