//===- dynamic_programming.cu - Minima and maxima in one call ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each of CUDA's DPX functions in a kernel and on the host, against arithmetic of 64 bits that is
// cut to the width of the sum, on random and on extreme numbers.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

using u32 = unsigned;
using i64 = long long;
constexpr int threads = 64, blocks = 32, total = threads * blocks, results = 44;

__host__ __device__ void all(u32 *o, u32 a, u32 b, u32 c) {
  int x = int(a), y = int(b), z = int(c);
  bool p[12];
#define BOTH(CALL_MAX, CALL_MIN) *o++ = u32(CALL_MAX), *o++ = u32(CALL_MIN)
  BOTH(__vimax3_s32(x, y, z), __vimin3_s32(x, y, z));
  BOTH(__vimax3_u32(a, b, c), __vimin3_u32(a, b, c));
  BOTH(__vimax3_s16x2(a, b, c), __vimin3_s16x2(a, b, c));
  BOTH(__vimax3_u16x2(a, b, c), __vimin3_u16x2(a, b, c));
  BOTH(__viaddmax_s32(x, y, z), __viaddmin_s32(x, y, z));
  BOTH(__viaddmax_u32(a, b, c), __viaddmin_u32(a, b, c));
  BOTH(__viaddmax_s16x2(a, b, c), __viaddmin_s16x2(a, b, c));
  BOTH(__viaddmax_u16x2(a, b, c), __viaddmin_u16x2(a, b, c));
  BOTH(__vimax3_s32_relu(x, y, z), __vimin3_s32_relu(x, y, z));
  BOTH(__vimax3_s16x2_relu(a, b, c), __vimin3_s16x2_relu(a, b, c));
  BOTH(__viaddmax_s32_relu(x, y, z), __viaddmin_s32_relu(x, y, z));
  BOTH(__viaddmax_s16x2_relu(a, b, c), __viaddmin_s16x2_relu(a, b, c));
  BOTH(__vimax_s32_relu(x, y), __vimin_s32_relu(x, y));
  BOTH(__vimax_s16x2_relu(a, b), __vimin_s16x2_relu(a, b));
  BOTH(__vibmax_s32(x, y, p), __vibmin_s32(x, y, p + 1));
  BOTH(__vibmax_u32(a, b, p + 2), __vibmin_u32(a, b, p + 3));
  BOTH(__vibmax_s16x2(a, b, p + 4, p + 5), __vibmin_s16x2(a, b, p + 6, p + 7));
  BOTH(__vibmax_u16x2(a, b, p + 8, p + 9), __vibmin_u16x2(a, b, p + 10, p + 11));
  for (int i = 0; i < 8; ++i)
    *o++ = i < 4 ? p[i] : p[2 * i - 4] << 1 | p[2 * i - 3];
#undef BOTH
}

__global__ void onDevice(u32 *out, const u32 *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  all(out + results * i, in[i], in[total + i], in[2 * total + i]);
}

/// The number in `bits` bits of `word` from `shift`.
i64 part(u32 word, int shift, int bits, bool isSigned) {
  i64 value = i64(word >> shift) & ((i64(1) << bits) - 1);
  return isSigned && value >> (bits - 1) ? value - (i64(1) << bits) : value;
}

enum Kind { Three, Sum, Two };

u32 wantedFor(Kind kind, bool isMax, bool isSigned, int bits, bool relu, const u32 *in) {
  u32 result = 0;
  for (int shift = 0; shift < 32; shift += bits) {
    i64 a = part(in[0], shift, bits, isSigned), b = part(in[1], shift, bits, isSigned);
    i64 c = part(in[2], shift, bits, isSigned);
    auto pick = [&](i64 x, i64 y) { return (x < y) == isMax ? y : x; };
    i64 value = kind == Two ? pick(a, b)
                : kind == Three
                    ? pick(pick(a, b), c)
                    : pick(part(u32(a + b) & u32((i64(1) << bits) - 1), 0, bits, isSigned), c);
    value = relu && value < 0 ? 0 : value;
    result |= (u32(value) & u32((i64(1) << bits) - 1)) << shift;
  }
  return result;
}

void wantedAll(u32 *w, const u32 *in) {
  struct {
    Kind kind;
    bool isSigned;
    int bits;
    bool relu;
  } const rows[] = {{Three, true, 32, false},  {Three, false, 32, false}, {Three, true, 16, false},
                    {Three, false, 16, false}, {Sum, true, 32, false},    {Sum, false, 32, false},
                    {Sum, true, 16, false},    {Sum, false, 16, false},   {Three, true, 32, true},
                    {Three, true, 16, true},   {Sum, true, 32, true},     {Sum, true, 16, true},
                    {Two, true, 32, true},     {Two, true, 16, true},     {Two, true, 32, false},
                    {Two, false, 32, false},   {Two, true, 16, false},    {Two, false, 16, false}};
  for (auto &row : rows)
    for (bool isMax : {true, false})
      *w++ = wantedFor(row.kind, isMax, row.isSigned, row.bits, row.relu, in);
  for (int bits : {32, 16})
    for (bool isSigned : {true, false})
      for (bool isMax : {true, false}) {
        u32 chosen = 0;
        for (int shift = 32 - bits; shift >= 0; shift -= bits) {
          i64 a = part(in[0], shift, bits, isSigned), b = part(in[1], shift, bits, isSigned);
          chosen = chosen << 1 | (isMax ? a >= b : a <= b);
        }
        *w++ = chosen;
      }
}

int main() {
  std::vector<u32> in(3 * total);
  const u32 extremes[] = {0, 1, ~0u, 1u << 31, 0x7fffffff, 0x80008000, 0x7fff8000, 0xffff7fff};
  for (int i = 0; i < 3 * total; ++i)
    in[i] = i * 2654435761u ^ u32(i) << 7;
  for (int i = 0; i < 512; ++i)
    for (int k = 0; k < 3; ++k)
      in[k * total + i] = extremes[i >> (3 * k) & 7];
  DeviceArray<u32> input(in), out(results * total);
  onDevice<<<blocks, threads>>>(out, input);
  auto got = out.host();
  for (int i = 0; i < total; ++i) {
    u32 operands[] = {in[i], in[total + i], in[2 * total + i]}, wanted[results], host[results];
    wantedAll(wanted, operands);
    all(host, operands[0], operands[1], operands[2]);
    for (int k = 0; k < results; ++k) {
      expectEqual("result", i * 100 + k, got[results * i + k], wanted[k]);
      expectEqual("host's result", i * 100 + k, host[k], wanted[k]);
    }
  }
  return verdict("dynamic_programming");
}
