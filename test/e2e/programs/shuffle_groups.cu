//===- shuffle_groups.cu - Shuffles one behind the other --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several values are exchanged in each step, with other work between some of the exchanges. The
// lanes of a warp come to them together, or from both sides of a branch, or cooperate on each side
// with a mask and a width of its own. The last warp of the block has only 8 lanes.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: %regrain cc --targets=cpu -O0 -o %t.plain %s
// RUN: timeout 60 %t.plain
#include "expect.h"

constexpr int threads = 72, values = 20;

__host__ __device__ int startValue(int tid, int i) { return tid * (2 * i + 1) + i * i; }
__host__ __device__ unsigned existing(int tid) { return tid / 32 == 2 ? 0xffu : 0xffffffffu; }

/// A transform of more values than one group has.
__global__ void transform(int *out) {
  int x[values];
#pragma unroll
  for (int i = 0; i < values; ++i)
    x[i] = startValue(threadIdx.x, i);
#pragma unroll
  for (int reach = 1; reach < 8; reach *= 2)
#pragma unroll
    for (int i = 0; i < values; ++i)
      x[i] = (threadIdx.x & reach ? -x[i] : x[i]) +
             __shfl_xor_sync(existing(threadIdx.x), x[i], reach);
#pragma unroll
  for (int i = 0; i < values; ++i)
    out[threadIdx.x * values + i] = x[i];
}

/// All lanes meet at three shuffles; odd lanes have work between them.
__global__ void fromBothSides(int *out, int count) {
  int tid = threadIdx.x, a, b, c;
  if (tid >= count)
    return;
  unsigned mask = existing(tid);
  if (tid % 2) {
    a = __shfl_xor_sync(mask, tid, 3);
    out[tid * 3] = a;
    b = __shfl_xor_sync(mask, tid * 5, 3);
    c = __shfl_xor_sync(mask, tid * 7 + out[tid * 3], 3);
  } else {
    a = __shfl_xor_sync(mask, tid * 2, 3);
    b = __shfl_xor_sync(mask, tid * 3, 3);
    c = __shfl_xor_sync(mask, tid * 4, 3);
    out[tid * 3] = a;
  }
  out[tid * 3 + 1] = b;
  out[tid * 3 + 2] = c;
}

/// The first 20 lanes of each warp and the others go separate ways.
__global__ void partial(int *out, double *wide) {
  int tid = threadIdx.x, lane = tid % 32;
  unsigned low = 0x000fffffu & existing(tid);
  int *mine = out + tid * 4;
  if (lane < 20) {
    mine[0] = __shfl_down_sync(low, tid, 2, 4);
    int a = __shfl_sync(low, tid * 3, 5), b = __shfl_sync(low, tid * 9, 5);
    int c = __shfl_sync(low, a, 6);
    mine[1] = a, mine[2] = b, mine[3] = c;
  } else {
    unsigned high = 0xfff00000u;
    int a = __shfl_up_sync(high, tid, 1, 4), b = __shfl_up_sync(high, tid * 11, 1, 4);
    mine[0] = a, mine[1] = b;
    mine[2] = __ballot_sync(high, lane % 2), mine[3] = __ballot_sync(high, lane > 25);
  }
  wide[tid] = __shfl_xor_sync(existing(tid), tid * 0.25, 4);
}

/// Returns what a thread of the transform has after the steps below `reach`.
int transformed(int tid, int i, int reach) {
  if (reach == 1)
    return startValue(tid, i);
  int half = reach / 2, own = transformed(tid, i, half), other = transformed(tid ^ half, i, half);
  return (tid & half ? -own : own) + other;
}

void checkTransform() {
  DeviceArray<int> out(threads * values);
  transform<<<1, threads>>>(out);
  auto got = out.host();
  for (int tid = 0; tid < threads; ++tid)
    for (int i = 0; i < values; ++i)
      expectEqual("transform", tid, got[tid * values + i], transformed(tid, i, 8));
}

/// Returns what the thread hands over at one of the shuffles of `fromBothSides`.
int handedOver(int tid, int shuffle) {
  if (tid % 2 == 0)
    return tid * (2 + shuffle);
  return shuffle == 0 ? tid : shuffle == 1 ? tid * 5 : tid * 7 + handedOver(tid ^ 3, 0);
}

void checkFromBothSides() {
  for (int count : {threads, 64}) {
    DeviceArray<int> out(threads * 3);
    fromBothSides<<<1, threads>>>(out, count);
    auto got = out.host();
    for (int tid = 0; tid < threads; ++tid)
      for (int i = 0; i < 3; ++i)
        expectEqual("both sides", tid, got[tid * 3 + i], tid < count ? handedOver(tid ^ 3, i) : 0);
  }
}

void checkPartial() {
  DeviceArray<int> out(threads * 4);
  DeviceArray<double> wide(threads);
  partial<<<1, threads>>>(out, wide);
  auto got = out.host();
  auto gotWide = wide.host();
  for (int tid = 0; tid < threads; ++tid) {
    int lane = tid % 32, first = tid - lane;
    const int *mine = &got[tid * 4];
    if (lane < 20) {
      expectEqual("down", tid, mine[0], lane % 4 < 2 ? tid + 2 : tid);
      expectEqual("first index", tid, mine[1], (first + 5) * 3);
      expectEqual("second index", tid, mine[2], (first + 5) * 9);
      expectEqual("third index", tid, mine[3], (first + 5) * 3);
    } else {
      int source = lane % 4 ? tid - 1 : tid;
      expectEqual("first up", tid, mine[0], source);
      expectEqual("second up", tid, mine[1], source * 11);
      expectEqual("first ballot", tid, mine[2], int(0xaaa00000u));
      expectEqual("second ballot", tid, mine[3], int(0xfc000000u));
    }
    expectEqual("wide", tid, gotWide[tid], (tid ^ 4) * 0.25);
  }
}

int main() {
  checkTransform();
  checkFromBothSides();
  checkPartial();
  return verdict("shuffle_groups");
}
