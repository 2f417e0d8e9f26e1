//===- number_intrinsics.cu - Intrinsics of numbers and bits ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shifts, permutes, counts, packed values and products are compared with C++;
// Bessel functions with the host's; there is compare-and-swap of 16 bits.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

constexpr int threads = 64, blocks = 4, total = threads * blocks;
using u32 = unsigned;

constexpr int bitResults = 24;

__global__ void bits(u32 *out, const u32 *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  u32 a = in[i], b = in[total + i], *o = out + bitResults * i;
  u32 results[bitResults] = {
      __funnelshift_l(a, b, b), __funnelshift_r(a, b, a), __funnelshift_lc(a, b, b & 63),
      __funnelshift_rc(a, b, a & 63), __byte_perm(a, b, a >> 3), __brev(a), u32(__clz(a >> (b & 31))),
      u32(__ffs(a & b)), u32(__popc(a)), u32(__dp4a(int(a), int(b), 7)), __dp4a(a, b, 9u),
      u32(__dp2a_lo(int(a), int(b), 3)), __dp2a_hi(a, b, 5u), __vadd2(a, b), __vaddss4(a, b),
      __vsubus2(a, b), __vabsdiffu4(a, b), __vavgs2(a, b), __vcmpgts4(a, b), __vminu2(a, b),
      __vsadu4(a, b), u32(__hadd(int(a), int(b))), __urhadd(a, b), __vseteq4(a, a ^ (b & 0xff00))};
  for (int k = 0; k < bitResults; ++k)
    o[k] = results[k];
}

/// Applies `operation` to each of `count` parts, with or without a sign, cut to their width.
template <class Operation>
u32 parts(u32 a, u32 b, int count, bool isSigned, Operation operation) {
  int width = 32 / count;
  u32 mask = (1u << width) - 1, result = 0;
  auto part = [&](u32 x, int k) {
    int value = int(x >> (k * width) & mask);
    return isSigned && value >> (width - 1) ? value - (1 << width) : value;
  };
  for (int k = 0; k < count; ++k)
    result |= (u32(operation(part(a, k), part(b, k))) & mask) << (k * width);
  return result;
}

u32 sumOf(u32 packed) { // of four bytes
  return (packed & 255) + (packed >> 8 & 255) + (packed >> 16 & 255) + (packed >> 24);
}

void bitsOnHost(u32 *w, u32 a, u32 b) {
  using u64 = unsigned long long;
  u64 both = u64(b) << 32 | a;
  auto low = [](int x, int least, int most) { return x < least ? least : x > most ? most : x; };
  u32 shifted = a >> (b & 31);
  w[0] = u32(both << (b & 31) >> 32);
  w[1] = u32(both >> (a & 31));
  w[2] = (b & 63) >= 32 ? a : u32(both << (b & 63) >> 32);
  w[3] = u32(both >> ((a & 63) > 32 ? 32 : a & 63));
  w[4] = w[5] = 0; // the high bit of a selector is ignored, unlike prmt's
  for (int k = 0; k < 4; ++k)
    w[4] |= u32(both >> (8 * (a >> 3 >> (4 * k) & 7)) & 255) << (8 * k);
  for (int k = 0; k < 32; ++k)
    w[5] |= (a >> k & 1) << (31 - k);
  w[6] = shifted ? __builtin_clz(shifted) : 32;
  w[7] = __builtin_ffs(int(a & b));
  w[8] = __builtin_popcount(a);
  w[9] = 7, w[10] = 9;
  for (int k = 0; k < 32; k += 8) {
    w[9] += u32(int((signed char)(a >> k)) * int((signed char)(b >> k)));
    w[10] += (a >> k & 255) * (b >> k & 255);
  }
  w[11] = 3 + u32(int(short(a)) * (signed char)b + int(short(a >> 16)) * (signed char)(b >> 8));
  w[12] = 5 + (a & 65535) * (b >> 16 & 255) + (a >> 16) * (b >> 24);
  w[13] = parts(a, b, 2, false, [](int x, int y) { return x + y; });
  w[14] = parts(a, b, 4, true, [&](int x, int y) { return low(x + y, -128, 127); });
  w[15] = parts(a, b, 2, false, [&](int x, int y) { return low(x - y, 0, 65535); });
  w[16] = parts(a, b, 4, false, [](int x, int y) { return x > y ? x - y : y - x; });
  w[17] = parts(a, b, 2, true, [](int x, int y) { return (x + y + (x + y >= 0)) >> 1; });
  w[18] = parts(a, b, 4, true, [](int x, int y) { return x > y ? 255 : 0; });
  w[19] = parts(a, b, 2, false, [](int x, int y) { return x < y ? x : y; });
  w[20] = sumOf(w[16]);
  w[21] = u32(((long long)int(a) + int(b)) >> 1);
  w[22] = u32((u64(a) + b + 1) >> 1);
  w[23] = parts(a, a ^ (b & 0xff00), 4, false, [](int x, int y) { return x == y; });
}

