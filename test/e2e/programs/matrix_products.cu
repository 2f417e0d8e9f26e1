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
// RUN: %regrain cc -c --targets=compute_89 -o %t.o %s
#include "expect.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <random>

struct Words {
  unsigned a[4], b[2];
};

struct HalvesOf16 {
  using Element = __half;
  static constexpr int k = 16;
  __device__ static void multiply(float (&d)[4], const Words &w, const float (&c)[4]) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%10, %11, %12, %13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(w.a[0]), "r"(w.a[1]), "r"(w.a[2]), "r"(w.a[3]), "r"(w.b[0]), "r"(w.b[1]), "f"(c[0]),
          "f"(c[1]), "f"(c[2]), "f"(c[3]));
  }
};

struct HalvesOf8 {
  using Element = __half;
  static constexpr int k = 8;
  __device__ static void multiply(float (&d)[4], const Words &w, const float (&c)[4]) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
        "{%7, %8, %9, %10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(w.a[0]), "r"(w.a[1]), "r"(w.b[0]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
  }
};

struct BFloatsOf16 {
  using Element = __nv_bfloat16;
  static constexpr int k = 16;
  __device__ static void multiply(float (&d)[4], const Words &w, const float (&c)[4]) {
    for (int i = 0; i < 4; ++i)
      d[i] = c[i];
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(w.a[0]), "r"(w.a[1]), "r"(w.a[2]), "r"(w.a[3]), "r"(w.b[0]), "r"(w.b[1]));
  }
};

struct BFloatsOf8 {
  using Element = __nv_bfloat16;
  static constexpr int k = 8;
  __device__ static void multiply(float (&d)[4], const Words &w, const float (&c)[4]) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
        "{%7, %8, %9, %10};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(w.a[0]), "r"(w.a[1]), "r"(w.b[0]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
  }
};

struct Codes {
  using Element = __nv_fp8_e4m3;
  static constexpr int k = 32;
  __device__ static void multiply(float (&d)[4], const Words &w, const float (&c)[4]) {
    asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%10, %11, %12, %13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(w.a[0]), "r"(w.a[1]), "r"(w.a[2]), "r"(w.a[3]), "r"(w.b[0]), "r"(w.b[1]), "f"(c[0]),
          "f"(c[1]), "f"(c[2]), "f"(c[3]));
  }
};

/// Sums are rounded to halves, so the numbers of this one are small integers.
struct SumsOfHalves {
  using Element = __half;
  static constexpr int k = 16;
  __device__ static void multiply(float (&d)[4], const Words &w, const float (&c)[4]) {
    __half2 in[2] = {__floats2half2_rn(c[0], c[1]), __floats2half2_rn(c[2], c[3])}, out[2];
    asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, "
        "{%8, %9};"
        : "=r"(reinterpret_cast<unsigned &>(out[0])), "=r"(reinterpret_cast<unsigned &>(out[1]))
        : "r"(w.a[0]), "r"(w.a[1]), "r"(w.a[2]), "r"(w.a[3]), "r"(w.b[0]), "r"(w.b[1]),
          "r"(reinterpret_cast<unsigned &>(in[0])), "r"(reinterpret_cast<unsigned &>(in[1])));
    d[0] = __low2float(out[0]), d[1] = __high2float(out[0]);
    d[2] = __low2float(out[1]), d[3] = __high2float(out[1]);
  }
};

/// Warps whose number has a bit of `active` multiply; the others write c.
template <class P>
__global__ void multiply(float *d, const unsigned *a, const unsigned *b, const float *c,
                         unsigned active) {
  constexpr int perWord = 4 / sizeof(typename P::Element), ofRow = P::k / perWord;
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

/// Numbers of all magnitudes of which no sum overflows, among them subnormal halves and codes.
template <class P> struct Numbers {
  using Element = typename P::Element;
  static constexpr bool areSmall = std::is_same_v<P, SumsOfHalves>;
  std::mt19937 random{5};

  std::vector<Element> some(int count) {
    std::vector<Element> result;
    for (int i = 0; i < count; ++i) {
      float fraction = float(int(random() % 2001) - 1000) / 1000;
      result.push_back(Element(areSmall ? float(int(random() % 7) - 3)
                                        : std::ldexp(fraction, int(random() % 24) - 20)));
    }
    return result;
  }
};

template <class P> void check(const char *name, int blocks, int threads, unsigned active) {
  using Element = typename P::Element;
  constexpr int k = P::k;
  Numbers<P> numbers;
  int warps = blocks * threads / 32;
  auto a = numbers.some(16 * warps * k), b = numbers.some(8 * warps * k);
  // A NaN reaches one row of its warp, and nothing of the other one.
  a[(16 * (warps - 1) + 3) * k + 5] = Element(NAN);
  std::vector<float> c(128 * warps);
  for (float &number : c)
    number = float(int(numbers.random() % 9) - 4);
  DeviceArray<Element> left(a), right(b);
  DeviceArray<float> sums(c), out(128 * warps);
  multiply<P><<<blocks, threads>>>(
      static_cast<float *>(out), reinterpret_cast<const unsigned *>(static_cast<Element *>(left)),
      reinterpret_cast<const unsigned *>(static_cast<Element *>(right)),
      static_cast<const float *>(sums), active);
  auto got = out.host();
  for (int at = 0; at < 128 * warps; ++at) {
    int warp = at / 128, row = at / 8, column = 8 * warp + at % 8;
    double wanted = c[at], magnitude = std::abs(wanted);
    for (int i = 0; i < k && active >> warp % (threads / 32) & 1; ++i) {
      double product = double(float(a[row * k + i])) * double(float(b[column * k + i]));
      wanted += product, magnitude += std::abs(product);
    }
    double error = std::abs(double(got[at]) - wanted);
    bool isNaN = std::isnan(wanted);
    expect(isNaN ? std::isnan(got[at]) : error <= magnitude * k * 0x1p-24, name, at, got[at],
           wanted);
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
