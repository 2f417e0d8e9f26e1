//===- cuda_fp16.h - Half precision -----------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header defines half and half2 over the compiler's _Float16, on the host as
// in kernels. Each operation rounds once, to nearest even, as the hardware does; a
// kernel may fuse a product with a sum, unless both are written with the functions
// that end in _rn.
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__
#pragma GCC system_header

#if defined(__cplusplus)

#include "regrain_float_to_integer.h"
#include "vector_functions.h"
#include <math.h>

#define REGRAIN_HALF static __inline__ __host__ __device__

struct __half_raw {
  unsigned short x;
};
struct __align__(4) __half2_raw {
  unsigned short x, y;
};

struct __nv_bfloat16;

struct __align__(2) __half {
  __half() = default;
  __host__ __device__ __half(const __half_raw &raw) : __x(raw.x) {}
  __host__ __device__ __half(_Float16 value) : __x(__builtin_bit_cast(unsigned short, value)) {}
  __host__ __device__ __half(float value) : __half((_Float16)value) {}
  __host__ __device__ __half(double value) : __half((_Float16)value) {}
  __host__ __device__ __half(short value) : __half((_Float16)value) {}
  __host__ __device__ __half(unsigned short value) : __half((_Float16)value) {}
  __host__ __device__ __half(int value) : __half((_Float16)value) {}
  __host__ __device__ __half(unsigned int value) : __half((_Float16)value) {}
  __host__ __device__ __half(long long value) : __half((_Float16)value) {}
  __host__ __device__ __half(unsigned long long value) : __half((_Float16)value) {}
  explicit __host__ __device__ __half(__nv_bfloat16 value); // cuda_bf16.h defines it
  __host__ __device__ operator __half_raw() const volatile {
    __half_raw raw = {__x};
    return raw;
  }

  __host__ __device__ operator __half_raw() const {
    __half_raw raw = {__x};
    return raw;
  }
  __host__ __device__ operator float() const { return (float)value(); }
  __host__ __device__ _Float16 value() const { return __builtin_bit_cast(_Float16, __x); }

protected:
  unsigned short __x;
};
typedef __half half;
typedef __half nv_half;
typedef __half __nv_half;

struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __half2(const __half &low, const __half &high) : x(low), y(high) {}
  __host__ __device__ __half2(const __half2_raw &raw)
      : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  __host__ __device__ operator __half2_raw() const {
    __half2_raw raw = {((__half_raw)x).x, ((__half_raw)y).x};
    return raw;
  }
};
typedef __half2 half2;
typedef __half2 nv_half2;
typedef __half2 __nv_half2;

// Conversions
REGRAIN_HALF __half __float2half(float a) { return __half(a); }
REGRAIN_HALF __half __float2half_rn(float a) { return __half(a); }
REGRAIN_HALF __half __double2half(double a) { return __half(a); }
REGRAIN_HALF float __half2float(__half a) { return (float)a; }
REGRAIN_HALF __half __int2half_rn(int a) { return __half(a); }
REGRAIN_HALF __half __uint2half_rn(unsigned int a) { return __half(a); }
REGRAIN_HALF __half __short2half_rn(short a) { return __half(a); }
REGRAIN_HALF __half __ll2half_rn(long long a) { return __half(a); }
REGRAIN_HALF int __half2int_rz(__half a) { return regrainToInteger<int>((float)a); }
REGRAIN_HALF int __half2int_rn(__half a) { return regrainToInteger<int>(::rintf((float)a)); }
REGRAIN_HALF int __half2int_rd(__half a) { return regrainToInteger<int>(::floorf((float)a)); }
REGRAIN_HALF int __half2int_ru(__half a) { return regrainToInteger<int>(::ceilf((float)a)); }
REGRAIN_HALF unsigned int __half2uint_rn(__half a) { return regrainToInteger<unsigned int>(::rintf((float)a)); }
REGRAIN_HALF unsigned int __half2uint_rz(__half a) { return regrainToInteger<unsigned int>((float)a); }
REGRAIN_HALF short __half_as_short(__half a) { return (short)((__half_raw)a).x; }
REGRAIN_HALF unsigned short __half_as_ushort(__half a) { return ((__half_raw)a).x; }
REGRAIN_HALF __half __ushort_as_half(unsigned short a) { return __half(__half_raw{a}); }
REGRAIN_HALF __half __short_as_half(short a) {
  return __half(__half_raw{(unsigned short)a});
}
REGRAIN_HALF __half2 __halves2half2(__half low, __half high) { return __half2(low, high); }
REGRAIN_HALF __half2 make_half2(__half low, __half high) { return __half2(low, high); }
REGRAIN_HALF __half2 __half2half2(__half a) { return __half2(a, a); }
REGRAIN_HALF __half2 __float2half2_rn(float a) { return __half2(__half(a), __half(a)); }
REGRAIN_HALF __half2 __floats2half2_rn(float low, float high) {
  return __half2(__half(low), __half(high));
}
REGRAIN_HALF __half2 __float22half2_rn(float2 a) { return __floats2half2_rn(a.x, a.y); }
REGRAIN_HALF float2 __half22float2(__half2 a) { return make_float2((float)a.x, (float)a.y); }
REGRAIN_HALF float __low2float(__half2 a) { return (float)a.x; }
REGRAIN_HALF float __high2float(__half2 a) { return (float)a.y; }
REGRAIN_HALF __half __low2half(__half2 a) { return a.x; }
REGRAIN_HALF __half __high2half(__half2 a) { return a.y; }
REGRAIN_HALF __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
REGRAIN_HALF __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
REGRAIN_HALF __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }
REGRAIN_HALF __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
REGRAIN_HALF __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }

// Arithmetic
#define REGRAIN_HALF_BINARY(NAME, OPERATOR)                                      \
  REGRAIN_HALF __half __h##NAME(__half a, __half b) {                          \
    return __half((_Float16)(a.value() OPERATOR b.value()));                   \
  }                                                                            \
  REGRAIN_HALF __half2 __h##NAME##2(__half2 a, __half2 b) {                    \
    return __half2(__h##NAME(a.x, b.x), __h##NAME(a.y, b.y));                  \
  }                                                                            \
  REGRAIN_HALF __half operator OPERATOR(const __half &a, const __half &b) {    \
    return __h##NAME(a, b);                                                    \
  }                                                                            \
  REGRAIN_HALF __half &operator OPERATOR##=(__half &a, const __half &b) {      \
    return a = __h##NAME(a, b);                                                \
  }                                                                            \
  REGRAIN_HALF __half2 operator OPERATOR(const __half2 &a, const __half2 &b) { \
    return __h##NAME##2(a, b);                                                 \
  }                                                                            \
  REGRAIN_HALF __half2 &operator OPERATOR##=(__half2 &a, const __half2 &b) {   \
    return a = __h##NAME##2(a, b);                                             \
  }

REGRAIN_HALF_BINARY(add, +)
REGRAIN_HALF_BINARY(sub, -)
REGRAIN_HALF_BINARY(mul, *)
REGRAIN_HALF __half __hdiv(__half a, __half b) { return __half((float)a / (float)b); }
REGRAIN_HALF __half2 __h2div(__half2 a, __half2 b) {
  return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
REGRAIN_HALF __half operator/(const __half &a, const __half &b) { return __hdiv(a, b); }
REGRAIN_HALF __half2 operator/(const __half2 &a, const __half2 &b) { return __h2div(a, b); }
REGRAIN_HALF __half &operator/=(__half &a, const __half &b) { return a = __hdiv(a, b); }
#undef REGRAIN_HALF_BINARY

#if defined(__CUDA_ARCH__)
#define REGRAIN_ROUNDED(NAME, OPERATOR) __f##NAME##_rn((float)a, (float)b)
#else
#define REGRAIN_ROUNDED(NAME, OPERATOR) ((float)a OPERATOR (float)b)
#endif
/* float has enough bits that rounding twice equals rounding once. */
#define REGRAIN_HALF_ROUNDED(NAME, OPERATOR)                                     \
  REGRAIN_HALF __half __h##NAME##_rn(__half a, __half b) {                     \
    return __half(REGRAIN_ROUNDED(NAME, OPERATOR));                            \
  }                                                                            \
  REGRAIN_HALF __half2 __h##NAME##2_rn(__half2 a, __half2 b) {                 \
    return __half2(__h##NAME##_rn(a.x, b.x), __h##NAME##_rn(a.y, b.y));        \
  }
