//===- regrain_curand_math.h - Functions for random numbers -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the math library that the distributions need, for the host and the device.
// A host compiler without CUDA reads them as well: cuRAND's library uses the same code.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_CURAND_MATH_H
#define REGRAIN_CURAND_MATH_H
#pragma GCC system_header

#include "crt/host_defines.h"
#include "regrain_special_functions.h"
#include "vector_functions.h"

#include <math.h>

#define REGRAIN_RANDOM static __forceinline__ __host__ __device__

/* The last places of 32 and of 53 bits behind the point. */
static constexpr double regrainPlace32 = 1.0 / 4294967296.0;
static constexpr double regrainPlace53 = 1.0 / 9007199254740992.0;

/* Returns the sine and the cosine of an angle between 0 and 2 pi, as x and y. A GPU approximates
   them. */
REGRAIN_RANDOM float2 regrainSinCos(float angle) {
  float2 result;
#if defined(__CUDA_ARCH__)
  __sincosf(angle, &result.x, &result.y);
#else
  result.x = ::sinf(angle);
  result.y = ::cosf(angle);
#endif
  return result;
}

/* The same for an angle between 0 and 2, in units of pi. On the host, it is reduced to an eighth of
   the circle on each side of a quarter. */
REGRAIN_RANDOM double2 regrainSinCosPi(double angle) {
  double2 result;
#if defined(__CUDA_ARCH__)
  sincospi(angle, &result.x, &result.y);
#else
  int quarter = (int)(2 * angle + 0.5);
  double rest = (angle - 0.5 * quarter) * 3.14159265358979323846;
  double sine = ::sin(rest), cosine = ::cos(rest);
  result.x = quarter & 1 ? cosine : sine;
  result.y = quarter & 1 ? sine : cosine;
  if (quarter & 2)
    result.x = -result.x;
  if ((quarter + 1) & 2)
    result.y = -result.y;
#endif
  return result;
}

/* Returns the number that a normally distributed one is below with this probability, which is at
   most 1/2. */
REGRAIN_RANDOM float regrainNormalQuantile(float probability) {
#if defined(__CUDA_ARCH__)
  return -1.41421356f * erfcinvf(2 * probability);
#else
  return (float)regrainNormcdfinv(probability);
#endif
}
REGRAIN_RANDOM double regrainNormalQuantile(double probability) {
#if defined(__CUDA_ARCH__)
  return -1.41421356237309504880 * erfcinv(2 * probability);
#else
  return regrainNormcdfinv(probability);
#endif
}

/* Returns the logarithm of n!. */
REGRAIN_RANDOM double regrainLogFactorial(double n) {
#if defined(__CUDA_ARCH__)
  return lgamma(n + 1);
#else
  int sign;
  return ::lgamma_r(n + 1, &sign);
#endif
}

#endif
