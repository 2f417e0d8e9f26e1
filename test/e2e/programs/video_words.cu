//===- video_words.cu - Video instructions on whole words -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One operation of two words, or of bytes and halves of them, with and without saturation, a second
// operation; and selections by a sign. All are compared with the same on the host.
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
#include <cstring>

constexpr int threads = 64, blocks = 4, total = threads * blocks;
using u32 = unsigned;

enum Operation {
  add,
  sub,
  absdiff,
  least,
  most,
  less,
  equal,
  notLess,
  leftClamp,
  leftWrap,
  rightClamp,
  rightWrap
};
enum Second { none, addThird, minThird, maxThird };

/// Part of a word: its first bit and how many bits it has.
struct Part {
  int first, bits;
};
constexpr Part whole{0, 32}, b0{0, 8}, b1{8, 8}, b2{16, 8}, b3{24, 8}, h0{0, 16}, h1{16, 16};

/// The text; the operation; the signs of the result and of the operands; whether the result
/// saturates; the second operation; the parts of the operands.
#define CASES(X)                                                                                   \
  X("vadd.u32.u32.u32 %0, %1, %2;", add, "uuu", false, none, whole, whole)                         \
  X("vadd.u32.u32.u32.add %0, %1, %2, %3;", add, "uuu", false, addThird, whole, whole)             \
  X("vadd.s32.s32.s32.min %0, %1, %2, %3;", add, "sss", false, minThird, whole, whole)             \
  X("vadd.s32.s32.s32.sat %0, %1, %2;", add, "sss", true, none, whole, whole)                      \
  X("vadd.s32.s32.u32 %0, %1.b3, %2.h1;", add, "ssu", false, none, b3, h1)                         \
  X("vadd.s32.s32.s32.sat %0, %1.b0, %2.b2;", add, "sss", true, none, b0, b2)                      \
  X("vadd.u32.u32.u32 %0, %1, %2.h0;", add, "uuu", false, none, whole, h0)                         \
  X("vsub.s32.u32.s32 %0, %1, %2;", sub, "sus", false, none, whole, whole)                         \
  X("vsub.u32.u32.u32.sat %0, %1, %2;", sub, "uuu", true, none, whole, whole)                      \
  X("vsub.s32.u32.u32.sat.max %0, %1, %2, %3;", sub, "suu", true, maxThird, whole, whole)          \
  X("vabsdiff.u32.u32.u32 %0, %1, %2;", absdiff, "uuu", false, none, whole, whole)                 \
  X("vabsdiff.u32.u32.u32.add %0, %1, %2, %3;", absdiff, "uuu", false, addThird, whole, whole)     \
  X("vabsdiff.u32.s32.s32 %0, %1, %2;", absdiff, "uss", false, none, whole, whole)                 \
  X("vabsdiff.s32.s32.s32.sat.add %0, %1, %2, %3;", absdiff, "sss", true, addThird, whole, whole)  \
  X("vabsdiff.u32.u32.u32.add %0, %1.b1, %2.b2, %3;", absdiff, "uuu", false, addThird, b1, b2)     \
  X("vmin.s32.s32.s32 %0, %1, %2;", least, "sss", false, none, whole, whole)                       \
  X("vmin.s32.u32.s32 %0, %1, %2;", least, "sus", false, none, whole, whole)                       \
  X("vmin.u32.u32.u32.add %0, %1, %2, %3;", least, "uuu", false, addThird, whole, whole)           \
  X("vmax.u32.u32.u32 %0, %1, %2;", most, "uuu", false, none, whole, whole)                        \
  X("vmax.s32.s32.s32.sat.min %0, %1, %2, %3;", most, "sss", true, minThird, whole, whole)         \
  X("vmax.u32.s32.s32.sat %0, %1.h0, %2.h1;", most, "uss", true, none, h0, h1)                     \
  X("vset.s32.s32.lt %0, %1, %2;", less, "uss", false, none, whole, whole)                         \
  X("vset.u32.s32.lt %0, %1, %2;", less, "uus", false, none, whole, whole)                         \
  X("vset.u32.u32.eq.add %0, %1.b0, %2.b0, %3;", equal, "uuu", false, addThird, b0, b0)            \
  X("vset.s32.s32.ge %0, %1, %2;", notLess, "uss", false, none, whole, whole)                      \
  X("vshl.u32.u32.u32.clamp.add %0, %1, %2, %3;", leftClamp, "uuu", false, addThird, whole, whole) \
  X("vshl.u32.u32.u32.wrap %0, %1, %2;", leftWrap, "uuu", false, none, whole, whole)               \
  X("vshr.u32.u32.u32.clamp %0, %1, %2;", rightClamp, "uuu", false, none, whole, whole)            \
  X("vshr.s32.s32.u32.clamp.min %0, %1, %2, %3;", rightClamp, "ssu", false, minThird, whole,       \
    whole)                                                                                         \
  X("vshr.s32.s32.u32.wrap %0, %1, %2;", rightWrap, "ssu", false, none, whole, whole)

struct Case {
  const char *text;
  Operation operation;
  const char *signs;
  bool saturates;
  Second second;
  Part a, b;
};
#define ROW(...) {__VA_ARGS__},
const Case list[] = {CASES(ROW)};
constexpr int cases = sizeof(list) / sizeof(Case);

__global__ void video(const u32 *a, const u32 *b, const u32 *c, u32 *out) {
  int i = blockIdx.x * threads + threadIdx.x, k = 0;
  u32 x = a[i], y = b[i], z = c[i], r;
#define RUN(text, ...)                                                                             \
  asm(text : "=r"(r) : "r"(x), "r"(y), "r"(z));                                                    \
  out[i * cases + k++] = r;
  CASES(RUN)
}

