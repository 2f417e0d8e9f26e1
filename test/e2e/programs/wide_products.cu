//===- wide_products.cu - Products of 128 bits in inline PTX ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// High halves of 64 by 64 bits, with carries, are compared with the same in C++ on the host.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: timeout 60 %t
#include "expect.h"

constexpr int threads = 64;
using u64 = unsigned long long;

/// Computes a * b + a + 2^64 * b, and the high half of the signed product.
__global__ void multiply(u64 *out, const u64 *in) {
  u64 a = in[threadIdx.x], b = in[threads + threadIdx.x], *mine = out + 3 * threadIdx.x;
  asm("mad.lo.cc.u64 %0, %2, %3, %2; madc.hi.u64 %1, %2, %3, %3;"
      : "=&l"(mine[0]), "=l"(mine[1])
      : "l"(a), "l"(b));
  asm("mul.hi.s64 %0, %1, %2;" : "=l"(mine[2]) : "l"(a), "l"(b));
}

int main() {
  std::vector<u64> in(2 * threads);
  for (int i = 0; i < 2 * threads; ++i)
    in[i] = (i * 0x9e3779b97f4a7c15ull) ^ (u64(i) << 58);
  in[0] = in[threads] = ~0ull;
  DeviceArray<u64> input(in), out(3 * threads);
  multiply<<<1, threads>>>(out, input);
  auto got = out.host();
  for (int i = 0; i < threads; ++i) {
    u64 a = in[i], b = in[threads + i];
    unsigned __int128 wanted = (unsigned __int128)a * b + a + ((unsigned __int128)b << 64);
    expectEqual("low", i, got[3 * i], u64(wanted));
    expectEqual("high", i, got[3 * i + 1], u64(wanted >> 64));
    expectEqual("signed", i, got[3 * i + 2], u64((__int128)(long long)a * (long long)b >> 64));
  }
  return verdict("wide_products");
}
