//===- machine_numbers.cu - Special numbers on an H100 ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's guide leaves these results open, or they are easily rounded twice; all are those of an
// H100 with nvcc 13.0: NaN as an integer, comparisons of halves with NaN, one rounding of a * b +
// c and of a reciprocal root, carries that a difference takes from a sum, sums that wrap around.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: timeout 60 %t
#include "expect.h"
#include <cuda_fp16.h>

using u64 = unsigned long long;

struct Inputs {
  double nan;
  float nanOfFloat, above, below;
  unsigned short half[6];
  unsigned a, b, c;
};

__device__ u64 *integersOfNan(u64 *out, const Inputs &in) {
  *out++ = unsigned(__double2int_rn(in.nan));
  *out++ = __double2uint_rz(in.nan);
  *out++ = u64(__double2ll_rd(in.nan));
  *out++ = __double2ull_ru(in.nan);
  *out++ = unsigned(__float2int_rn(in.nanOfFloat));
  *out++ = __float2uint_rz(in.nanOfFloat);
  *out++ = u64(__float2ll_rd(in.nanOfFloat));
  *out++ = __float2ull_ru(in.nanOfFloat);
  return out;
}

__device__ u64 *halves(u64 *out, const Inputs &in) {
  __half nan = __ushort_as_half(in.half[0]), one = __ushort_as_half(in.half[1]);
  *out++ = __hne(nan, one);
  *out++ = nan != one;
  *out++ = __hne(one, -one);
  *out++ = __hbne2(__half2(one, nan), __half2(-one, one));
  *out++ = __half_as_ushort(__hfma(__ushort_as_half(in.half[2]), __ushort_as_half(in.half[3]),
                                   __ushort_as_half(in.half[4])));
  return out;
}

__device__ u64 *wholes(u64 *out, const Inputs &in) {
  unsigned sum, rest;
  asm("add.cc.u32 %0, %2, %3;\n\tsubc.u32 %1, %3, %4;"
      : "=r"(sum), "=r"(rest)
      : "r"(in.a), "r"(in.b), "r"(in.c));
  *out++ = rest;
  asm("sub.cc.u32 %0, %2, %3;\n\taddc.u32 %1, %3, %4;"
      : "=r"(sum), "=r"(rest)
      : "r"(in.a), "r"(in.b), "r"(in.c));
  *out++ = rest;
  *out++ = unsigned(__dp2a_lo(1, 0xff, int(0x80000000)));
  *out++ = __vavgs4(0, in.c);
  *out++ = __byte_perm(0x80, 0, in.c & 8);
  return out;
}

__global__ void numbers(u64 *out, const Inputs *in) {
  out = integersOfNan(out, *in);
  out = halves(out, *in);
  out = wholes(out, *in);
  *out++ = __float_as_uint(__frsqrt_rn(in->above));
  *out++ = __float_as_uint(__frsqrt_rn(in->below));
  *out++ = u64(__double_as_longlong(__ull2double_rd(in->half[5])));
}

int main() {
  Inputs inputs = {
      NAN, NAN,      1.00000012f, 0.99999994f, {0x7e00, 0x3c00, 0x67ff, 0x4100, 0x37ff, 0},
      5,   0xffffff, 0xff};
  constexpr u64 top = u64(1) << 63;
  const u64 wanted[] = {0x80000000, 0x80000000, top,        top,  0,
                        0,          top,        top,                          // NaN as an integer
                        0,          1,          1,          0,    0x6cff,     // halves
                        0xfffeff,   0x10000fe,  0x7fffffff, 0xff, 0x80808080, // whole numbers
                        0x3f7fffff, 0x3f800000, 0};                           // one rounding
  constexpr size_t count = sizeof wanted / sizeof *wanted;
  DeviceArray<Inputs> in(std::vector<Inputs>{inputs});
  DeviceArray<u64> out(count);
  numbers<<<1, 1>>>(out, in);
  auto got = out.host();
  for (size_t i = 0; i < count; ++i)
    expectEqual("number", i, got[i], wanted[i]);
  return verdict("machine_numbers");
}
