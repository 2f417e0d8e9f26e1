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

#include "vector_types.h"

#define __CUDA_FP16_TYPES_EXIST__

typedef struct __align__(2) {
  unsigned short x;
} __half_raw;
typedef struct __align__(4) {
  unsigned short x, y;
} __half2_raw;

#if defined(__cplusplus)

#include "regrain_fp16_rounding.h"

struct __nv_bfloat16;

struct regrainHalf {
  static const unsigned short infinity = 0x7c00, one = 0x3c00;
  static __inline__ __host__ __device__ unsigned short nearest(float a) {
    return __builtin_bit_cast(unsigned short, (_Float16)a);
  }
  static __inline__ __host__ __device__ unsigned short nearest(double a) {
    return __builtin_bit_cast(unsigned short, (_Float16)a);
  }
  static __inline__ __host__ __device__ float value(unsigned short bits) {
    return (float)__builtin_bit_cast(_Float16, bits);
  }
  /* An integer that float has to round exceeds every half. */
  template <class Integer> static __inline__ __host__ __device__ float fromWhole(Integer a) {
    return (float)a;
  }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 530
  typedef _Float16 Pair __attribute__((ext_vector_type(2)));
  static __inline__ __device__ regrainFloat2 value2(unsigned int bits) {
    return __builtin_convertvector(__builtin_bit_cast(Pair, bits), regrainFloat2);
  }
  static __inline__ __device__ unsigned int nearest2(regrainFloat2 a) {
    return __builtin_bit_cast(unsigned int, __builtin_convertvector(a, Pair));
  }
  static __inline__ __device__ unsigned short fuse(unsigned short a, unsigned short b,
                                                   unsigned short c) {
    return __builtin_bit_cast(unsigned short, __builtin_fmaf16(__builtin_bit_cast(_Float16, a),
                                                               __builtin_bit_cast(_Float16, b),
                                                               __builtin_bit_cast(_Float16, c)));
  }
  static __inline__ __device__ unsigned int fuse2(unsigned int a, unsigned int b, unsigned int c) {
    return __builtin_bit_cast(unsigned int, __builtin_elementwise_fma(__builtin_bit_cast(Pair, a),
                                                                      __builtin_bit_cast(Pair, b),
                                                                      __builtin_bit_cast(Pair, c)));
  }
#else
  REGRAIN_EACH_HALF(regrainHalf)
#endif
};

#define REGRAIN_SCALAR __half
#define REGRAIN_SCALAR_RAW __half_raw
#define REGRAIN_PAIR __half2
#define REGRAIN_PAIR_RAW __half2_raw
#define REGRAIN_OTHER __nv_bfloat16
#define REGRAIN_FORMAT regrainHalf
#define REGRAIN_NAME half
#define REGRAIN_NAME2 half2
#if !defined(__CUDA_NO_HALF_CONVERSIONS__)
#define REGRAIN_CONVERTS
#endif
#if !defined(__CUDA_NO_HALF_OPERATORS__)
#define REGRAIN_OPERATORS
#endif
#if !defined(__CUDA_NO_HALF2_OPERATORS__)
#define REGRAIN_OPERATORS2
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define REGRAIN_ATOMIC_NUMBER _Float16
#define REGRAIN_ATOMIC_NAME(NAME) __h##NAME
#endif
#include "regrain_fp16_family.inc"

#if !defined(CUDA_NO_HALF)
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

#endif

#endif
