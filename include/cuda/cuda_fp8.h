//===- cuda_fp8.h - Numbers of 8 bits ---------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header defines the formats e4m3 (no infinity), e5m2 and e8m0 (powers of two),
// the types of one, two and four such numbers, and the conversions by name. Device
// code for compute capability 8.9 or newer uses the hardware's conversions, which
// saturate; everything else is integers.
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__
#pragma GCC system_header

#if defined(__cplusplus)

#include "regrain_small_floats.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

struct regrainBytes {
  typedef __nv_fp8_storage_t One;
  typedef __nv_fp8x2_storage_t Two;
  typedef __nv_fp8x4_storage_t Four;
  static constexpr int bits = 8;
};

/* The conversions that the device has, for the pair of formats that it has them for. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#define REGRAIN_FP8_PAIRS(NAME)                                                                    \
  using Pairs::decodeTwo;                                                                          \
  using Pairs::encodeTwo;                                                                          \
  static __device__ unsigned encodeTwo(float x, float y, bool saturates, cudaRoundMode mode) {     \
    if (!saturates)                                                                                \
      return Pairs::encodeTwo(x, y, saturates, mode);                                              \
    unsigned short codes;                                                                          \
    asm("cvt.rn.satfinite." #NAME "x2.f32 %0, %2, %1;" : "=h"(codes) : "f"(x), "f"(y));            \
    return codes;                                                                                  \
  }                                                                                                \
  static __device__ unsigned encodeTwo(__half2 x, bool saturates, cudaRoundMode mode) {            \
    if (!saturates)                                                                                \
      return Pairs::encodeTwo(x, saturates, mode);                                                 \
    unsigned short codes;                                                                          \
    unsigned int halves = __builtin_bit_cast(unsigned int, x);                                     \
    asm("cvt.rn.satfinite." #NAME "x2.f16x2 %0, %1;" : "=h"(codes) : "r"(halves));                 \
    return codes;                                                                                  \
  }                                                                                                \
  static __device__ __half2 decodeTwo(unsigned codes) {                                            \
    unsigned int halves;                                                                           \
    asm("cvt.rn.f16x2." #NAME "x2 %0, %1;" : "=r"(halves) : "h"((unsigned short)codes));           \
    return __builtin_bit_cast(__half2, halves);                                                    \
  }                                                                                                \
  using Format::decode;                                                                            \
  static __device__ float decode(unsigned code) {                                                  \
    return __low2float(decodeTwo(code & 0xff));                                                    \
  }
#else
#define REGRAIN_FP8_PAIRS(NAME)                                                                    \
  using Pairs::decodeTwo;                                                                          \
  using Pairs::encodeTwo;
#endif

struct regrainE4m3 : regrainBytes,
                     regrainSmallFormat<4, 3, 0x7e, 0x7f, 0x7f>,
                     regrainSmallPairs<regrainE4m3> {
  typedef regrainSmallFormat<4, 3, 0x7e, 0x7f, 0x7f> Format;
  typedef regrainSmallPairs<regrainE4m3> Pairs;
  REGRAIN_FP8_PAIRS(e4m3)
};
struct regrainE5m2 : regrainBytes,
                     regrainSmallFormat<5, 2, 0x7b, 0x7c, 0x7f>,
                     regrainSmallPairs<regrainE5m2> {
  typedef regrainSmallFormat<5, 2, 0x7b, 0x7c, 0x7f> Format;
  typedef regrainSmallPairs<regrainE5m2> Pairs;
  REGRAIN_FP8_PAIRS(e5m2)
};
#undef REGRAIN_FP8_PAIRS

/* Powers of two from 2^-127 to 2^127, without a sign. A number's sign is dropped, and what is
   smaller becomes 2^-127, which stands for 0 as well. */
struct regrainE8m0 : regrainBytes, regrainSmallPairs<regrainE8m0> {
  static constexpr cudaRoundMode rounding = cudaRoundPosInf;

  static __host__ __device__ unsigned encode(double x, bool saturates, cudaRoundMode mode) {
    unsigned long long bits = __builtin_bit_cast(unsigned long long, x) & ~0ull >> 1;
    if (x != x)
      return 0xff;
    int code = (int)(bits >> 52) - 1023 + 127;
    if (mode == cudaRoundPosInf && (bits & ~0ull >> 12))
      ++code;
    /* Rounding towards zero, a finite number is not too large. */
    bool clips = saturates || (mode == cudaRoundZero && bits >> 52 != 0x7ff);
    return code < 0 ? 0 : code <= 0xfe ? (unsigned)code : clips ? 0xfe : 0xff;
  }
  template <class I> static __host__ __device__ unsigned encodeInteger(I x) {
    unsigned long long magnitude = x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x;
    if (magnitude == 0)
      return 0;
    unsigned below = 63 - (unsigned)__builtin_clzll(magnitude);
    return 127 + below + (magnitude & (magnitude - 1) ? 1 : 0);
  }
  static __host__ __device__ bool isNan(unsigned code) { return code == 0xff; }
  static __host__ __device__ float decode(unsigned code) {
    unsigned bits = code == 0 ? 0x400000u : code == 0xff ? 0x7fff0000u : code << 23;
    return __builtin_bit_cast(float, bits);
  }
  static __host__ __device__ bool isNonzero(unsigned) { return true; }
};

