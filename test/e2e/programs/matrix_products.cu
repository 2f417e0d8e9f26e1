//===- matrix_products.cu - Matrix products in inline PTX -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// d = a * b + c by mma.sync, where each warp has its own factors: in full waves of 64 lanes, in
// blocks that end within a wave, and where one of the two warps of a wave does not multiply.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -o %t %s
// RUN: timeout 60 %t
#include "expect.h"
#include <cstdint>

struct Words {
  unsigned a[4], b[2];
};

/// How numbers are written: so many bits of an exponent, which is biased by half of its range, and
/// of a fraction.
struct Format {
  int exponent, fraction;
  constexpr int bits() const { return 1 + exponent + fraction; }
  /// The greatest exponent is that of NaN; of 8 bits, only the greatest code is.
  double decode(unsigned code) const {
    int power = int(code >> fraction) & ((1 << exponent) - 1);
    int digits = int(code) & ((1 << fraction) - 1);
    bool isNaN = power == (1 << exponent) - 1 && (bits() > 8 || digits == (1 << fraction) - 1);
    int bias = (1 << (exponent - 1)) - 1;
    double value =
        std::ldexp(digits + (power ? 1 << fraction : 0), std::max(power, 1) - bias - fraction);
    return isNaN ? NAN : code >> (bits() - 1) ? -value : value;
  }
};
constexpr Format halves{5, 10}, bfloats{8, 7}, codes{4, 3};

#define REGRAIN_OPERANDS                                                                           \
  "r"(w.a[0]), "r"(w.a[1]), "r"(w.a[2]), "r"(w.a[3]), "r"(w.b[0]), "r"(w.b[1]), "f"(c[0]),         \
      "f"(c[1]), "f"(c[2]), "f"(c[3])
/// A product with four words of a.
#define REGRAIN_PRODUCT(NAME, FORMAT, K, TYPES)                                                    \
  struct NAME {                                                                                    \
    static constexpr Format format = FORMAT;                                                       \
    static constexpr int k = K;                                                                    \
    static constexpr bool isRounded = false;                                                       \
    __device__ static void multiply(float (&d)[4], const Words &w, const float (&c)[4]) {          \
      asm("mma.sync.aligned." TYPES " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "              \
          "{%10, %11, %12, %13};"                                                                  \
          : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])                                         \
          : REGRAIN_OPERANDS);                                                                     \
    }                                                                                              \
  };
/// A product with two words of a, whose sums are read and written by the same operands.
#define REGRAIN_SHORT_PRODUCT(NAME, FORMAT, TYPES)                                                 \
  struct NAME {                                                                                    \
    static constexpr Format format = FORMAT;                                                       \
    static constexpr int k = 8;                                                                    \
    static constexpr bool isRounded = false;                                                       \
    __device__ static void multiply(float (&d)[4], const Words &w, const float (&c)[4]) {          \
      for (int i = 0; i < 4; ++i)                                                                  \
        d[i] = c[i];                                                                               \
      asm("mma.sync.aligned." TYPES " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"         \
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                         \
          : "r"(w.a[0]), "r"(w.a[1]), "r"(w.b[0]));                                                \
    }                                                                                              \
  };
REGRAIN_PRODUCT(HalvesOf16, halves, 16, "m16n8k16.row.col.f32.f16.f16.f32")
REGRAIN_PRODUCT(BFloatsOf16, bfloats, 16, "m16n8k16.row.col.f32.bf16.bf16.f32")
REGRAIN_PRODUCT(Codes, codes, 32, "m16n8k32.row.col.f32.e4m3.e4m3.f32")
REGRAIN_SHORT_PRODUCT(HalvesOf8, halves, "m16n8k8.row.col.f32.f16.f16.f32")
REGRAIN_SHORT_PRODUCT(BFloatsOf8, bfloats, "m16n8k8.row.col.f32.bf16.bf16.f32")

/// Sums are halves, two in a word. Their numbers are small integers, so that no sum is rounded.
struct SumsOfHalves {
  static constexpr Format format = halves;
  static constexpr int k = 16;
  static constexpr bool isRounded = true;
  __device__ static void multiply(float (&d)[4], const Words &w, const float (&c)[4]) {
    asm("{\n.reg .b16 s<4>;\n.reg .b32 in<2>, out<2>;\n"
        "cvt.rn.f16.f32 s0, %10;\ncvt.rn.f16.f32 s1, %11;\nmov.b32 in0, {s0, s1};\n"
        "cvt.rn.f16.f32 s2, %12;\ncvt.rn.f16.f32 s3, %13;\nmov.b32 in1, {s2, s3};\n"
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {out0, out1}, {%4, %5, %6, %7}, "
        "{%8, %9}, {in0, in1};\n"
        "mov.b32 {s0, s1}, out0;\ncvt.f32.f16 %0, s0;\ncvt.f32.f16 %1, s1;\n"
        "mov.b32 {s2, s3}, out1;\ncvt.f32.f16 %2, s2;\ncvt.f32.f16 %3, s3;\n}"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : REGRAIN_OPERANDS);
  }
};

