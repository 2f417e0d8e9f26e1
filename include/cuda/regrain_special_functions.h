/*===- regrain_special_functions.h - Inverse erf, Bessel functions -*- C -*-===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* CUDA's functions that the C library does not have, in double precision, for the
|* host and for kernels on the CPU. The latter define REGRAIN_LIBM, which names the
|* functions of the library that these are made of.
|*
\*===----------------------------------------------------------------------===*/
#ifndef REGRAIN_SPECIAL_FUNCTIONS_H
#define REGRAIN_SPECIAL_FUNCTIONS_H
#pragma GCC system_header

#ifndef REGRAIN_LIBM
#include <math.h>
#define REGRAIN_LIBM(NAME) NAME
#endif
#define REGRAIN_SPECIAL static __inline__ __attribute__((unused))

/* Returns e^(x^2) erfc(x). The square's rounding error is multiplied in; far out, the asymptotic
   series has fewer than eight terms. */
REGRAIN_SPECIAL double regrainErfcx(double x) {
  double square = x * x, rest = __builtin_fma(x, x, -square);
  if (x < 25) {
    double power = REGRAIN_LIBM(exp)(square);
    return power == __builtin_inf() ? power : (power + power * rest) * REGRAIN_LIBM(erfc)(x);
  }
  double sum = 1;
  for (int k = 8; k > 0; --k)
    sum = 1 - (2 * k - 1) / (2 * square) * sum;
  return sum / (x * 1.77245385090551602730);
}

/* Returns x >= 0 where erfc(x) is y and erf(x) is 1 - y, of which the smaller one is exact. A start
   with an error below 0.01 is improved by two of Halley's steps, each of which cubes the error. */
REGRAIN_SPECIAL double regrainInverseErf(double erfOfX, double y) {
  double x;
  if (erfOfX < 0.5) {
    /* The first terms of the inverse function's series. */
    x = 0.88622692545275801365 * erfOfX * (1 + 0.26179938779914943654 * erfOfX * erfOfX);
  } else {
    /* Abramowitz and Stegun, 26.2.23. */
    double t = __builtin_sqrt(1.38629436111989061883 - 2 * REGRAIN_LIBM(log)(y));
    x = 0.70710678118654752440 * (t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                                          (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  }
  for (int step = 0; step < 2; ++step) {
    double newton;
    if (y > 1e-200) {
      double error = erfOfX < 0.5 ? erfOfX - REGRAIN_LIBM(erf)(x) : REGRAIN_LIBM(erfc)(x) - y;
      newton = error / (1.12837916709551257390 * REGRAIN_LIBM(exp)(-x * x));
      newton /= 1 - x * newton;
    } else {
      /* Newton's step for the logarithm of y, because y has few bits. */
      double scaled = regrainErfcx(x);
      newton = (REGRAIN_LIBM(log)(scaled) - x * x - REGRAIN_LIBM(log)(y)) * 0.88622692545275801365 *
               scaled;
    }
    x += newton;
  }
  return x;
}

REGRAIN_SPECIAL double regrainErfinv(double a) {
  double size = __builtin_fabs(a);
  if (!(size < 1))
    return size == 1 ? a * __builtin_inf() : __builtin_nan("");
  return size == 0 ? a : __builtin_copysign(regrainInverseErf(size, 1 - size), a);
}

REGRAIN_SPECIAL double regrainErfcinv(double a) {
  if (!(a > 0 && a < 2))
    return a == 0 ? __builtin_inf() : a == 2 ? -__builtin_inf() : __builtin_nan("");
  return a <= 1 ? regrainInverseErf(1 - a, a) : -regrainInverseErf(a - 1, 2 - a);
}

REGRAIN_SPECIAL double regrainNormcdfinv(double a) {
  return -1.41421356237309504880 * regrainErfcinv(2 * a);
}

/* Returns the sum over k of (x^2 / 4)^k / (k! (k + order)!), by Horner's scheme on pairs of
   doubles: dozens of steps would otherwise add up their errors. */
REGRAIN_SPECIAL double regrainBesselSeries(double x, int order) {
  double q = 0.25 * x * x, qRest = 0.25 * __builtin_fma(x, x, -(x * x)), high = 1, low = 0;
  for (int k = 44; k > 0; --k) {
    double divisor = k * (double)(k + order), product = high * q;
    double rest = __builtin_fma(high, q, -product) + (high * qRest + low * q);
    double quotient = product / divisor;
    double last = (__builtin_fma(-quotient, divisor, product) + rest) / divisor;
    high = 1 + quotient;
    low = (quotient >= 1 ? quotient - high + 1 : 1 - high + quotient) + last;
  }
  return high + low;
}

/* Returns the modified Bessel function of order 0 or 1 for x >= 0, from its asymptotic series where
   this is accurate. The power is a product of two, so that only the result overflows. */
REGRAIN_SPECIAL double regrainBesselI(double x, int order) {
  if (x < 20)
    return order == 0 ? regrainBesselSeries(x, 0) : 0.5 * x * regrainBesselSeries(x, 1);
  if (x > 1e3)
    return x * __builtin_inf();
  double sum = 1;
  for (int k = 30; k > 0; --k)
    sum = 1 + ((2 * k - 1) * (2 * k - 1) - 4 * order) / (8 * k * x) * sum;
  double power = REGRAIN_LIBM(exp)(x < 700 ? x : 0.5 * x);
  double result = power * (sum / __builtin_sqrt(6.28318530717958647693 * x));
  return x < 700 ? result : result * power;
}

REGRAIN_SPECIAL double regrainBesselI0(double a) {
  return a != a ? a : regrainBesselI(__builtin_fabs(a), 0);
}
REGRAIN_SPECIAL double regrainBesselI1(double a) {
  return a != a ? a : __builtin_copysign(regrainBesselI(__builtin_fabs(a), 1), a);
}

#endif
