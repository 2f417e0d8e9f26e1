//===- cuda_fp4.h - Numbers of 4 bits ---------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header defines the format e2m1, which has neither infinities nor NaN:
// conversions saturate, and a NaN becomes the largest number. Two numbers share a
// byte.
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_FP4_H__
#define __CUDA_FP4_H__
#pragma GCC system_header

#if defined(__cplusplus)

#include "cuda_fp6.h"

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;

typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

struct regrainE2m1 : regrainSmallFormat<2, 1, 0x7, 0x7, 0x7>, regrainSmallPairs<regrainE2m1> {
  typedef __nv_fp4_storage_t One;
  typedef __nv_fp4x2_storage_t Two;
  typedef __nv_fp4x4_storage_t Four;
  static constexpr int bits = 4;
};

REGRAIN_SMALL_TYPES(__nv_fp4, e2m1, regrainE2m1)
#define __CUDA_FP4_TYPES_EXIST__

// Conversions by name
#define REGRAIN_TO_FP4(NAME, RESULT, TYPE, ...)                                                    \
  REGRAIN_SMALL RESULT __nv_cvt_##NAME(const TYPE x, const __nv_fp4_interpretation_t,              \
                                       const enum cudaRoundMode rounding) {                        \
    return (RESULT)regrainE2m1::encodeTwo(__VA_ARGS__, true, rounding);                            \
  }
REGRAIN_SMALL_SOURCES(REGRAIN_TO_FP4, fp4, __nv_fp4_storage_t, __nv_fp4x2_storage_t)
#undef REGRAIN_TO_FP4

REGRAIN_SMALL __half2_raw __nv_cvt_fp4x2_to_halfraw2(const __nv_fp4x2_storage_t x,
                                                     const __nv_fp4_interpretation_t) {
  return regrainE2m1::decodeTwo(x);
}
REGRAIN_SMALL __half_raw __nv_cvt_fp4_to_halfraw(const __nv_fp4_storage_t x,
                                                 const __nv_fp4_interpretation_t kind) {
  __half_raw low = {__nv_cvt_fp4x2_to_halfraw2(x, kind).x};
  return low;
}

#endif

#endif
