//===- saturating_ptx.cu - Conversions in inline PTX that saturate -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions to narrower types as image processing writes them, and dot products of pairs.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"
#include <algorithm>
#include <cstdint>
#include <limits>

constexpr int threads = 64, blocks = 32, total = threads * blocks, integers = 9, floats = 6;

struct Results {
  int integer[integers];
  int rounded[floats];
  float unit[2];
  int product[3];
};

#define CONVERT(INDEX, OPCODE) asm(OPCODE " %0, %1;" : "=r"(out.integer[INDEX]) : "r"(x))
#define ROUND(INDEX, OPCODE) asm(OPCODE " %0, %1;" : "=r"(out.rounded[INDEX]) : "f"(f))

__device__ void fill(Results &out, int x, float f) {
  CONVERT(0, "cvt.sat.u8.s32");
  CONVERT(1, "cvt.sat.s8.s32");
  CONVERT(2, "cvt.sat.u16.s32");
  CONVERT(3, "cvt.sat.s16.u32");
  CONVERT(4, "cvt.sat.u32.s32");
  CONVERT(5, "cvt.sat.s32.u32");
  CONVERT(6, "cvt.sat.s8.u16");
  CONVERT(7, "cvt.sat.u16.s16");
  CONVERT(8, "cvt.sat.u8.s8");
  ROUND(0, "cvt.rni.sat.u8.f32");
  ROUND(1, "cvt.rni.sat.s8.f32");
  ROUND(2, "cvt.rzi.u16.f32");
  ROUND(3, "cvt.rmi.sat.s16.f32");
  ROUND(4, "cvt.rpi.sat.u32.f32");
  ROUND(5, "cvt.rni.sat.s32.f32");
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(out.unit[0]) : "f"(f));
  asm("cvt.rn.sat.f32.s32 %0, %1;" : "=f"(out.unit[1]) : "r"(x));
  asm("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(out.product[0]) : "r"(x), "r"(~x * 7), "r"(3));
  asm("dp2a.hi.u32.u32 %0, %1, %2, %3;" : "=r"(out.product[1]) : "r"(x), "r"(~x * 7), "r"(3));
  asm("dp2a.hi.s32.u32 %0, %1, %2, %3;" : "=r"(out.product[2]) : "r"(x), "r"(~x * 7), "r"(3));
}

__global__ void convert(Results *out, const int *in, const float *reals) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  fill(out[i], in[i], reals[i]);
}

template <class To> int limited(double x) {
  if (std::isnan(x))
    return 0;
  using Limits = std::numeric_limits<To>;
  double inside = std::min(std::max(x, double(Limits::min())), double(Limits::max()));
  return static_cast<int>(static_cast<To>(inside));
}

void compare(const Results &got, int i, int x, float f) {
  const int wanted[integers] = {limited<uint8_t>(x),          limited<int8_t>(x),
                                limited<uint16_t>(x),         limited<int16_t>(uint32_t(x)),
                                limited<uint32_t>(x),         limited<int32_t>(uint32_t(x)),
                                limited<int8_t>(uint16_t(x)), limited<uint16_t>(int16_t(x)),
                                limited<uint8_t>(int8_t(x))};
  for (int k = 0; k < integers; ++k)
    expectEqual("integer", i * 100 + k, got.integer[k], wanted[k]);
  const int rounded[floats] = {
      limited<uint8_t>(std::nearbyint(f)), limited<int8_t>(std::nearbyint(f)),
      limited<uint16_t>(std::trunc(f)),    limited<int16_t>(std::floor(f)),
      limited<uint32_t>(std::ceil(f)),     limited<int32_t>(std::nearbyint(f))};
  for (int k = 0; k < floats; ++k)
    expectEqual("rounded", i * 100 + k, got.rounded[k], rounded[k]);
  expectEqual("unit", i, got.unit[0], std::isnan(f) ? 0 : std::min(std::max(f, 0.0f), 1.0f));
  expectEqual("unit of integer", i, got.unit[1], x > 0 ? 1 : 0);
  uint32_t b = ~uint32_t(x) * 7;
  auto half = [&](int k) { return uint32_t(x) >> 16 * k & 0xffff; };
  uint32_t low = 3, high = 3, mixed = 3;
  for (int k = 0; k < 2; ++k) {
    low += int16_t(half(k)) * int8_t(b >> 8 * k);
    high += half(k) * uint8_t(b >> (16 + 8 * k));
    mixed += int16_t(half(k)) * uint8_t(b >> (16 + 8 * k));
  }
  expectEqual("dp2a.lo", i, got.product[0], int(low));
  expectEqual("dp2a.hi", i, got.product[1], int(high));
  expectEqual("dp2a.hi with signs", i, got.product[2], int(mixed));
}

int main() {
  std::vector<int> in(total);
  std::vector<float> reals(total);
  for (int i = 0; i < total; ++i) {
    in[i] = i < 1024 ? i - 512 : int(uint32_t(i) * 0x9e3779b9u) >> i % 24;
    reals[i] = i < 1024 ? (i - 512) * 0.75f : float(in[i]) * 1.5f;
  }
  reals[0] = NAN;
  reals[1] = INFINITY;
  reals[2] = -INFINITY;
  DeviceArray<int> input(in);
  DeviceArray<float> realInput(reals);
  DeviceArray<Results> out(total);
  convert<<<blocks, threads>>>(out, input, realInput);
  std::vector<Results> results = out.host();
  for (int i = 0; i < total; ++i)
    compare(results[i], i, in[i], reals[i]);
  return verdict("saturating_ptx");
}