REGRAIN_SMALL_TYPES(__nv_fp8, e4m3, regrainE4m3)
REGRAIN_SMALL_TYPES(__nv_fp8, e5m2, regrainE5m2)
REGRAIN_SMALL_TYPES(__nv_fp8, e8m0, regrainE8m0)
#define __CUDA_FP8_TYPES_EXIST__

// Conversions by name
#define REGRAIN_TO_FP8(NAME, TYPE, ...)                                                            \
  REGRAIN_SMALL __nv_fp8_storage_t __nv_cvt_##NAME##_to_fp8(                                       \
      const TYPE x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {      \
    bool saturates = saturate == __NV_SATFINITE;                                                   \
    return (__nv_fp8_storage_t)(kind == __NV_E5M2 ? regrainE5m2::encodeTwo(__VA_ARGS__, saturates, \
                                                                           cudaRoundNearest)       \
                                                  : regrainE4m3::encodeTwo(__VA_ARGS__, saturates, \
                                                                           cudaRoundNearest));     \
  }
#define REGRAIN_TO_FP8_PAIR(NAME, TYPE, ...)                                                       \
  REGRAIN_SMALL __nv_fp8x2_storage_t __nv_cvt_##NAME##_to_fp8x2(                                   \
      const TYPE x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {      \
    bool saturates = saturate == __NV_SATFINITE;                                                   \
    return (__nv_fp8x2_storage_t)(kind == __NV_E5M2                                                \
                                      ? regrainE5m2::encodeTwo(__VA_ARGS__, saturates,             \
                                                               cudaRoundNearest)                   \
                                      : regrainE4m3::encodeTwo(__VA_ARGS__, saturates,             \
                                                               cudaRoundNearest));                 \
  }
REGRAIN_TO_FP8(double, double, x, 0.0)
REGRAIN_TO_FP8(float, float, x, 0.0f)
REGRAIN_TO_FP8(halfraw, __half_raw, __half2(__half(x), __half(__half_raw{0})))
REGRAIN_TO_FP8(bfloat16raw, __nv_bfloat16_raw, __bfloat162float(x), 0.0f)
REGRAIN_TO_FP8_PAIR(bfloat16raw2, __nv_bfloat162_raw, __low2float(__nv_bfloat162(x)), __high2float(__nv_bfloat162(x)))
REGRAIN_TO_FP8_PAIR(double2, double2, x.x, x.y)
REGRAIN_TO_FP8_PAIR(float2, float2, x.x, x.y)
REGRAIN_TO_FP8_PAIR(halfraw2, __half2_raw, __half2(x))
#undef REGRAIN_TO_FP8
#undef REGRAIN_TO_FP8_PAIR

REGRAIN_SMALL __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                                     const __nv_fp8_interpretation_t kind) {
  return kind == __NV_E5M2 ? regrainE5m2::decodeTwo(x) : regrainE4m3::decodeTwo(x);
}
REGRAIN_SMALL __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x,
                                                 const __nv_fp8_interpretation_t kind) {
  __half_raw low = {__nv_cvt_fp8x2_to_halfraw2(x, kind).x};
  return low;
}

/* The rounding is cudaRoundZero or cudaRoundPosInf. */
#define REGRAIN_TO_E8M0(NAME, TYPE)                                                                \
  REGRAIN_SMALL __nv_fp8_storage_t __nv_cvt_##NAME##_to_e8m0(                                      \
      const TYPE x, const __nv_saturation_t saturate, const enum cudaRoundMode rounding) {         \
    return (__nv_fp8_storage_t)regrainE8m0::encode(x, saturate == __NV_SATFINITE, rounding);       \
  }                                                                                                \
  REGRAIN_SMALL __nv_fp8x2_storage_t __nv_cvt_##NAME##2_to_e8m0x2(                                 \
      const TYPE##2 x, const __nv_saturation_t saturate, const enum cudaRoundMode rounding) {      \
    return (__nv_fp8x2_storage_t)regrainE8m0::encodeTwo(x.x, x.y, saturate == __NV_SATFINITE,      \
                                                        rounding);                                 \
  }
REGRAIN_TO_E8M0(float, float)
REGRAIN_TO_E8M0(double, double)
#undef REGRAIN_TO_E8M0
REGRAIN_SMALL __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(const __nv_bfloat16_raw x,
                                                              const __nv_saturation_t saturate,
                                                              const enum cudaRoundMode rounding) {
  return __nv_cvt_float_to_e8m0(__bfloat162float(x), saturate, rounding);
}
REGRAIN_SMALL __nv_fp8x2_storage_t
__nv_cvt_bfloat162raw_to_e8m0x2(const __nv_bfloat162_raw x, const __nv_saturation_t saturate,
                                const enum cudaRoundMode rounding) {
  return __nv_cvt_float2_to_e8m0x2(__bfloat1622float2(x), saturate, rounding);
}
REGRAIN_SMALL __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x) {
  return __float2bfloat16(regrainE8m0::decode(x));
}
REGRAIN_SMALL __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t x) {
  return __float22bfloat162_rn(
      make_float2(regrainE8m0::decode(x & 0xff), regrainE8m0::decode((unsigned)x >> 8)));
}

#endif

#endif