/// Warps whose number has a bit of `active` multiply; the others write c.
template <class P>
__global__ void multiply(float *d, const unsigned *a, const unsigned *b, const float *c,
                         unsigned active) {
  constexpr int ofRow = P::k * P::format.bits() / 32;
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int g = lane / 4, t = lane % 4;
  Words words;
  for (int w = 0; w < ofRow / 4; ++w) {
    for (int half = 0; half < 2; ++half)
      words.a[2 * w + half] = a[(16 * warp + g + 8 * half) * ofRow + 4 * w + t];
    words.b[w] = b[(8 * warp + g) * ofRow + 4 * w + t];
  }
  float sums[4], result[4];
  for (int i = 0; i < 4; ++i)
    result[i] = sums[i] = c[128 * warp + 8 * (g + i / 2 * 8) + 2 * t + i % 2];
  if (active >> (threadIdx.x / 32) & 1)
    P::multiply(result, words, sums);
  for (int i = 0; i < 4; ++i)
    d[128 * warp + 8 * (g + i / 2 * 8) + 2 * t + i % 2] = result[i];
}

/// The numbers of a factor, `count` in all: of many magnitudes, also subnormal ones, of which no
/// sum overflows.
template <class P> struct Factor {
  std::vector<unsigned> words;

  Factor(int count, uint32_t &seed) : words(count * P::format.bits() / 32) {
    for (int i = 0; i < count; ++i) {
      seed = seed * 1664525 + 1013904223;
      unsigned sign = seed >> 31 << (P::format.bits() - 1), digits = seed >> 8;
      unsigned exponent = (seed >> 24) % 15 + (P::format.exponent == 8 ? 114 : 0);
      unsigned code = exponent << P::format.fraction | (digits & ((1u << P::format.fraction) - 1));
      constexpr unsigned small[] = {0, 0x3c00, 0x4000, 0x4200};
      set(i, sign | (P::isRounded ? small[digits % 4] : code));
    }
  }
  void set(int at, unsigned code) {
    constexpr int bits = P::format.bits(), ofWord = 32 / bits;
    unsigned mask = ((1u << bits) - 1) << at % ofWord * bits, &word = words[at / ofWord];
    word = (word & ~mask) | (code << at % ofWord * bits & mask);
  }
  double operator[](int at) const {
    constexpr int bits = P::format.bits(), ofWord = 32 / bits;
    return P::format.decode(words[at / ofWord] >> at % ofWord * bits & ((1u << bits) - 1));
  }
};

template <class P> void check(const char *name, int blocks, int threads, unsigned active) {
  constexpr int k = P::k;
  uint32_t seed = 5;
  int warps = blocks * threads / 32;
  Factor<P> a(16 * warps * k, seed), b(8 * warps * k, seed);
  // A NaN reaches one row of its warp, and nothing of the other one.
  a.set((16 * (warps - 1) + 3) * k + 5, 0x7fff);
  std::vector<float> c(128 * warps);
  for (size_t i = 0; i < c.size(); ++i)
    c[i] = float(int(i * 5 % 9) - 4);
  DeviceArray<unsigned> left(a.words), right(b.words);
  DeviceArray<float> sums(c), out(128 * warps);
  multiply<P><<<blocks, threads>>>(static_cast<float *>(out), static_cast<const unsigned *>(left),
                                   static_cast<const unsigned *>(right),
                                   static_cast<const float *>(sums), active);
  auto got = out.host();
  for (int at = 0; at < 128 * warps; ++at) {
    int warp = at / 128, row = at / 8, column = 8 * warp + at % 8;
    double wanted = c[at], magnitude = std::abs(wanted);
    for (int i = 0; i < k && active >> warp % (threads / 32) & 1; ++i) {
      double product = a[row * k + i] * b[column * k + i];
      wanted += product, magnitude += std::abs(product);
    }
    double error = std::abs(double(got[at]) - wanted);
    expect(std::isnan(wanted) ? std::isnan(got[at]) : error <= magnitude * k * 0x1p-24, name, at,
           got[at], wanted);
  }
}

template <class P> void check(const char *name) {
  check<P>(name, 2, 128, ~0u);
  check<P>(name, 2, 96, ~0u);
  check<P>(name, 1, 32, ~0u);
  for (unsigned active : {1u, 2u, 6u, 13u})
    check<P>(name, 1, 128, active);
}

int main() {
  check<HalvesOf16>("halves");
  check<HalvesOf8>("halves, k of 8");
  check<BFloatsOf16>("bf16");
  check<BFloatsOf8>("bf16, k of 8");
  check<Codes>("e4m3");
  check<SumsOfHalves>("sums of halves");
  return verdict("matrix_products");
}
