//===- regrain_float_to_integer.h - Integers from small floats --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header has the conversion to integers that the floating-point types of 16 bits
// and fewer share.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_FLOAT_TO_INTEGER_H
#define REGRAIN_FLOAT_TO_INTEGER_H
#pragma GCC system_header

/* Converts as the device does: towards zero, to the nearest integer that I has. A NaN becomes 0,
   and the highest bit in 64 bits. */
template <class I> static __inline__ __host__ __device__ I regrainToInteger(float x) {
  constexpr bool isSigned = (I)-1 < (I)0;
  constexpr int digits = 8 * (int)sizeof(I) - (isSigned ? 1 : 0);
  constexpr I largest = (I)(~0ull >> (64 - digits)), least = isSigned ? (I)(-largest - 1) : (I)0;
#if defined(__CUDA_ARCH__)
  if (sizeof(I) == 8)
    return isSigned ? (I)__float2ll_rz(x) : (I)__float2ull_rz(x);
  if (sizeof(I) == 4)
    return isSigned ? (I)__float2int_rz(x) : (I)__float2uint_rz(x);
  int whole = __float2int_rz(x);
  return whole < (int)least ? least : whole > (int)largest ? largest : (I)whole;
#else
  if (x != x)
    return sizeof(I) == 8 ? (I)(1ull << 63) : (I)0;
  if (x >= 2.0f * (float)(1ull << (digits - 1)))
    return largest;
  return x <= (float)least ? least : (I)x;
#endif
}

#endif
