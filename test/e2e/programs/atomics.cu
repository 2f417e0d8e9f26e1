//===- atomics.cu - Atomic operations ---------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are in global and shared memory, with results used and unused, and a
// maximum of floats is built from compare-and-swap.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' --coarsen='*:fuse.x=3,thread.x=2' --coarsen='*:shape=96' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=3,thread.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:shape=96' timeout 60 %t
#include "expect.h"

constexpr int threads = 128, blocks = 9, total = threads * blocks;

struct Cells {
  int add, sub, minimum, maximum, bitsAnd, bitsOr, bitsXor;
  unsigned int inc, dec, exchanged;
  unsigned long long bigAdd, bigMax, bigCas;
  long long bigMin;
  float floatAdd, floatMax;
  double doubleAdd;
  float2 pair;
  float4 four;
};

__device__ void floatMaximum(float *address, float value) {
  int *bits = reinterpret_cast<int *>(address);
  int seen = *bits;
  while (__int_as_float(seen) < value) {
    int before = atomicCAS(bits, seen, __float_as_int(value));
    if (before == seen)
      break;
    seen = before;
  }
}

__global__ void everything(Cells *cells, int *places) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  places[atomicAdd(&cells->add, 1)] = 1;
  atomicSub(&cells->sub, i);
  atomicMin(&cells->minimum, -i);
  atomicMax(&cells->maximum, i);
  atomicAnd(&cells->bitsAnd, ~(1 << i % 31));
  atomicOr(&cells->bitsOr, 1 << i % 31);
  atomicXor(&cells->bitsXor, i);
  atomicInc(&cells->inc, 99);
  atomicDec(&cells->dec, 99);
  atomicExch(&cells->exchanged, 77u);
  atomicAdd(&cells->bigAdd, 1ull << 33);
  atomicMax(&cells->bigMax, (1ull << 40) + i);
  atomicMin(&cells->bigMin, -(1ll << 40) - i);
  atomicAdd(&cells->floatAdd, 0.5f);
  atomicAdd(&cells->doubleAdd, 0.25);
  floatMaximum(&cells->floatMax, i * 0.5f);
  if (i % 2)
    atomicAdd_block(&cells->pair, make_float2(0, 0));
  atomicAdd(&cells->pair, make_float2(1, 0.5f));
  atomicAdd_system(&cells->four, make_float4(1, 2, 3, 4));
  unsigned long long seen = cells->bigCas, before;
  do {
    before = seen;
    seen = atomicCAS(&cells->bigCas, before, before + 3);
  } while (seen != before);
}

__global__ void shared(int *out) {
  __shared__ int count[4];
  __shared__ double sum;
  if (threadIdx.x < 4)
    count[threadIdx.x] = 0;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  atomicAdd_block(&count[threadIdx.x % 3], 1);
  atomicMax(&count[3], int(threadIdx.x));
  atomicAdd(&sum, 0.5);
  __syncthreads();
  if (threadIdx.x < 4)
    out[blockIdx.x * 5 + threadIdx.x] = count[threadIdx.x];
  if (threadIdx.x == 4)
    out[blockIdx.x * 5 + 4] = int(sum);
}

int main() {
  Cells start = {};
  start.bitsAnd = -1;
  DeviceArray<Cells> cells(std::vector<Cells>{start});
  DeviceArray<int> places(total);
  everything<<<blocks, threads>>>(cells, places);
  Cells got = cells.host()[0];
  auto placed = places.host();
  for (int i = 0; i < total; ++i)
    expectEqual("place", i, placed[i], 1);
  int bitsXor = 0, sum = 0;
  for (int i = 0; i < total; ++i) {
    bitsXor ^= i;
    sum += i;
  }
  unsigned int inc = 0, dec = 0;
  for (int i = 0; i < total; ++i) {
    inc = inc >= 99 ? 0 : inc + 1;
    dec = dec == 0 || dec > 99 ? 99 : dec - 1;
  }
  expectEqual("add", 0, got.add, total);
  expectEqual("sub", 0, got.sub, -sum);
  expectEqual("min", 0, got.minimum, 1 - total);
  expectEqual("max", 0, got.maximum, total - 1);
  expectEqual("and", 0, got.bitsAnd, int(0x80000000u));
  expectEqual("or", 0, got.bitsOr, 0x7fffffff);
  expectEqual("xor", 0, got.bitsXor, bitsXor);
  expectEqual("inc", 0, got.inc, inc);
  expectEqual("dec", 0, got.dec, dec);
  expectEqual("exchange", 0, got.exchanged, 77u);
  expectEqual("add 64", 0, got.bigAdd, (1ull << 33) * total);
  expectEqual("max 64", 0, got.bigMax, (1ull << 40) + total - 1);
  expectEqual("min 64", 0, got.bigMin, -(1ll << 40) - total + 1);
  expectEqual("cas 64", 0, got.bigCas, 3ull * total);
  expectEqual("add float", 0, got.floatAdd, 0.5f * total);
  expectEqual("add double", 0, got.doubleAdd, 0.25 * total);
  expectEqual("add float2", 0, got.pair.x, total);
  expectEqual("add float2", 1, got.pair.y, 0.5f * total);
  expectEqual("add float4", 0, got.four.x, total);
  expectEqual("add float4", 1, got.four.y, 2 * total);
  expectEqual("add float4", 2, got.four.z, 3 * total);
  expectEqual("add float4", 3, got.four.w, 4 * total);
  expectEqual("max float", 0, got.floatMax, 0.5f * (total - 1));

  DeviceArray<int> out(blocks * 5);
  shared<<<blocks, threads>>>(out);
  auto counts = out.host();
  for (int b = 0; b < blocks; ++b) {
    for (int k = 0; k < 3; ++k)
      expectEqual("shared add", b, counts[b * 5 + k], (threads + 2 - k) / 3);
    expectEqual("shared max", b, counts[b * 5 + 3], threads - 1);
    expectEqual("shared double", b, counts[b * 5 + 4], threads / 2);
  }
  return verdict("atomics");
}
