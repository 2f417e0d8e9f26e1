//===- regrain_fp16_rounding.h - Rounding to numbers of 16 bits -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These templates are shared by half and bfloat16. A Format is a structure with
//   nearest(float), nearest(double)  the bits of the nearest number, ties to even;
//   value(bits)                      the number as a float, which is exact;
//   fuse(a, b, c)                    the bits of a * b + c, rounded once;
//   fromWhole(integer)               a float that rounds as the integer does;
//   nearest2, value2, fuse2          the same for two numbers in 32 bits;
// and the bits of some numbers.
//
// A value is rounded in two steps without error if the first one rounds to odd: where
// the result is not exact, its last bit is 1, so that it is never halfway between two
// numbers of the second, shorter format.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_FP16_ROUNDING_H
#define REGRAIN_FP16_ROUNDING_H
#pragma GCC system_header

#include "regrain_float_to_integer.h"
#include "vector_functions.h"
#include <math.h>

#define REGRAIN_BOTH static __inline__ __host__ __device__

enum regrainRounding { regrainNearest, regrainTowardZero, regrainDown, regrainUp };

typedef float regrainFloat2 __attribute__((vector_size(8)));

REGRAIN_BOTH unsigned int regrainJoin(unsigned short low, unsigned short high) {
  return low | (unsigned int)high << 16;
}

/* Rounds to odd. The result is the nearest number, or the neighbour on the other side. */
REGRAIN_BOTH float regrainMakeOdd(float near, bool isTooSmall, bool isTooLarge) {
  unsigned int bits = __builtin_bit_cast(unsigned int, near);
  if ((bits & 1) == 0 && (isTooSmall || isTooLarge))
    bits += (isTooSmall == ((bits >> 31) == 0)) ? 1 : -1;
  return __builtin_bit_cast(float, bits);
}
REGRAIN_BOTH float regrainToOdd(double a) {
  float near = (float)a;
  return regrainMakeOdd(near, (double)near<a, (double)near> a);
}
REGRAIN_BOTH float regrainToOdd(unsigned long long a) {
  float near = (float)a;
  bool isTooLarge = near >= 0x1p64f || (unsigned long long)near > a;
  return regrainMakeOdd(near, !isTooLarge && (unsigned long long)near < a, isTooLarge);
}
REGRAIN_BOTH float regrainToOdd(long long a) {
  float magnitude = regrainToOdd(a < 0 ? 0 - (unsigned long long)a : (unsigned long long)a);
  return a < 0 ? -magnitude : magnitude;
}

/* The product of two short numbers is exact in double. What the sum loses is recovered by Knuth's
   exact sum of two numbers, and makes the sum odd. No option may reorder these sums. */
template <class Format>
REGRAIN_BOTH unsigned short regrainFuse(unsigned short a, unsigned short b, unsigned short c) {
  double product = (double)Format::value(a) * (double)Format::value(b), addend = Format::value(c);
#if defined(__CUDA_ARCH__)
  double sum = __dadd_rn(product, addend);
  double part = __dadd_rn(sum, -product);
  double lost = __dadd_rn(__dadd_rn(product, -__dadd_rn(sum, -part)), __dadd_rn(addend, -part));
#else
  volatile double sum = product + addend, part = sum - product, whole = sum - part;
  volatile double rest = product - whole, other = addend - part;
  double lost = rest + other;
#endif
  unsigned long long bits = __builtin_bit_cast(unsigned long long, (double)sum);
  if ((bits & 1) == 0 && (lost > 0 || lost < 0))
    bits += (lost > 0) == (sum > 0) ? 1 : -1;
  return Format::nearest(__builtin_bit_cast(double, bits));
}

/* Defines the operations on pairs by those on their halves, for FORMAT, whose machine has none. */
#define REGRAIN_EACH_HALF(FORMAT)                                                                  \
  static __inline__ __host__ __device__ regrainFloat2 value2(unsigned int bits) {                  \
    return regrainFloat2{value((unsigned short)bits), value((unsigned short)(bits >> 16))};        \
  }                                                                                                \
  static __inline__ __host__ __device__ unsigned int nearest2(regrainFloat2 a) {                   \
    return regrainJoin(nearest(a[0]), nearest(a[1]));                                              \
  }                                                                                                \
  static __inline__ __host__ __device__ unsigned short fuse(unsigned short a, unsigned short b,    \
                                                            unsigned short c) {                    \
    return regrainFuse<FORMAT>(a, b, c);                                                           \
  }                                                                                                \
  static __inline__ __host__ __device__ unsigned int fuse2(unsigned int a, unsigned int b,         \
                                                           unsigned int c) {                       \
    return regrainJoin(                                                                            \
        fuse((unsigned short)a, (unsigned short)b, (unsigned short)c),                             \
        fuse((unsigned short)(a >> 16), (unsigned short)(b >> 16), (unsigned short)(c >> 16)));    \
  }

/* Goes from the nearest number to its neighbour where the rounding asks for it. */
template <class Format, regrainRounding Rounding>
REGRAIN_BOTH unsigned short regrainRound(float a) {
  unsigned short bits = Format::nearest(a);
  if (Rounding == regrainNearest)
    return bits;
  float near = Format::value(bits);
  bool isAbove = near > a && (Rounding == regrainDown || (Rounding == regrainTowardZero && a > 0));
  bool isBelow = near < a && (Rounding == regrainUp || (Rounding == regrainTowardZero && a < 0));
  if (isAbove || isBelow)
    bits = (unsigned short)(((bits >> 15) != 0) == isAbove ? bits + 1 : bits - 1);
  return bits;
}

/* Returns the whole number that the rounding gives. */
template <regrainRounding Rounding> REGRAIN_BOTH float regrainWhole(float a) {
  return Rounding == regrainNearest      ? ::rintf(a)
         : Rounding == regrainTowardZero ? ::truncf(a)
         : Rounding == regrainDown       ? ::floorf(a)
                                         : ::ceilf(a);
}

/* Makes a scalar or a pair from its bits, or from the nearest numbers. */
template <class Number> struct regrainNumberOf;

#endif
