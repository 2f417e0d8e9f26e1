//===- inline_integers.cu - Pairs of halves and fields in PTX ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and extremes of two integers of 16 bits in a word, numbers that are extended from a given
// bit, and the n-th bit of a mask. All are compared with the same in C++ on the host.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: %regrain cc --targets=cpu -O0 -o %t.plain %s
// RUN: timeout 60 %t.plain
#include "expect.h"
#include <algorithm>
#include <cstdint>

constexpr int threads = 64, blocks = 4, total = threads * blocks;
using u32 = unsigned;

struct Results {
  u32 sum, unsignedSum, least, most, leastNatural, mostNatural, leastLimited, mostLimited, word;
  u32 extended, extendedByWrap, field, fieldByWrap;
  u32 bit;
};

__global__ void integers(const u32 *a, const u32 *b, Results *out) {
  int i = blockIdx.x * threads + threadIdx.x;
  u32 x = a[i], y = b[i];
  Results r;
  asm("add.s16x2 %0, %1, %2;" : "=r"(r.sum) : "r"(x), "r"(y));
  asm("add.u16x2 %0, %1, %2;" : "=r"(r.unsignedSum) : "r"(x), "r"(y));
  asm("min.s16x2 %0, %1, %2;" : "=r"(r.least) : "r"(x), "r"(y));
  asm("max.s16x2 %0, %1, %2;" : "=r"(r.most) : "r"(x), "r"(y));
  asm("min.u16x2 %0, %1, %2;" : "=r"(r.leastNatural) : "r"(x), "r"(y));
  asm("max.u16x2 %0, %1, %2;" : "=r"(r.mostNatural) : "r"(x), "r"(y));
  asm("min.relu.s16x2 %0, %1, %2;" : "=r"(r.leastLimited) : "r"(x), "r"(y));
  asm("max.relu.s16x2 %0, %1, %2;" : "=r"(r.mostLimited) : "r"(x), "r"(y));
  asm("min.relu.s32 %0, %1, %2;" : "=r"(r.word) : "r"(x), "r"(y));
  u32 bits = i % 36;
  asm("szext.clamp.s32 %0, %1, %2;" : "=r"(r.extended) : "r"(x), "r"(bits));
  asm("szext.wrap.s32 %0, %1, %2;" : "=r"(r.extendedByWrap) : "r"(x), "r"(bits));
  asm("szext.clamp.u32 %0, %1, %2;" : "=r"(r.field) : "r"(x), "r"(bits));
  asm("szext.wrap.u32 %0, %1, %2;" : "=r"(r.fieldByWrap) : "r"(x), "r"(bits));
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(r.bit) : "r"(x), "r"(y & 31), "r"(i % 9 - 4));
  out[i] = r;
}

/// Applies `operation` to both halves.
template <class Half, class Operation> u32 halves(u32 a, u32 b, Operation operation) {
  u32 low = uint16_t(operation(Half(a), Half(b)));
  u32 high = uint16_t(operation(Half(a >> 16), Half(b >> 16)));
  return high << 16 | low;
}

u32 extended(u32 a, u32 bits, bool wraps, bool isSigned) {
  bits = wraps ? bits & 31 : std::min(bits, 32u);
  if (bits == 0)
    return 0;
  u32 field = bits == 32 ? a : a & ((1u << bits) - 1);
  bool isNegative = isSigned && bits < 32 && field >> (bits - 1);
  return isNegative ? field | ~0u << bits : field;
}

/// The place of the n-th bit from `base` on; of the n-th one downwards if n is negative.
u32 nthBit(u32 mask, int base, int n) {
  if (n == 0)
    return mask >> base & 1 ? u32(base) : ~0u;
  for (int at = base, left = std::abs(n); at >= 0 && at < 32; at += n > 0 ? 1 : -1)
    if ((mask >> at & 1) && --left == 0)
      return u32(at);
  return ~0u;
}

int main() {
  std::vector<u32> a(total), b(total);
  for (u32 i = 0; i < total; ++i) {
    a[i] = i * 0x9e3779b9u;
    b[i] = i % 5 ? i * 0x85ebca6bu : a[i] ^ 0x80008000u;
  }
  DeviceArray<u32> x(a), y(b);
  DeviceArray<Results> out(total);
  integers<<<blocks, threads>>>(x, y, out);
  auto got = out.host();
  auto sum = [](int p, int q) { return p + q; };
  auto least = [](int p, int q) { return std::min(p, q); };
  auto most = [](int p, int q) { return std::max(p, q); };
  auto leastLimited = [](int p, int q) { return std::max(std::min(p, q), 0); };
  auto mostLimited = [](int p, int q) { return std::max({p, q, 0}); };
  for (int i = 0; i < total; ++i) {
    u32 p = a[i], q = b[i], bits = i % 36;
    const Results &r = got[i];
    expectEqual("sum", i, r.sum, halves<int16_t>(p, q, sum));
    expectEqual("unsigned sum", i, r.unsignedSum, halves<uint16_t>(p, q, sum));
    expectEqual("least", i, r.least, halves<int16_t>(p, q, least));
    expectEqual("most", i, r.most, halves<int16_t>(p, q, most));
    expectEqual("least natural", i, r.leastNatural, halves<uint16_t>(p, q, least));
    expectEqual("most natural", i, r.mostNatural, halves<uint16_t>(p, q, most));
    expectEqual("least limited", i, r.leastLimited, halves<int16_t>(p, q, leastLimited));
    expectEqual("most limited", i, r.mostLimited, halves<int16_t>(p, q, mostLimited));
    expectEqual("word", i, r.word, std::max(std::min(int(p), int(q)), 0));
    expectEqual("extended", i, r.extended, extended(p, bits, false, true));
    expectEqual("extended, wrapped", i, r.extendedByWrap, extended(p, bits, true, true));
    expectEqual("field", i, r.field, extended(p, bits, false, false));
    expectEqual("field, wrapped", i, r.fieldByWrap, extended(p, bits, true, false));
    expectEqual("bit", i, r.bit, nthBit(p, q & 31, i % 9 - 4));
  }
  return verdict("inline_integers");
}
