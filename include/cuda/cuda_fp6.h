//===- cuda_fp6.h - Numbers of 6 bits ---------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header defines the formats e2m3 and e3m2, which have neither infinities nor
// NaN: conversions saturate, and a NaN becomes the largest number. Each number has
// a byte of its own, also in a vector.
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_FP6_H__
#define __CUDA_FP6_H__
#pragma GCC system_header

#if defined(__cplusplus)

#include "cuda_fp8.h"

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;

typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

struct regrainE2m3 : regrainBytes,
                     regrainSmallFormat<2, 3, 0x1f, 0x1f, 0x1f>,
                     regrainSmallPairs<regrainE2m3> {};
struct regrainE3m2 : regrainBytes,
                     regrainSmallFormat<3, 2, 0x1f, 0x1f, 0x1f>,
                     regrainSmallPairs<regrainE3m2> {};

REGRAIN_SMALL_TYPES(__nv_fp6, e2m3, regrainE2m3)
REGRAIN_SMALL_TYPES(__nv_fp6, e3m2, regrainE3m2)
#define __CUDA_FP6_TYPES_EXIST__

// Conversions by name
#define REGRAIN_TO_FP6(NAME, RESULT, TYPE, ...)                                                    \
  REGRAIN_SMALL RESULT __nv_cvt_##NAME(const TYPE x, const __nv_fp6_interpretation_t kind,         \
                                       const enum cudaRoundMode rounding) {                        \
    return (RESULT)(kind == __NV_E3M2 ? regrainE3m2::encodeTwo(__VA_ARGS__, true, rounding)        \
                                      : regrainE2m3::encodeTwo(__VA_ARGS__, true, rounding));      \
  }
REGRAIN_SMALL_SOURCES(REGRAIN_TO_FP6, fp6, __nv_fp6_storage_t, __nv_fp6x2_storage_t)
#undef REGRAIN_TO_FP6

REGRAIN_SMALL __half2_raw __nv_cvt_fp6x2_to_halfraw2(const __nv_fp6x2_storage_t x,
                                                     const __nv_fp6_interpretation_t kind) {
  return kind == __NV_E3M2 ? regrainE3m2::decodeTwo(x) : regrainE2m3::decodeTwo(x);
}
REGRAIN_SMALL __half_raw __nv_cvt_fp6_to_halfraw(const __nv_fp6_storage_t x,
                                                 const __nv_fp6_interpretation_t kind) {
  __half_raw low = {__nv_cvt_fp6x2_to_halfraw2(x, kind).x};
  return low;
}

#endif

#endif
