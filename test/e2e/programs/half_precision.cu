//===- half_precision.cu - half and half2 -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same arithmetic on the host has the same bits, as long as the compiler
// does not fuse a product with a sum. Atomic additions lose nothing.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"
#include <cuda_fp16.h>
#include <limits>

constexpr int count = 200;

__host__ __device__ inline half scalar(half a, half b) {
  half c = __hadd_rn(__hmul_rn(a, b), a);
  if (c > b)
    c = __hsub(c, b);
  return __hfma(c, a, b) / __float2half(3.0f);
}

__host__ __device__ inline half2 pairs(half2 a, half2 b) {
  return __hfma2(a, b, __hadd2(a, __float2half2_rn(0.25f)));
}

__global__ void halves(half *out, half2 *out2, int *whole, const half *in) {
  int i = threadIdx.x;
  whole[i] = __half2int_rn(in[i]) ^ int(__half2uint_rz(in[i]));
  out[i] = scalar(in[i], in[count - 1 - i]);
  out2[i] = pairs(__halves2half2(in[i], in[count - 1 - i]), __half2half2(in[i]));
}

/// Adds to elements of pairs, and to pairs; every sum is a half.
__global__ void addAtomically(half *sums, half2 *pairs, int *isWhole) {
  atomicAdd(sums + threadIdx.x % 3, half(1));
  half2 before = atomicAdd(pairs + threadIdx.x % 2, half2(half(1), half(-2)));
  isWhole[threadIdx.x] = float(before.x) >= 0 && float(before.x) < count / 2 &&
                         float(before.y) <= 0 && float(before.y) > -count;
}

void checkAtomicAdditions() {
  DeviceArray<half> sums(3);
  DeviceArray<half2> pairs(2);
  DeviceArray<int> isWhole(count);
  addAtomically<<<1, count>>>(sums, pairs, isWhole);
  auto gotSums = sums.host();
  auto gotPairs = pairs.host();
  auto whole = isWhole.host();
  for (int k = 0; k < 3; ++k)
    expectEqual("sum", k, float(gotSums[k]), float((count - k + 2) / 3));
  for (int k = 0; k < 2; ++k) {
    expectEqual("sum of lows", k, __low2float(gotPairs[k]), float(count / 2));
    expectEqual("sum of highs", k, __high2float(gotPairs[k]), float(-count));
  }
  for (int i = 0; i < count; ++i)
    expectEqual("before", i, whole[i], 1);
}

int main() {
  checkAtomicAdditions();
  std::vector<half> in(count);
  for (int i = 0; i < count; ++i)
    in[i] = __float2half((i - 90) * 0.37f);
  in[0] = __float2half(-INFINITY);
  in[1] = __float2half(INFINITY);
  in[2] = __float2half(NAN);
  DeviceArray<half> input(in), out(count);
  DeviceArray<half2> out2(count);
  DeviceArray<int> whole(count);
  halves<<<1, count>>>(out, out2, whole, input);
  auto integers = whole.host();
  expectEqual("-inf", 0, integers[0], std::numeric_limits<int>::min());
  expectEqual("inf", 1, integers[1], std::numeric_limits<int>::min());
  expectEqual("nan", 2, integers[2], 0);
  auto got = out.host();
  auto got2 = out2.host();
  for (int i = 3; i < count - 3; ++i) {
    expectEqual("whole", i, integers[i], int(rintf(float(in[i]))) ^ int(fmaxf(float(in[i]), 0)));
    expectEqual("half", i, float(got[i]), float(scalar(in[i], in[count - 1 - i])));
    float2 wanted =
        __half22float2(pairs(__halves2half2(in[i], in[count - 1 - i]), __half2half2(in[i])));
    expectEqual("low", i, __low2float(got2[i]), wanted.x);
    expectEqual("high", i, __high2float(got2[i]), wanted.y);
  }
  return verdict("half_precision");
}
