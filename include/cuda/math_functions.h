//===- math_functions.h - CUDA's additions to the math library --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device functions themselves are clang's wrappers over libdevice. This header
// adds min and max for every pair of arithmetic types, float overloads without a
// suffix, and the functions that CUDA offers on the host but the C library does not.
//
//===----------------------------------------------------------------------===//
#ifndef __MATH_FUNCTIONS_H__
#define __MATH_FUNCTIONS_H__
#pragma GCC system_header

#include "crt/host_defines.h"

#if defined(__cplusplus) && defined(__CUDACC__)

#include <math.h>

#include "regrain_special_functions.h"

#pragma push_macro("REGRAIN_BOTH")
#define REGRAIN_BOTH static __inline__ __host__ __device__

#define REGRAIN_MIN_MAX(RESULT, A, B)                                            \
  REGRAIN_BOTH RESULT min(A a, B b) {                                            \
    return (RESULT)a < (RESULT)b ? (RESULT)a : (RESULT)b;                        \
  }                                                                              \
  REGRAIN_BOTH RESULT max(A a, B b) {                                            \
    return (RESULT)a > (RESULT)b ? (RESULT)a : (RESULT)b;                        \
  }
#define REGRAIN_MIN_MAX_INTEGER(SIGNED, UNSIGNED)                                \
  REGRAIN_MIN_MAX(UNSIGNED, UNSIGNED, UNSIGNED)                                  \
  REGRAIN_MIN_MAX(UNSIGNED, SIGNED, UNSIGNED)                                    \
  REGRAIN_MIN_MAX(UNSIGNED, UNSIGNED, SIGNED)

/* clang has the device overloads for two ints. */
static __inline__ __host__ int min(int a, int b) { return a < b ? a : b; }
static __inline__ __host__ int max(int a, int b) { return a > b ? a : b; }
REGRAIN_MIN_MAX_INTEGER(int, unsigned int)
REGRAIN_MIN_MAX(long, long, long)
REGRAIN_MIN_MAX_INTEGER(long, unsigned long)
REGRAIN_MIN_MAX(long long, long long, long long)
REGRAIN_MIN_MAX_INTEGER(long long, unsigned long long)

/* clang has the device functions. */
#define REGRAIN_MIN_MAX_NAMED(TYPE, MIN, MAX)                                    \
  static __inline__ __host__ TYPE MIN(TYPE a, TYPE b) { return a < b ? a : b; }  \
  static __inline__ __host__ TYPE MAX(TYPE a, TYPE b) { return a > b ? a : b; }
REGRAIN_MIN_MAX_NAMED(long long, llmin, llmax)
REGRAIN_MIN_MAX_NAMED(unsigned int, umin, umax)
REGRAIN_MIN_MAX_NAMED(unsigned long long, ullmin, ullmax)
#undef REGRAIN_MIN_MAX_NAMED

#undef REGRAIN_MIN_MAX_INTEGER
#undef REGRAIN_MIN_MAX

/* If one operand is a NaN, the result is the other one, as in fmin and fmax. */
REGRAIN_BOTH float min(float a, float b) { return ::fminf(a, b); }
REGRAIN_BOTH float max(float a, float b) { return ::fmaxf(a, b); }
REGRAIN_BOTH double min(double a, double b) { return ::fmin(a, b); }
REGRAIN_BOTH double max(double a, double b) { return ::fmax(a, b); }
REGRAIN_BOTH double min(float a, double b) { return ::fmin((double)a, b); }
REGRAIN_BOTH double max(float a, double b) { return ::fmax((double)a, b); }
REGRAIN_BOTH double min(double a, float b) { return ::fmin(a, (double)b); }
REGRAIN_BOTH double max(double a, float b) { return ::fmax(a, (double)b); }

static __inline__ __host__ double rsqrt(double a) { return 1.0 / ::sqrt(a); }
static __inline__ __host__ float rsqrtf(float a) { return 1.0f / ::sqrtf(a); }
static __inline__ __host__ double rcbrt(double a) { return 1.0 / ::cbrt(a); }
static __inline__ __host__ float rcbrtf(float a) { return 1.0f / ::cbrtf(a); }
static __inline__ __host__ double rhypot(double a, double b) { return 1.0 / ::hypot(a, b); }
static __inline__ __host__ float rhypotf(float a, float b) { return 1.0f / ::hypotf(a, b); }
static __inline__ __host__ double norm3d(double a, double b, double c) {
  return ::hypot(::hypot(a, b), c);
}
static __inline__ __host__ float norm3df(float a, float b, float c) {
  return ::hypotf(::hypotf(a, b), c);
}

/* Returns the sine or cosine of pi*a: the reduction is exact, and so are the results for
   multiples of 1/2. */
static __inline__ __host__ double sinpi(double a) {
  double r = ::remainder(a, 2.0);
  if (r > 0.5)
    r = 1.0 - r;
  else if (r < -0.5)
    r = -1.0 - r;
  return ::sin(r * 3.14159265358979323846);
}
static __inline__ __host__ double cospi(double a) {
  return ::sinpi(0.5 - ::fabs(::remainder(a, 2.0)));
}
static __inline__ __host__ float sinpif(float a) { return (float)::sinpi((double)a); }
static __inline__ __host__ float cospif(float a) { return (float)::cospi((double)a); }
static __inline__ __host__ void sincospi(double a, double *s, double *c) {
  *s = ::sinpi(a);
  *c = ::cospi(a);
}
static __inline__ __host__ void sincospif(float a, float *s, float *c) {
  *s = ::sinpif(a);
  *c = ::cospif(a);
}
static __inline__ __host__ double normcdf(double a) {
  return 0.5 * ::erfc(-a * 0.70710678118654752440);
}
static __inline__ __host__ float normcdff(float a) { return (float)::normcdf((double)a); }

