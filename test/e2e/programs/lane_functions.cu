//===- lane_functions.cu - Functions on the lanes of a word -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function on two halves or four bytes is compared with plain arithmetic on each
// lane, for random words, and for all pairs of the lanes at the edges of the ranges.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

using u32 = unsigned;

// NAME, whether lanes are signed, and the result of the lanes x and y, of which the least and most
// possible are low and high
#define OF_ONE(X)                                                                                  \
  X(abs, true, x < 0 ? -x : x)                                                                     \
  X(absss, true, clamp(x < 0 ? -x : x))                                                            \
  X(neg, true, -x)                                                                                 \
  X(negss, true, clamp(-x))
#define OF_TWO(X)                                                                                  \
  X(absdiffs, true, x > y ? x - y : y - x)                                                         \
  X(absdiffu, false, x > y ? x - y : y - x)                                                        \
  X(add, false, x + y)                                                                             \
  X(addss, true, clamp(x + y))                                                                     \
  X(addus, false, clamp(x + y))                                                                    \
  X(avgs, true, (x + y + (x + y >= 0)) >> 1)                                                       \
  X(avgu, false, (x + y + 1) >> 1)                                                                 \
  X(haddu, false, (x + y) >> 1)                                                                    \
  X(maxs, true, x > y ? x : y)                                                                     \
  X(maxu, false, x > y ? x : y)                                                                    \
  X(mins, true, x < y ? x : y)                                                                     \
  X(minu, false, x < y ? x : y)                                                                    \
  X(sub, false, x - y)                                                                             \
  X(subss, true, clamp(x - y))                                                                     \
  X(subus, false, clamp(x - y))                                                                    \
  X(cmpeq, false, -(x == y))                                                                       \
  X(cmpne, false, -(x != y))                                                                       \
  X(cmpges, true, -(x >= y))                                                                       \
  X(cmpgeu, false, -(x >= y))                                                                      \
  X(cmpgts, true, -(x > y))                                                                        \
  X(cmpgtu, false, -(x > y))                                                                       \
  X(cmples, true, -(x <= y))                                                                       \
  X(cmpleu, false, -(x <= y))                                                                      \
  X(cmplts, true, -(x < y))                                                                        \
  X(cmpltu, false, -(x < y))                                                                       \
  X(seteq, false, x == y)                                                                          \
  X(setne, false, x != y)                                                                          \
  X(setges, true, x >= y)                                                                          \
  X(setgeu, false, x >= y)                                                                         \
  X(setgts, true, x > y)                                                                           \
  X(setgtu, false, x > y)                                                                          \
  X(setles, true, x <= y)                                                                          \
  X(setleu, false, x <= y)                                                                         \
  X(setlts, true, x < y)                                                                           \
  X(setltu, false, x < y)
#define SUMS(X)                                                                                    \
  X(sads, true, x > y ? x - y : y - x)                                                             \
  X(sadu, false, x > y ? x - y : y - x)

#define COUNT(NAME, IS_SIGNED, LANE) +2
constexpr int results = 0 OF_ONE(COUNT) OF_TWO(COUNT) SUMS(COUNT);
constexpr int threads = 128, blocks = 48, total = threads * blocks;

__global__ void lanes(u32 *out, const u32 *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  u32 a = in[i], b = in[total + i], *o = out + results * i;
#define CALL_ONE(NAME, IS_SIGNED, LANE) *o++ = __v##NAME##2(a), *o++ = __v##NAME##4(a);
#define CALL_TWO(NAME, IS_SIGNED, LANE) *o++ = __v##NAME##2(a, b), *o++ = __v##NAME##4(a, b);
  OF_ONE(CALL_ONE)
  OF_TWO(CALL_TWO)
  SUMS(CALL_TWO)
}

/// Calls `take` with the number of each lane and what `lane` makes of it.
template <class Lane, class Take>
void eachLane(u32 a, u32 b, int count, bool isSigned, Lane lane, Take take) {
  int width = 32 / count, high = (1 << (width - isSigned)) - 1, low = isSigned ? -high - 1 : 0;
  u32 mask = (1u << width) - 1;
  auto number = [&](u32 word, int at) {
    int value = int(word >> (at * width) & mask);
    return value > high ? value - (1 << width) : value;
  };
  auto clamp = [&](int value) { return value < low ? low : value > high ? high : value; };
  for (int at = 0; at < count; ++at)
    take(at, lane(number(a, at), number(b, at), clamp));
}

template <class Lane> u32 word(u32 a, u32 b, int count, bool isSigned, Lane lane) {
  u32 result = 0;
  int width = 32 / count;
  eachLane(a, b, count, isSigned, lane, [&](int at, int value) {
    result |= (u32(value) & ((1u << width) - 1)) << (at * width);
  });
  return result;
}

template <class Lane> u32 sum(u32 a, u32 b, int count, bool isSigned, Lane lane) {
  u32 result = 0;
  eachLane(a, b, count, isSigned, lane, [&](int, int value) { result += u32(value); });
  return result;
}

void check(const u32 *got, u32 a, u32 b) {
  auto expectNext = [&](const char *name, u32 wanted) {
    expect(*got == wanted, name, a, *got, wanted);
    ++got;
  };
#define LANE(EXPRESSION)                                                                           \
  [](int x, int y, auto clamp) -> int { return (void)y, (void)clamp, EXPRESSION; }
#define EXPECT_WORD(NAME, IS_SIGNED, EXPRESSION)                                                   \
  expectNext("__v" #NAME "2", word(a, b, 2, IS_SIGNED, LANE(EXPRESSION)));                         \
  expectNext("__v" #NAME "4", word(a, b, 4, IS_SIGNED, LANE(EXPRESSION)));
#define EXPECT_SUM(NAME, IS_SIGNED, EXPRESSION)                                                    \
  expectNext("__v" #NAME "2", sum(a, b, 2, IS_SIGNED, LANE(EXPRESSION)));                          \
  expectNext("__v" #NAME "4", sum(a, b, 4, IS_SIGNED, LANE(EXPRESSION)));
  OF_ONE(EXPECT_WORD)
  OF_TWO(EXPECT_WORD)
  SUMS(EXPECT_SUM)
}

int main() {
  constexpr u32 bytes[] = {0, 1, 2, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff};
  constexpr u32 halves[] = {0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff};
  u32 state = 1;
  auto random = [&] { return (state = state * 1664525 + 1013904223) >> 8; };
  std::vector<u32> in(2 * total);
  for (int i = 0; i < total; ++i) {
    // All pairs of edges occur in the lowest lane, and others in the other lanes.
    u32 &a = in[i], &b = in[total + i];
    a = random() << 16 ^ random(), b = random() << 16 ^ random();
    if (i % 3 == 1) {
      a = bytes[i / 3 % 9], b = bytes[i / 27 % 9];
      for (int at = 8; at < 32; at += 8)
        a |= bytes[random() % 9] << at, b |= bytes[random() % 9] << at;
    } else if (i % 3 == 2) {
      a = halves[i / 3 % 11] | halves[random() % 11] << 16;
      b = halves[i / 33 % 11] | halves[random() % 11] << 16;
    }
  }
  DeviceArray<u32> input(in), out(results * total);
  lanes<<<blocks, threads>>>(out, input);
  auto got = out.host();
  for (int i = 0; i < total; ++i)
    check(&got[results * i], in[i], in[total + i]);
  return verdict("lane_functions");
}
