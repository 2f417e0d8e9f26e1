//===- regrain_bf16_rounding.h - Roundings to bfloat16 ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bfloat16 is the upper half of a float. A value with more bits than a float is first
// rounded to odd: it becomes the float towards zero, whose last bit is set if that is
// not exact. Rounding the result to bfloat16, which has 16 bits fewer, then equals
// rounding the value once (Boldo and Melquiond, Emulation of FMA and correctly rounded
// sums, 2008).
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_BF16_ROUNDING_H
#define REGRAIN_BF16_ROUNDING_H
#pragma GCC system_header

#define REGRAIN_BF16 static __inline__ __host__ __device__

/* What is added to the magnitude of a float before its lower half is cut off. */
enum regrainRounding { regrainNearest, regrainToZero, regrainDown, regrainUp };

REGRAIN_BF16 unsigned short regrainBf16Bits(float value, regrainRounding rounding) {
  unsigned int bits = __builtin_bit_cast(unsigned int, value);
  bool isNegative = bits >> 31;
  if ((bits & 0x7fffffff) > 0x7f800000)
    return 0x7fff;
  if (rounding == regrainNearest)
    bits += 0x7fff + (bits >> 16 & 1);
  else if (rounding == (isNegative ? regrainDown : regrainUp) &&
           (bits & 0x7fffffff) != 0x7f800000)
    bits += 0xffff;
  return (unsigned short)(bits >> 16);
}

REGRAIN_BF16 unsigned short regrainBf16Bits(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
#else
  return regrainBf16Bits(value, regrainNearest);
#endif
}

/* Returns `value` rounded to odd. */
REGRAIN_BF16 float regrainRoundToOdd(double value) {
  float near = (float)value;
  if (!((double)near < value || (double)near > value))
    return near; // exact, or a NaN
  unsigned int bits = __builtin_bit_cast(unsigned int, near);
  bool isBeyond = value < 0 ? (double)near < value : (double)near > value;
  if (isBeyond)
    bits -= 1;
  return __builtin_bit_cast(float, bits | 1);
}

/* Returns an integer rounded to odd: a double holds it once its last bits are gathered in one. */
REGRAIN_BF16 float regrainIntegerToOdd(unsigned long long value) {
  if (value >> 53)
    return regrainRoundToOdd((double)(value >> 11 | ((value & 2047) != 0)) * 2048);
  return regrainRoundToOdd((double)value);
}
REGRAIN_BF16 float regrainIntegerToOdd(long long value) {
  return value < 0 ? -regrainIntegerToOdd(0 - (unsigned long long)value)
                   : regrainIntegerToOdd((unsigned long long)value);
}
REGRAIN_BF16 float regrainIntegerToOdd(unsigned long value) {
  return regrainIntegerToOdd((unsigned long long)value);
}
REGRAIN_BF16 float regrainIntegerToOdd(long value) {
  return regrainIntegerToOdd((long long)value);
}
REGRAIN_BF16 float regrainIntegerToOdd(unsigned int value) {
  return regrainRoundToOdd((double)value);
}
REGRAIN_BF16 float regrainIntegerToOdd(int value) { return regrainRoundToOdd((double)value); }
REGRAIN_BF16 float regrainIntegerToOdd(short value) { return (float)value; }
REGRAIN_BF16 float regrainIntegerToOdd(unsigned short value) { return (float)value; }

/* Returns a * b + c rounded to odd. The product of two bfloat16 is exact in double; what the sum
   loses is recovered by Knuth's exact sum of two numbers. */
REGRAIN_BF16 float regrainFusedToOdd(float a, float b, float c) {
  double product = (double)a * (double)b, addend = c;
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
  if ((lost < 0 || lost > 0) && !(bits & 1))
    bits += (lost > 0) == (sum > 0) ? 1 : -1;
  return regrainRoundToOdd(__builtin_bit_cast(double, bits));
}

#undef REGRAIN_BF16

#endif
