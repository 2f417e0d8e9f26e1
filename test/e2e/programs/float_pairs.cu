//===- float_pairs.cu - Arithmetic with pairs of floats ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each half of a pair is what the function for one float gives, in the four directions of rounding.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 \
// RUN:   --coarsen='*:thread.x=2' \
// RUN:   -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: %regrain cc -c --targets=compute_70,compute_90 -o %t.o %s
#include "expect.h"

constexpr int count = 2000, functions = 12;

/// Gives the pairs' results, and those of the functions for one float.
__global__ void compute(const float2 *in, float2 *pairs, float2 *singles) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float2 x = in[i], y = in[(i + 1) % count], z = in[(i + 7) % count];
  float2 *p = pairs + functions * i, *s = singles + functions * i;
#define DIRECTION(MODE, FIRST)                                                                     \
  p[FIRST] = __ffma2_##MODE(x, y, z);                                                              \
  s[FIRST] = make_float2(__fmaf_##MODE(x.x, y.x, z.x), __fmaf_##MODE(x.y, y.y, z.y));              \
  p[FIRST + 1] = __fadd2_##MODE(x, y);                                                             \
  s[FIRST + 1] = make_float2(__fadd_##MODE(x.x, y.x), __fadd_##MODE(x.y, y.y));                    \
  p[FIRST + 2] = __fmul2_##MODE(x, y);                                                             \
  s[FIRST + 2] = make_float2(__fmul_##MODE(x.x, y.x), __fmul_##MODE(x.y, y.y));
  DIRECTION(rn, 0)
  DIRECTION(rz, 3)
  DIRECTION(rd, 6)
  DIRECTION(ru, 9)
}

/// The program's own function is preferred.
__device__ float2 __fmul2_rn(float2 x, float) { return x; }
__global__ void own(float2 *out) { *out = __fmul2_rn(make_float2(3, 4), 5.0f); }

int main() {
  std::vector<float2> numbers(count);
  for (int i = 0; i < count; ++i)
    numbers[i] = make_float2(float(i) * 1.37f - 900.1f, 1.0f / float(i + 3));
  DeviceArray<float2> in(numbers), pairs(count * functions), singles(count * functions), mine(1);
  compute<<<(count + 63) / 64, 64>>>(in, pairs, singles);
  own<<<1, 1>>>(mine);
  std::vector<float2> got = pairs.host(), wanted = singles.host();
  for (int i = 0; i < count * functions; ++i) {
    expectEqual("x", i, got[i].x, wanted[i].x);
    expectEqual("y", i, got[i].y, wanted[i].y);
  }
  for (int i = 0; i < count; ++i) {
    float2 x = numbers[i], y = numbers[(i + 1) % count], z = numbers[(i + 7) % count];
    expectEqual("fma", i, got[functions * i].x, std::fma(x.x, y.x, z.x));
    expectEqual("sum", i, got[functions * i + 1].y, x.y + y.y);
    expect(got[functions * i + 6].y <= got[functions * i + 9].y, "down", i, got[functions * i + 6].y,
           got[functions * i + 9].y);
  }
  expectEqual("own", 0, mine.host()[0].y, 4.0f);
  return verdict("float_pairs");
}