void checkBits() {
  std::vector<u32> in(2 * total);
  for (int i = 0; i < 2 * total; ++i)
    in[i] = i * 2654435761u ^ u32(i) << 28 ^ (i % 5 ? 0 : 0x7f80807f);
  in[0] = 0, in[total] = ~0u, in[1] = 0x80008000, in[total + 1] = 0x80008000;
  DeviceArray<u32> input(in), out(bitResults * total);
  bits<<<blocks, threads>>>(out, input);
  auto got = out.host();
  for (int i = 0; i < total; ++i) {
    u32 wanted[bitResults];
    bitsOnHost(wanted, in[i], in[total + i]);
    for (int k = 0; k < bitResults; ++k)
      expectEqual("bits", i * 100 + k, got[bitResults * i + k], wanted[k]);
  }
}

__global__ void bessel(double *out, const double *in) {
  int i = threadIdx.x, n = int(blockIdx.x * 9) - 3;
  out[2 * (blockIdx.x * threads + i)] = jn(n, in[i]);
  out[2 * (blockIdx.x * threads + i) + 1] = yn(n, in[i]);
}

void checkBessel() {
  std::vector<double> in(threads);
  for (int i = 0; i < threads; ++i)
    in[i] = 0.4 + i * 0.93;
  in.back() = NAN;
  DeviceArray<double> input(in), out(2 * total);
  bessel<<<blocks, threads>>>(out, input);
  auto got = out.host();
  for (int i = 0; i < total; ++i) {
    int n = i / threads * 9 - 3;
    double first = jn(n, in[i % threads]), second = yn(n, in[i % threads]);
    if (n < 0 || i % threads == threads - 1) { // a negative order is no number in CUDA
      expect(got[2 * i] != got[2 * i] && got[2 * i + 1] != got[2 * i + 1], "not a number", i,
             got[2 * i], got[2 * i + 1]);
      continue;
    }
    expect(fabs(got[2 * i] - first) <= 1e-14 + 1e-12 * fabs(first) * (fabs(first) < 1e-3), "jn", i,
           got[2 * i], first);
    expect(fabs(got[2 * i + 1] - second) <= 1e-13 * fmax(1, fabs(second)), "yn", i, got[2 * i + 1],
           second);
  }
}

/// Adds in 16 bits; both halves of a word are added to at once.
__global__ void count(unsigned short *cells) {
  unsigned short *cell = cells + threadIdx.x % 3, seen = *cell, expected;
  do {
    expected = seen;
    seen = atomicCAS(cell, expected, (unsigned short)(expected + threadIdx.x));
  } while (seen != expected);
}

void checkCount() {
  DeviceArray<unsigned short> cells(4);
  count<<<blocks, threads>>>(cells);
  auto got = cells.host();
  u32 wanted[4] = {};
  for (int i = 0; i < total; ++i)
    wanted[i % threads % 3] += i % threads;
  for (int k = 0; k < 4; ++k)
    expectEqual("cell", k, got[k], (unsigned short)wanted[k]);
}

int main() {
  checkBits();
  checkBessel();
  checkCount();
  return verdict("number_intrinsics");
}
