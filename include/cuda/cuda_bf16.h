//===- cuda_bf16.h - Bfloat16 precision -------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header defines __nv_bfloat16 and __nv_bfloat162, on the host as in kernels.
// Each operation rounds once, to nearest even, and returns 0x7fff for a NaN. GPUs of
// sm_80 and newer use their own conversion and fused multiply-add; all other devices
// compute the same bits in float and in integers (regrain_bf16_rounding.h).
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__
#pragma GCC system_header

#define __CUDA_BF16_TYPES_EXIST__

#if defined(__cplusplus)

#include "cuda_fp16.h"
#include "regrain_bf16_rounding.h"

#define REGRAIN_BF16 static __inline__ __host__ __device__

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __align__(4) __nv_bfloat162_raw {
  unsigned short x, y;
};

struct __align__(2) __nv_bfloat16 {
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw &raw) : __x(raw.x) {}
  __host__ __device__ __nv_bfloat16(float value) : __x(regrainBf16Bits(value)) {}
  __host__ __device__ __nv_bfloat16(double value)
      : __x(regrainBf16Bits(regrainRoundToOdd(value))) {}
  __host__ __device__ explicit __nv_bfloat16(const __half &value)
      : __nv_bfloat16((float)value) {}
#define REGRAIN_BF16_FROM(TYPE)                                                \
  __host__ __device__ __nv_bfloat16(TYPE value)                                \
      : __x(regrainBf16Bits(regrainIntegerToOdd(value))) {}
  REGRAIN_BF16_FROM(short)
  REGRAIN_BF16_FROM(unsigned short)
  REGRAIN_BF16_FROM(int)
  REGRAIN_BF16_FROM(unsigned int)
  REGRAIN_BF16_FROM(long)
  REGRAIN_BF16_FROM(unsigned long)
  REGRAIN_BF16_FROM(long long)
  REGRAIN_BF16_FROM(unsigned long long)
#undef REGRAIN_BF16_FROM

  __host__ __device__ operator __nv_bfloat16_raw() const {
    __nv_bfloat16_raw raw = {__x};
    return raw;
  }
  __host__ __device__ operator float() const {
    return __builtin_bit_cast(float, (unsigned int)__x << 16);
  }

protected:
  unsigned short __x;
};
typedef __nv_bfloat16 nv_bfloat16;

struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(const __nv_bfloat16 &low, const __nv_bfloat16 &high)
      : x(low), y(high) {}
  __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw &raw)
      : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
  __host__ __device__ operator __nv_bfloat162_raw() const {
    __nv_bfloat162_raw raw = {((__nv_bfloat16_raw)x).x, ((__nv_bfloat16_raw)y).x};
    return raw;
  }
};
typedef __nv_bfloat162 nv_bfloat162;

#define REGRAIN_SCALAR __nv_bfloat16
#define REGRAIN_SCALAR_RAW __nv_bfloat16_raw
#define REGRAIN_PAIR __nv_bfloat162
#define REGRAIN_PAIR_RAW __nv_bfloat162_raw
#include "regrain_bf16_conversions.inc"
#include "regrain_bf16_arithmetic.inc"
#if defined(__CUDACC__)
#include "regrain_16_bits.inc"
#endif
#undef REGRAIN_SCALAR
#undef REGRAIN_SCALAR_RAW
#undef REGRAIN_PAIR
#undef REGRAIN_PAIR_RAW

#undef REGRAIN_BF16

#endif

#endif