REGRAIN_HALF_ROUNDED(add, +)
REGRAIN_HALF_ROUNDED(sub, -)
REGRAIN_HALF_ROUNDED(mul, *)
#undef REGRAIN_HALF_ROUNDED
#undef REGRAIN_ROUNDED

REGRAIN_HALF __half __hneg(__half a) { return __half((_Float16)-a.value()); }
REGRAIN_HALF __half operator-(const __half &a) { return __hneg(a); }
REGRAIN_HALF __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
REGRAIN_HALF __half2 operator-(const __half2 &a) { return __hneg2(a); }
REGRAIN_HALF __half __habs(__half a) {
  return __ushort_as_half((unsigned short)(__half_as_ushort(a) & 0x7fff));
}
REGRAIN_HALF __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }
REGRAIN_HALF __half __hfma(__half a, __half b, __half c) {
#if defined(__CUDA_ARCH__)
  return __half(__builtin_fmaf16(a.value(), b.value(), c.value()));
#else
  /* The product is exact in double, and rounding the sum in double never changes how half rounds
     it. */
  return __half((double)(float)a * (double)(float)b + (double)(float)c);
#endif
}
REGRAIN_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}

#define REGRAIN_SCALAR __half
#define REGRAIN_SCALAR_RAW __half_raw
#define REGRAIN_PAIR __half2
#define REGRAIN_PAIR_RAW __half2_raw
#include "regrain_16_bits_comparisons.inc"
REGRAIN_HALF bool __hisnan(__half a) { return (__half_as_ushort(a) & 0x7fff) > 0x7c00; }
REGRAIN_HALF int __hisinf(__half a) {
  unsigned short bits = __half_as_ushort(a);
  return bits == 0x7c00 ? 1 : bits == 0xfc00 ? -1 : 0;
}
REGRAIN_HALF __half __hmax(__half a, __half b) { return __half(::fmaxf((float)a, (float)b)); }
REGRAIN_HALF __half __hmin(__half a, __half b) { return __half(::fminf((float)a, (float)b)); }
REGRAIN_HALF __half2 __hmax2(__half2 a, __half2 b) {
  return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
REGRAIN_HALF __half2 __hmin2(__half2 a, __half2 b) {
  return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}

// Math, through float
#define REGRAIN_HALF_UNARY(NAME, FUNCTION)                                       \
  REGRAIN_HALF __half h##NAME(__half a) { return __half(::FUNCTION((float)a)); } \
  REGRAIN_HALF __half2 h2##NAME(__half2 a) { return __half2(h##NAME(a.x), h##NAME(a.y)); }
REGRAIN_HALF_UNARY(sqrt, sqrtf)
REGRAIN_HALF_UNARY(exp, expf)
REGRAIN_HALF_UNARY(exp2, exp2f)
REGRAIN_HALF_UNARY(log, logf)
REGRAIN_HALF_UNARY(log2, log2f)
REGRAIN_HALF_UNARY(log10, log10f)
REGRAIN_HALF_UNARY(sin, sinf)
REGRAIN_HALF_UNARY(cos, cosf)
REGRAIN_HALF_UNARY(floor, floorf)
REGRAIN_HALF_UNARY(ceil, ceilf)
REGRAIN_HALF_UNARY(trunc, truncf)
REGRAIN_HALF_UNARY(rint, rintf)
#undef REGRAIN_HALF_UNARY
REGRAIN_HALF __half hrsqrt(__half a) { return __half(1.0f / ::sqrtf((float)a)); }
REGRAIN_HALF __half hrcp(__half a) { return __half(1.0f / (float)a); }
REGRAIN_HALF __half2 h2rsqrt(__half2 a) { return __half2(hrsqrt(a.x), hrsqrt(a.y)); }
REGRAIN_HALF __half2 h2rcp(__half2 a) { return __half2(hrcp(a.x), hrcp(a.y)); }

#undef REGRAIN_HALF

#if defined(__CUDACC__)
#include "regrain_16_bits.inc"
#endif
#undef REGRAIN_SCALAR
#undef REGRAIN_SCALAR_RAW
#undef REGRAIN_PAIR
#undef REGRAIN_PAIR_RAW

#endif

#endif
