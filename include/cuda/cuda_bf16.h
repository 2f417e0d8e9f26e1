//===- cuda_bf16.h - Numbers in bfloat16 ------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header defines __nv_bfloat16 and __nv_bfloat162. Machines of compute capability
// 8.0 have instructions for them, which the compiler's __bf16 becomes. Everywhere else,
// the host included, integers round a float. Each operation rounds once, to nearest
// even.
//
//===----------------------------------------------------------------------===//
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__
#pragma GCC system_header

#include "cuda_fp16.h"

#define __CUDA_BF16_TYPES_EXIST__

typedef struct __align__(2) {
  unsigned short x;
} __nv_bfloat16_raw;
typedef struct __align__(4) {
  unsigned short x, y;
} __nv_bfloat162_raw;

#if defined(__cplusplus)

struct regrainBfloat16 {
  static const unsigned short infinity = 0x7f80, one = 0x3f80;
  template <class Integer> static __inline__ __host__ __device__ float fromWhole(Integer a) {
    return regrainToOdd(a);
  }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  typedef __bf16 Pair __attribute__((ext_vector_type(2)));
  static __inline__ __device__ float value(unsigned short bits) {
    return (float)__builtin_bit_cast(__bf16, bits);
  }
  static __inline__ __device__ unsigned short nearest(float a) {
    return __builtin_bit_cast(unsigned short, (__bf16)a);
  }
  static __inline__ __device__ unsigned short nearest(double a) {
    return __builtin_bit_cast(unsigned short, (__bf16)a);
  }
  static __inline__ __device__ regrainFloat2 value2(unsigned int bits) {
    return __builtin_convertvector(__builtin_bit_cast(Pair, bits), regrainFloat2);
  }
  static __inline__ __device__ unsigned int nearest2(regrainFloat2 a) {
    return __builtin_bit_cast(unsigned int, __builtin_convertvector(a, Pair));
  }
  static __inline__ __device__ unsigned short fuse(unsigned short a, unsigned short b,
                                                   unsigned short c) {
    return __builtin_bit_cast(unsigned short,
                              __builtin_elementwise_fma(__builtin_bit_cast(__bf16, a),
                                                        __builtin_bit_cast(__bf16, b),
                                                        __builtin_bit_cast(__bf16, c)));
  }
  static __inline__ __device__ unsigned int fuse2(unsigned int a, unsigned int b, unsigned int c) {
    return __builtin_bit_cast(unsigned int, __builtin_elementwise_fma(__builtin_bit_cast(Pair, a),
                                                                      __builtin_bit_cast(Pair, b),
                                                                      __builtin_bit_cast(Pair, c)));
  }
#else
  static __inline__ __host__ __device__ float value(unsigned short bits) {
    return __builtin_bit_cast(float, (unsigned int)bits << 16);
  }
  static __inline__ __host__ __device__ unsigned short nearest(float a) {
    unsigned int bits = __builtin_bit_cast(unsigned int, a);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
      return 0x7fff;
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
  static __inline__ __host__ __device__ unsigned short nearest(double a) {
    return nearest(regrainToOdd(a));
  }
  REGRAIN_EACH_HALF(regrainBfloat16)
#endif
};

#define REGRAIN_SCALAR __nv_bfloat16
#define REGRAIN_SCALAR_RAW __nv_bfloat16_raw
#define REGRAIN_PAIR __nv_bfloat162
#define REGRAIN_PAIR_RAW __nv_bfloat162_raw
#define REGRAIN_OTHER __half
#define REGRAIN_FORMAT regrainBfloat16
#define REGRAIN_NAME bfloat16
#define REGRAIN_NAME2 bfloat162
#if !defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
#define REGRAIN_CONVERTS
#endif
#if !defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#define REGRAIN_OPERATORS
#endif
#if !defined(__CUDA_NO_BFLOAT162_OPERATORS__)
#define REGRAIN_OPERATORS2
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define REGRAIN_ATOMIC_NUMBER __bf16
#define REGRAIN_ATOMIC_NAME(NAME) __b##NAME
#endif
#include "regrain_fp16_family.inc"

#if !defined(__CUDA_NO_HALF_CONVERSIONS__)
__inline__ __host__ __device__ __half::__half(const __nv_bfloat16 other)
    : __x(regrainHalf::nearest(regrainValue(other))) {}
#endif
#if !defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
__inline__ __host__ __device__ __nv_bfloat16::__nv_bfloat16(const __half other)
    : __x(regrainBfloat16::nearest(regrainValue(other))) {}
#endif

#if !defined(CUDA_NO_BFLOAT16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

#endif

#endif