int64_t valueOf(u32 word, Part part, bool isSigned) {
  int64_t value = (uint64_t(word) >> part.first) & ((1ull << part.bits) - 1);
  return isSigned && value >> (part.bits - 1) ? value - (1ll << part.bits) : value;
}

int64_t operate(Operation operation, int64_t a, int64_t b) {
  switch (operation) {
  case add:
    return a + b;
  case sub:
    return a - b;
  case absdiff:
    return std::abs(a - b);
  case least:
    return std::min(a, b);
  case most:
    return std::max(a, b);
  case less:
    return a < b;
  case equal:
    return a == b;
  case notLess:
    return a >= b;
  case leftClamp:
    return b > 31 ? 0 : int64_t(uint64_t(a) << b);
  case leftWrap:
    return int64_t(uint64_t(a) << (b & 31));
  case rightClamp:
    return a >> std::min<int64_t>(b, 32);
  case rightWrap:
    return a >> (b & 31);
  }
  return 0;
}

u32 wantedOf(const Case &one, u32 a, u32 b, u32 c) {
  bool isSigned = one.signs[0] == 's';
  int64_t value = operate(one.operation, valueOf(a, one.a, one.signs[1] == 's'),
                          valueOf(b, one.b, one.signs[2] == 's'));
  if (one.saturates) {
    int64_t high = (1ll << (32 - isSigned)) - 1, low = isSigned ? -high - 1 : 0;
    value = std::min(std::max(value, low), high);
  }
  value = valueOf(u32(value), whole, isSigned);
  int64_t third = valueOf(c, whole, isSigned);
  return u32(one.second == addThird   ? value + third
             : one.second == minThird ? std::min(value, third)
             : one.second == maxThird ? std::max(value, third)
                                      : value);
}

struct Chosen {
  u32 word, byFloat, byFlushed;
  float number;
  unsigned long long wide;
};

__global__ void choose(const u32 *a, const u32 *b, const u32 *c, Chosen *out) {
  int i = blockIdx.x * threads + threadIdx.x;
  u32 x = a[i], y = b[i], z = c[i];
  float f = __uint_as_float(z);
  unsigned long long wideX = ~0ull - x, wideY = y;
  Chosen w;
  asm("slct.b32.s32 %0, %1, %2, %3;" : "=r"(w.word) : "r"(x), "r"(y), "r"(z));
  asm("slct.u32.f32 %0, %1, %2, %3;" : "=r"(w.byFloat) : "r"(x), "r"(y), "f"(f));
  asm("slct.ftz.s32.f32 %0, %1, %2, %3;" : "=r"(w.byFlushed) : "r"(x), "r"(y), "f"(f));
  asm("slct.f32.s32 %0, %1, 1.5, %2;" : "=f"(w.number) : "f"(float(x)), "r"(z));
  asm("slct.u64.s32 %0, %1, %2, %3;" : "=l"(w.wide) : "l"(wideX), "l"(wideY), "r"(z));
  out[i] = w;
}

struct Inputs {
  std::vector<u32> a, b, c;
};

/// Words around zero and the limits of bytes and words, and any others.
Inputs makeInputs() {
  const u32 special[] = {0, 1, 0x7f, 0x80, 0xff80, 0x7fffffff, 0x80000000, 0xffffffff};
  Inputs in;
  for (u32 i = 0; i < total; ++i) {
    in.a.push_back(i < 64 ? special[i % 8] : 0x9e3779b9u * i);
    in.b.push_back(i < 64 ? special[i / 8] : i % 4 == 0 ? 0x85ebca6bu * i : i % 40);
    // A number that is none, and subnormal numbers of both signs, are among them.
    in.c.push_back(i % 7 == 0   ? 0x7fc00000u
                   : i % 7 == 1 ? 0x80000001u + i
                   : i % 7 == 2 ? i
                                : 0xc2b2ae35u * i);
  }
  return in;
}

void checkVideo(const Inputs &in) {
  DeviceArray<u32> a(in.a), b(in.b), c(in.c), out(total * cases);
  video<<<blocks, threads>>>(a, b, c, out);
  auto got = out.host();
  for (int i = 0; i < total; ++i)
    for (int k = 0; k < cases; ++k)
      expectEqual(list[k].text, i, got[i * cases + k],
                  wantedOf(list[k], in.a[i], in.b[i], in.c[i]));
}

void checkChoices(const Inputs &in) {
  DeviceArray<u32> a(in.a), b(in.b), c(in.c);
  DeviceArray<Chosen> out(total);
  choose<<<blocks, threads>>>(a, b, c, out);
  auto got = out.host();
  for (int i = 0; i < total; ++i) {
    u32 x = in.a[i], y = in.b[i], z = in.c[i];
    float f;
    std::memcpy(&f, &z, 4);
    bool isFlushed = (z & 0x7f800000u) == 0;
    expectEqual("word", i, got[i].word, int(z) >= 0 ? x : y);
    expectEqual("by float", i, got[i].byFloat, f >= 0 ? x : y);
    expectEqual("by flushed float", i, got[i].byFlushed, f >= 0 || isFlushed ? x : y);
    expectEqual("number", i, got[i].number, int(z) >= 0 ? float(x) : 1.5f);
    expectEqual("wide", i, got[i].wide, int(z) >= 0 ? ~0ull - x : y);
  }
}

int main() {
  Inputs in = makeInputs();
  checkVideo(in);
  checkChoices(in);
  return verdict("video_words");
}
