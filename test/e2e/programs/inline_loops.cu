//===- inline_loops.cu - Loops and branches in inline PTX -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Labels in one piece of assembly: branches forward and backward, with and without a predicate,
// nested loops, loops that read memory, and one that updates it until no other thread interferes.
// All are compared with the same in C++ on the host.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -o %t %s && timeout 60 %t
// RUN: %regrain cc --targets=cpu -O0 -o %t.plain %s
// RUN: timeout 60 %t.plain
#include "expect.h"
#include <algorithm>

constexpr int threads = 64, blocks = 3, total = threads * blocks;
using u32 = unsigned;
using u64 = unsigned long long;

/// Steps of Collatz's sequence from `n` to 1, at most `limit`.
__device__ u32 steps(u32 n, u32 limit) {
  u32 count;
  asm("{\n"
      "  .reg .pred ends, odd;\n"
      "  .reg .u32 x, bit;\n"
      "  mov.u32 x, %1;\n"
      "  mov.u32 %0, 0;\n"
      "AGAIN%=:\n"
      "  setp.le.u32 ends, x, 1;\n"
      "  setp.ge.or.u32 ends, %0, %2, ends;\n"
      "  @ends bra DONE%=;\n"
      "  add.u32 %0, %0, 1;\n"
      "  and.b32 bit, x, 1;\n"
      "  setp.ne.u32 odd, bit, 0;\n"
      "  @odd bra TRIPLE%=;\n"
      "  shr.u32 x, x, 1;\n"
      "  bra.uni AGAIN%=;\n"
      "TRIPLE%=:\n"
      "  mad.lo.u32 x, x, 3, 1;\n"
      "  bra AGAIN%=;\n"
      "DONE%=:\n"
      "}\n"
      : "=&r"(count)
      : "r"(n), "r"(limit));
  return count;
}

/// The sum of a row's elements up to the first zero.
__device__ u32 sumOfRow(const u32 *row, u32 length) {
  u32 sum;
  asm volatile("{ .reg .pred p; .reg .u32 k, v; .reg .u64 at;\n"
               "  mov.u32 %0, 0; mov.u32 k, %2; mov.u64 at, %1;\n"
               "$NEXT: setp.eq.u32 p, k, 0; @p bra $END;\n"
               "  ld.global.u32 v, [at]; setp.eq.u32 p, v, 0; @p bra $END;\n"
               "  add.u32 %0, %0, v; add.u64 at, at, 4; sub.u32 k, k, 1; bra $NEXT;\n"
               "$END: }"
               : "=&r"(sum)
               : "l"(row), "r"(length)
               : "memory");
  return sum;
}

/// Products of two numbers without a multiplication, by a loop in a loop.
__device__ u32 productBySums(u32 a, u32 b) {
  u32 product;
  asm("{ .reg .pred p; .reg .u32 i, j; mov.u32 %0, 0; mov.u32 i, 0;\n"
      "OUTER%=: setp.ge.u32 p, i, %1; @p bra LAST%=; mov.u32 j, 0;\n"
      "INNER%=: setp.lt.u32 p, j, %2; @!p bra BEHIND%=;\n"
      "  add.u32 %0, %0, 1; add.u32 j, j, 1; bra INNER%=;\n"
      "BEHIND%=: add.u32 i, i, 1; bra OUTER%=;\n"
      "LAST%=: }"
      : "=&r"(product)
      : "r"(a), "r"(b));
  return product;
}

/// Makes *at the greatest of `value` and what is there, counted in the upper half.
__device__ void countedMaximum(u64 *at, u32 value) {
  asm volatile("{ .reg .pred p; .reg .u64 old, seen, made; .reg .u32 low, high;\n"
               "  ld.relaxed.gpu.global.u64 old, [%0];\n"
               "RETRY%=: mov.b64 {low, high}, old;\n"
               "  max.u32 low, low, %1; add.u32 high, high, 1; mov.b64 made, {low, high};\n"
               "  atom.global.cas.b64 seen, [%0], old, made;\n"
               "  setp.ne.u64 p, seen, old; mov.u64 old, seen; @p bra RETRY%=;\n"
               "}" ::"l"(at),
               "r"(value)
               : "memory");
}

struct Results {
  u32 steps, sum, product;
};

__global__ void loops(const u32 *rows, u32 length, Results *out, u64 *most) {
  u32 i = blockIdx.x * threads + threadIdx.x;
  out[i].steps = steps(i * 7 + 1, 100 + i);
  out[i].sum = sumOfRow(rows + i * length, length);
  out[i].product = productBySums(i % 13, i % 11);
  countedMaximum(most, i * 2654435761u);
}

u32 wantedSteps(u32 x, u32 limit) {
  u32 count = 0;
  for (; x > 1 && count < limit; ++count)
    x = x % 2 ? 3 * x + 1 : x / 2;
  return count;
}

int main() {
  constexpr u32 length = 9;
  std::vector<u32> rows(total * length);
  for (u32 i = 0; i < total * length; ++i)
    rows[i] = i * 2654435761u % 7;
  DeviceArray<u32> in(rows);
  DeviceArray<Results> out(total);
  DeviceArray<u64> most(1);
  loops<<<blocks, threads>>>(in, length, out, most);
  auto got = out.host();
  u32 greatest = 0;
  for (u32 i = 0; i < total; ++i) {
    u32 sum = 0;
    for (u32 k = 0; k < length && rows[i * length + k]; ++k)
      sum += rows[i * length + k];
    expectEqual("steps", i, got[i].steps, wantedSteps(i * 7 + 1, 100 + i));
    expectEqual("sum", i, got[i].sum, sum);
    expectEqual("product", i, got[i].product, (i % 13) * (i % 11));
    greatest = std::max(greatest, i * 2654435761u);
  }
  expectEqual("most", 0, u32(most.host()[0]), greatest);
  expectEqual("updates", 0, u32(most.host()[0] >> 32), total);
  return verdict("inline_loops");
}
