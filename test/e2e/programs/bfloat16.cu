//===- bfloat16.cu - Numbers of 16 bits with a float's exponents -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All bfloat16 are converted, and pairs and triples of drawn ones computed with, in kernels and on
// the host. The reference computes in 113 bits, which are exact for these numbers or, for
// quotients, enough, and searches for the nearest bfloat16.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"
#include <cstdint>
#include <cuda_bf16.h>
#include <vector>

constexpr int codes = 65536, results = 8, triples = 1 << 17;

__host__ __device__ __nv_bfloat16 ofBits(unsigned bits) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(bits));
}
__host__ __device__ unsigned bitsOf(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }

struct Triple {
  unsigned short a, b, c;
};

__host__ __device__ void compute(unsigned *out, Triple from) {
  __nv_bfloat16 a = ofBits(from.a), b = ofBits(from.b), c = ofBits(from.c);
  out[0] = bitsOf(a + b);
  out[1] = bitsOf(a - b);
  out[2] = bitsOf(a * b);
  out[3] = bitsOf(a / b);
  out[4] = bitsOf(__hfma(a, b, c));
  out[5] = bitsOf(__hfma2(__nv_bfloat162(b, a), __nv_bfloat162(c, b), __nv_bfloat162(b, c)).y);
  out[6] =
      bitsOf(__nv_bfloat16(static_cast<double>(static_cast<float>(a)) * static_cast<float>(b)));
  out[7] = __hbge2(__nv_bfloat162(a, a), __nv_bfloat162(b, a)) | bitsOf(__hmax(a, b)) << 16;
}

__global__ void computeAll(unsigned *out, const Triple *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  compute(out + results * i, from[i]);
}

__host__ __device__ void convert(unsigned *out, int code) {
  __nv_bfloat16 x = ofBits(code);
  out[0] = bitsOf(__float2bfloat16(__bfloat162float(x)));
  out[1] = __bfloat162int_rn(x);
  out[2] = static_cast<unsigned char>(__bfloat162ushort_rz(x));
  out[3] = bitsOf(__int2bfloat16_rn(code * 32749));
  out[4] = bitsOf(__ull2bfloat16_rn(0x0101010101010101ull * (code + 1ull)));
  // Just below, at and above the middle between two neighbours
  float middle = __builtin_bit_cast(float, static_cast<unsigned>(code) << 16 | 0x8000);
  out[5] = bitsOf(__nv_bfloat16(middle));
  out[6] = bitsOf(__nv_bfloat16(static_cast<double>(middle) * (1 - 1e-14)));
  out[7] = bitsOf(__float2bfloat16_rd(middle)) << 16 | bitsOf(__float2bfloat16_ru(middle));
}

__global__ void convertAll(unsigned *out) {
  int code = blockIdx.x * blockDim.x + threadIdx.x;
  convert(out + results * code, code);
}

__global__ void exchange(unsigned *out, __nv_bfloat16 *sums, __nv_bfloat162 *pairs) {
  __nv_bfloat16 own(static_cast<int>(threadIdx.x));
  out[threadIdx.x] = bitsOf(__shfl_xor_sync(~0u, own, 5));
  atomicAdd(sums + threadIdx.x % 3, __nv_bfloat16(1));
  atomicAdd(pairs, __nv_bfloat162(__nv_bfloat16(1), __nv_bfloat16(2)));
}

#if !defined(__CUDA_ARCH__)
using Wide = __float128;

/// Returns the bfloat16 nearest to a number; of two, the even one. Infinity follows the largest.
unsigned nearest(Wide value) {
  unsigned sign = value < 0 ? 0x8000 : 0;
  Wide size = value < 0 ? -value : value;
  auto number = [](unsigned code) {
    if (code == 0x7f80) // where the numbers would go on
      return Wide(__builtin_bit_cast(float, 0x7f7f0000u)) / 255 * 256;
    return Wide(__builtin_bit_cast(float, code << 16));
  };
  unsigned low = 0, high = 0x7f80; // number(low) <= size
  if (size >= number(high))
    return sign | high;
  while (high - low > 1) {
    unsigned middle = (low + high) / 2;
    (number(middle) <= size ? low : high) = middle;
  }
  Wide below = size - number(low), above = number(high) - size;
  bool takesLow = below < above || (below == above && low % 2 == 0);
  return sign | (takesLow ? low : high);
}

bool isNaN(unsigned code) { return (code & 0x7fff) > 0x7f80; }
bool isFinite(unsigned code) { return (code & 0x7fff) < 0x7f80; }
Wide valueOf(unsigned code) { return Wide(__builtin_bit_cast(float, code << 16)); }

/// Zeros keep their sign by IEEE's rules, which float has as well.
unsigned expected(Wide value, float zero) {
  return value == 0 ? __builtin_bit_cast(unsigned, zero) >> 16 : nearest(value);
}

