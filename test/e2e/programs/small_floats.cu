//===- small_floats.cu - Numbers of 8, 6 and 4 bits -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All halves are converted to each format, and all codes back, in kernels and on the host. The
// reference lists the numbers of a format, and searches for the nearest.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

constexpr int halves = 65536, kinds = 7, decoded = 4;

/// Codes of one half in each format, two of them without saturation.
__host__ __device__ void encode(unsigned *out, unsigned short bits) {
  __half_raw raw = {bits};
  __half x(raw);
  out[0] = __nv_fp8_e4m3(x).__x;
  out[1] = __nv_fp8_e5m2(x).__x;
  out[2] = __nv_fp6_e2m3(x).__x;
  out[3] = __nv_fp6_e3m2(x).__x;
  out[4] = __nv_fp4_e2m1(x).__x;
  out[5] = __nv_cvt_halfraw_to_fp8(raw, __NV_NOSAT, __NV_E4M3);
  out[6] = __nv_cvt_float_to_fp8(float(x), __NV_NOSAT, __NV_E5M2);
}

template <class T> __host__ __device__ T fromCode(int code) {
  T x;
  x.__x = static_cast<unsigned char>(code);
  return x;
}

__host__ __device__ void decode(float *out, int code) {
  out[0] = float(fromCode<__nv_fp8_e4m3>(code));
  out[1] = float(__half(fromCode<__nv_fp8_e5m2>(code)));
  out[2] = float(fromCode<__nv_fp8_e8m0>(code));
  out[3] = float(int(fromCode<__nv_fp8_e5m2>(code)));
}

__global__ void encodeAll(unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  encode(out + kinds * i, static_cast<unsigned short>(i));
}
__global__ void decodeAll(float *out) { decode(out + decoded * threadIdx.x, threadIdx.x); }

struct Format {
  int exponent, mantissa;
  int largest; ///< the code of the largest number
  int above;   ///< the code of what is larger still, or `largest`
  int nan;
};

double valueOf(const Format &f, int code) {
  int bias = (1 << (f.exponent - 1)) - 1, e = code >> f.mantissa;
  int m = code & ((1 << f.mantissa) - 1), one = 1 << f.mantissa;
  return e ? ldexp(one + m, e - bias - f.mantissa) : ldexp(m, 1 - bias - f.mantissa);
}

unsigned nearest(const Format &f, double x) {
  if (x != x)
    return f.nan;
  unsigned sign = std::signbit(x) ? 1u << (f.exponent + f.mantissa) : 0;
  x = fabs(x);
  int low = 0;
  while (low <= f.largest && valueOf(f, low + 1) <= x)
    ++low;
  if (low > f.largest)
    return sign | f.above;
  double below = x - valueOf(f, low), gap = valueOf(f, low + 1) - x;
  int code = below > gap || (below == gap && (low & 1)) ? low + 1 : low;
  return sign | (code > f.largest ? f.above : code);
}

void checkEncoding() {
  const Format formats[kinds] = {{4, 3, 0x7e, 0x7e, 0x7f}, {5, 2, 0x7b, 0x7b, 0x7f},
                                 {2, 3, 0x1f, 0x1f, 0x1f}, {3, 2, 0x1f, 0x1f, 0x1f},
                                 {2, 1, 0x7, 0x7, 0x7},    {4, 3, 0x7e, 0x7f, 0x7f},
                                 {5, 2, 0x7b, 0x7c, 0x7f}};
  DeviceArray<unsigned> out(kinds * halves);
  encodeAll<<<halves / 256, 256>>>(out);
  auto got = out.host();
  for (int i = 0; i < halves; ++i) {
    unsigned onHost[kinds];
    encode(onHost, static_cast<unsigned short>(i));
    float x = float(__ushort_as_half(static_cast<unsigned short>(i)));
    for (int k = 0; k < kinds; ++k) {
      unsigned wanted = nearest(formats[k], double(x));
      expectEqual("code", i * 10 + k, got[kinds * i + k], wanted);
      expectEqual("host's code", i * 10 + k, onHost[k], wanted);
    }
  }
}

bool same(float a, float b) { return a == b ? signbit(a) == signbit(b) : a != a && b != b; }