#define REGRAIN_HOST_SPECIAL(NAME, FUNCTION)                                     \
  static __inline__ __host__ double NAME(double a) { return FUNCTION(a); }      \
  static __inline__ __host__ float NAME##f(float a) { return (float)FUNCTION(a); }
REGRAIN_HOST_SPECIAL(erfinv, regrainErfinv)
REGRAIN_HOST_SPECIAL(erfcinv, regrainErfcinv)
REGRAIN_HOST_SPECIAL(erfcx, regrainErfcx)
REGRAIN_HOST_SPECIAL(normcdfinv, regrainNormcdfinv)
#undef REGRAIN_HOST_SPECIAL

REGRAIN_BOTH float rsqrt(float a) { return ::rsqrtf(a); }
REGRAIN_BOTH float rcbrt(float a) { return ::rcbrtf(a); }
REGRAIN_BOTH float sinpi(float a) { return ::sinpif(a); }
REGRAIN_BOTH float cospi(float a) { return ::cospif(a); }
REGRAIN_BOTH void sincospi(float a, float *s, float *c) { ::sincospif(a, s, c); }
REGRAIN_BOTH float normcdf(float a) { return ::normcdff(a); }
/* clang's headers declare these for single precision and leave the definitions to CUDA's. */
#define REGRAIN_UNARY(NAME, RESULT)                                             \
  static __inline__ __device__ RESULT NAME(float a) { return ::NAME##f(a); }
#define REGRAIN_BINARY(NAME)                                                    \
  static __inline__ __device__ float NAME(float a, float b) { return ::NAME##f(a, b); }
REGRAIN_UNARY(acosh, float)
REGRAIN_UNARY(asinh, float)
REGRAIN_UNARY(atanh, float)
REGRAIN_UNARY(cbrt, float)
REGRAIN_UNARY(cyl_bessel_i0, float)
REGRAIN_UNARY(cyl_bessel_i1, float)
REGRAIN_UNARY(erf, float)
REGRAIN_UNARY(erfc, float)
REGRAIN_UNARY(exp10, float)
REGRAIN_UNARY(exp2, float)
REGRAIN_UNARY(expm1, float)
REGRAIN_UNARY(j0, float)
REGRAIN_UNARY(j1, float)
REGRAIN_UNARY(lgamma, float)
REGRAIN_UNARY(log1p, float)
REGRAIN_UNARY(log2, float)
REGRAIN_UNARY(logb, float)
REGRAIN_UNARY(nearbyint, float)
REGRAIN_UNARY(rint, float)
REGRAIN_UNARY(round, float)
REGRAIN_UNARY(tgamma, float)
REGRAIN_UNARY(trunc, float)
REGRAIN_UNARY(y0, float)
REGRAIN_UNARY(y1, float)
REGRAIN_UNARY(ilogb, int)
REGRAIN_UNARY(lrint, long)
REGRAIN_UNARY(lround, long)
REGRAIN_UNARY(llrint, long long)
REGRAIN_UNARY(llround, long long)
REGRAIN_BINARY(copysign)
REGRAIN_BINARY(fdim)
REGRAIN_BINARY(fmax)
REGRAIN_BINARY(fmin)
REGRAIN_BINARY(hypot)
REGRAIN_BINARY(nextafter)
REGRAIN_BINARY(remainder)
#undef REGRAIN_UNARY
#undef REGRAIN_BINARY
static __inline__ __device__ float fma(float a, float b, float c) { return ::fmaf(a, b, c); }
static __inline__ __device__ float jn(int n, float a) { return ::jnf(n, a); }
static __inline__ __device__ float yn(int n, float a) { return ::ynf(n, a); }
static __inline__ __device__ float scalbn(float a, int e) { return ::scalbnf(a, e); }
static __inline__ __device__ float scalbln(float a, long e) { return ::scalblnf(a, e); }
static __inline__ __device__ float remquo(float a, float b, int *quotient) {
  return ::remquof(a, b, quotient);
}
static __inline__ __device__ void sincos(float a, float *s, float *c) { ::sincosf(a, s, c); }

/* Returns the number that a NaN's tag names, in decimal, octal or hexadecimal; 0 if it names none. */
static __inline__ __device__ unsigned long long regrainNanTag(const char *tag) {
  unsigned int base = 10;
  if (*tag == '0') {
    base = 8;
    if (*++tag == 'x' || *tag == 'X') {
      base = 16;
      ++tag;
    }
  }
  unsigned long long number = 0;
  for (; *tag; ++tag) {
    unsigned int low = (unsigned int)*tag | 32u;
    unsigned int digit = low >= 'a' ? low - 'a' + 10 : (unsigned int)*tag - '0';
    if (digit >= base)
      return 0;
    number = number * base + digit;
  }
  return number;
}
static __inline__ __device__ double nan(const char *tag) {
  return __builtin_bit_cast(double, 0x7ff8000000000000ull | (regrainNanTag(tag) & ~0ull >> 13));
}
static __inline__ __device__ float nanf(const char *tag) {
  return __builtin_bit_cast(float, 0x7fc00000u | ((unsigned int)regrainNanTag(tag) & 0x3fffffu));
}

REGRAIN_BOTH float erfcinv(float a) { return ::erfcinvf(a); }
REGRAIN_BOTH float erfinv(float a) { return ::erfinvf(a); }
REGRAIN_BOTH float erfcx(float a) { return ::erfcxf(a); }
REGRAIN_BOTH float normcdfinv(float a) { return ::normcdfinvf(a); }

#pragma pop_macro("REGRAIN_BOTH")

#endif

#endif