bool agrees(const unsigned *out, Triple from) {
  float a = static_cast<float>(ofBits(from.a)), b = static_cast<float>(ofBits(from.b));
  float c = static_cast<float>(ofBits(from.c));
  Wide x = valueOf(from.a), y = valueOf(from.b), z = valueOf(from.c);
  bool is = out[0] == expected(x + y, a + b) && out[1] == expected(x - y, a - b) &&
            out[2] == expected(x * y, a * b) && out[4] == expected(x * y + z, a * b + c) &&
            out[5] == out[4] && out[6] == out[2];
  if (b != 0)
    is = is && out[3] == expected(x / y, a / b);
  return is && (out[7] & 0xffff) == (a >= b) &&
         (a == b || out[7] >> 16 == (a > b ? from.a : from.b));
}

bool agrees(const unsigned *out, int code) {
  if (isNaN(code))
    return isNaN(out[0]) && out[1] == 0;
  bool is = out[0] == unsigned(code) && out[3] == nearest(Wide(code * 32749)) &&
            out[4] == nearest(Wide(0x0101010101010101ull * (code + 1ull)));
  if (!isFinite(code))
    return is && out[1] == (code == 0x7f80 ? 0x7fffffffu : 0x80000000u);
  Wide value = valueOf(code);
  int whole = value >= Wide(2147483647)      ? 2147483647
              : value <= Wide(-2147483648.0) ? -2147483647 - 1
                                             : int(__builtin_rintf(float(value)));
  float middle = __builtin_bit_cast(float, unsigned(code) << 16 | 0x8000);
  bool isNegative = code >> 15;
  unsigned directed =
      isNegative ? (code + 1u) << 16 | unsigned(code) : unsigned(code) << 16 | (code + 1u);
  return is && out[1] == unsigned(whole) && out[5] == nearest(Wide(middle)) &&
         out[6] == nearest(Wide(double(middle) * (1 - 1e-14))) && out[7] == directed;
}

std::vector<Triple> draw() {
  std::vector<Triple> all(triples);
  uint64_t state = 12345;
  auto next = [&] { return unsigned((state = state * 6364136223846793005ull + 1) >> 40); };
  for (Triple &triple : all) {
    // Exponents near that of 1, so that 113 bits hold each result; c is often far below a * b.
    auto number = [&](int range) {
      return static_cast<unsigned short>((next() & 0x807f) | (127 - range / 2 + next() % range)
                                                                 << 7);
    };
    triple = {number(12), number(12), number(next() % 2 ? 60 : 12)};
    if (next() % 4 == 0) { // a product half way between two bfloat16, and a c that decides
      triple.a = 0x3f80 | (next() % 42 | 1); // 1 + n / 128, n odd
      triple.b = 0x3fc0;                     // 1.5
      triple.c = static_cast<unsigned short>((next() & 0x8000) | (60 + next() % 40) << 7);
    }
    if (next() % 16 == 0)
      triple.c = 0;
  }
  return all;
}

int main() {
  std::vector<Triple> from = draw();
  Triple *deviceFrom;
  unsigned *out;
  CHECK(cudaMalloc(&deviceFrom, triples * sizeof(Triple)));
  CHECK(cudaMallocManaged(&out, sizeof(unsigned) * results * triples));
  CHECK(cudaMemcpy(deviceFrom, from.data(), triples * sizeof(Triple), cudaMemcpyHostToDevice));
  computeAll<<<triples / 128, 128>>>(out, deviceFrom);
  CHECK(cudaDeviceSynchronize());
  unsigned own[results];
  for (int i = 0; i < triples; ++i) {
    expectEqual("a kernel's triple agrees", i, agrees(out + results * i, from[i]), true);
    compute(own, from[i]);
    expectEqual("a triple on the host agrees", i, agrees(own, from[i]), true);
  }

  convertAll<<<codes / 128, 128>>>(out);
  CHECK(cudaDeviceSynchronize());
  for (int code = 0; code < codes; ++code) {
    expectEqual("a kernel's conversions agree", code, agrees(out + results * code, code), true);
    convert(own, code);
    expectEqual("conversions on the host agree", code, agrees(own, code), true);
  }

  __nv_bfloat16 *sums;
  __nv_bfloat162 *pairs;
  CHECK(cudaMallocManaged(&sums, 4 * sizeof *sums));
  CHECK(cudaMallocManaged(&pairs, sizeof *pairs));
  for (int i = 0; i < 4; ++i)
    sums[i] = __nv_bfloat16(0);
  *pairs = __nv_bfloat162(__nv_bfloat16(0), __nv_bfloat16(0));
  exchange<<<1, 32>>>(out, sums, pairs);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i)
    expectEqual("shuffled", i, out[i], bitsOf(__nv_bfloat16(i ^ 5)));
  for (int i = 0; i < 3; ++i)
    expectEqual("sums", i, float(sums[i]), i == 2 ? 10 : 11);
  expectEqual("pairs", 0, float(pairs->x), 32);
  expectEqual("pairs", 1, float(pairs->y), 64);
  return verdict("bfloat16");
}
#endif