void checkDecoding() {
  DeviceArray<float> out(decoded * 256);
  decodeAll<<<1, 256>>>(out);
  auto got = out.host();
  for (int i = 0; i < 256; ++i) {
    float onHost[decoded], sign = i & 128 ? -1.0f : 1.0f;
    decode(onHost, i);
    float e5m2 = sign * float(valueOf({5, 2, 0x7b, 0x7c, 0x7f}, i & 127));
    e5m2 = (i & 127) > 0x7c ? NAN : (i & 127) == 0x7c ? sign * INFINITY : e5m2;
    float wanted[decoded] = {
        (i & 127) == 127 ? NAN : sign * float(valueOf({4, 3, 0x7e, 0x7e, 0x7f}, i & 127)), e5m2,
        i == 255 ? NAN : float(ldexp(1, i - 127)),
        e5m2 != e5m2  ? 0.0f
        : isinf(e5m2) ? (e5m2 > 0 ? 2147483648.0f : -2147483648.0f)
                      : truncf(e5m2) + 0.0f};
    for (int k = 0; k < decoded; ++k) {
      expect(same(got[decoded * i + k], wanted[k]), "number", i * 10 + k, got[decoded * i + k],
             wanted[k]);
      expect(same(onHost[k], wanted[k]), "host's number", i * 10 + k, onHost[k], wanted[k]);
    }
  }
}

/// Doubles round once, though they do not where they are rounded to float first; scales round up.
void checkOthers() {
  expectEqual("double", 0, __nv_fp8_e5m2(0x1.000001p-17 * (1 + 0x1p-40)).__x, 1);
  expectEqual("double", 1, __nv_fp8_e4m3(1.0625 + 0x1p-50).__x, 0x39);
  expectEqual("double", 2, __nv_fp8_e4m3(1.0625).__x, 0x38);
  expectEqual("scale", 0, __nv_fp8_e8m0(1.5f).__x, 128);
  expectEqual("scale", 1, __nv_cvt_float_to_e8m0(-1.5f, __NV_SATFINITE, cudaRoundZero), 127);
  expectEqual("scale", 2, __nv_cvt_float_to_e8m0(INFINITY, __NV_NOSAT, cudaRoundPosInf), 255);
  expectEqual("scale", 3, __nv_fp8_e8m0((1ll << 60) + 1).__x, 188);
  expectEqual("towards zero", 0, __nv_cvt_float_to_fp6(-1.99f, __NV_E2M3, cudaRoundZero), 0x2f);
  expectEqual("down", 0, __nv_cvt_float_to_fp6(-1.01f, __NV_E2M3, cudaRoundMinInf), 0x29);
  expectEqual("pair", 0, __nv_fp4x2_e2m1(make_float2(6.0f, -0.5f)).__x, 0x97);
  expectEqual("four", 0, __nv_fp8x4_e4m3(make_float4(1, 2, -1, 0.5f)).__x, 0x30b84038u);
  float4 back = float4(__nv_fp4x4_e2m1(make_float4(1, -2, 3, 4)));
  expect(back.x == 1 && back.y == -2 && back.z == 3 && back.w == 4, "four", 1, back.x, 1);
}

/// Each bf16 converts as the float that it stands for, and each number of 8 bits is a bf16.
void checkBf16() {
  for (unsigned i = 0; i < 65536; ++i) {
    __nv_bfloat16_raw raw;
    raw.x = static_cast<unsigned short>(i);
    float x = __builtin_bit_cast(float, i << 16);
    expectEqual("bf16 to e4m3", i, __nv_fp8_e4m3(__nv_bfloat16(raw)).__x, __nv_fp8_e4m3(x).__x);
    expectEqual("bf16 to e5m2", i, __nv_cvt_bfloat16raw_to_fp8(raw, __NV_NOSAT, __NV_E5M2),
                __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E5M2));
    expectEqual("bf16 to e3m2", i, __nv_cvt_bfloat16raw_to_fp6(raw, __NV_E3M2, cudaRoundNearest),
                __nv_fp6_e3m2(x).__x);
    expectEqual("bf16 to e8m0", i, __nv_fp8_e8m0(__nv_bfloat16(raw)).__x, __nv_fp8_e8m0(x).__x);
  }
  for (int i = 0; i < 256; ++i) {
    unsigned short bits = __nv_bfloat16_raw(__nv_bfloat16(fromCode<__nv_fp8_e4m3>(i))).x;
    float x = __builtin_bit_cast(float, unsigned(bits) << 16);
    expect(same(x, float(fromCode<__nv_fp8_e4m3>(i))), "bf16", i, x, i);
    bits = __nv_cvt_e8m0_to_bf16raw(static_cast<unsigned char>(i)).x;
    x = __builtin_bit_cast(float, unsigned(bits) << 16);
    expect(same(x, float(fromCode<__nv_fp8_e8m0>(i))), "scale", i, x, i);
  }
}

int main() {
  checkBf16();
  checkEncoding();
  checkDecoding();
  checkOthers();
  return verdict("small_floats");
}
