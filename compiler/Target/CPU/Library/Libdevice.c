/*===- Libdevice.c - The __nv_ functions --------------------------------------===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* What follows from no more than C is in Target/Library/Libdevice.inc. What SLEEF
|* lacks comes from libm. The fast forms are the accurate ones.
|*
\*===----------------------------------------------------------------------===*/
#include "compiler/Target/CPU/Library/Math.h"

#define DEFINE REGRAIN_INLINE
#include "compiler/Target/Library/Libdevice.inc"

/* name in libdevice without the "f" of single precision, function of SLEEF */
#define UNARY(name)                                                                                \
  DEFINE double __nv_##name(double a) { return regrain_sleef_##name(a); }                          \
  DEFINE float __nv_##name##f(float a) { return regrain_sleef_##name##f(a); }
#define BINARY(name)                                                                               \
  DEFINE double __nv_##name(double a, double b) { return regrain_sleef_##name(a, b); }             \
  DEFINE float __nv_##name##f(float a, float b) { return regrain_sleef_##name##f(a, b); }
#define UNARY_LIMITED(name, accuracy)
#include "compiler/Target/CPU/Library/SleefFunctions.def"

/* Beyond those limits: half of e^a, as e^(a-1) e/2, where the other half is lost; and the
   logarithm of a, or of 2a, where the rest of the sum is. */
#define LIMITED(T, f)                                                                              \
  REGRAIN_INLINE T halfOfExp##f(T a) {                                                             \
    return regrain_sleef_exp##f(a - 1) * (T)1.3591409142295226;                                    \
  }                                                                                                \
  DEFINE T __nv_sinh##f(T a) {                                                                     \
    T b = __builtin_fabs##f(a);                                                                    \
    return b > 64 ? __builtin_copysign##f(halfOfExp##f(b), a) : regrain_sleef_sinh##f(a);          \
  }                                                                                                \
  DEFINE T __nv_cosh##f(T a) {                                                                     \
    T b = __builtin_fabs##f(a);                                                                    \
    return b > 64 ? halfOfExp##f(b) : regrain_sleef_cosh##f(a);                                    \
  }                                                                                                \
  REGRAIN_INLINE T logOfTwice##f(T a) { return regrain_sleef_log##f(a) + (T)0.69314718055994531; } \
  DEFINE T __nv_asinh##f(T a) {                                                                    \
    T b = __builtin_fabs##f(a);                                                                    \
    return b > 0x1p30 ? __builtin_copysign##f(logOfTwice##f(b), a) : regrain_sleef_asinh##f(a);    \
  }                                                                                                \
  DEFINE T __nv_acosh##f(T a) {                                                                    \
    return a > 0x1p30 ? logOfTwice##f(a) : regrain_sleef_acosh##f(a);                              \
  }                                                                                                \
  DEFINE T __nv_log1p##f(T a) {                                                                    \
    return a > 0x1p60 ? regrain_sleef_log##f(a) : regrain_sleef_log1p##f(a);                       \
  }
LIMITED(float, f)
LIMITED(double, )

/* Functions of libm. */
#define LIBM1(name)                                                                                \
  REGRAIN_CONST double name(double);                                                               \
  REGRAIN_CONST float name##f(float);                                                              \
  DEFINE double __nv_##name(double a) { return name(a); }                                          \
  DEFINE float __nv_##name##f(float a) { return name##f(a); }
LIBM1(j0)
LIBM1(j1)
LIBM1(y0)
LIBM1(y1)
LIBM1(logb)
/* D and F: the first operand with double and single precision */
#define LIBM2(name, D, F)                                                                          \
  REGRAIN_CONST double name(D, double);                                                            \
  REGRAIN_CONST float name##f(F, float);                                                           \
  DEFINE double __nv_##name(D a, double b) { return name(a, b); }                                  \
  DEFINE float __nv_##name##f(F a, float b) { return name##f(a, b); }
/* These are exact; SLEEF's are exact only if the quotient is small. */
LIBM2(fmod, double, float)
LIBM2(remainder, double, float)
/* A negative order gives NaN in CUDA. */
#define BESSEL(name, T)                                                                            \
  REGRAIN_CONST T name(i32, T);                                                                    \
  DEFINE T __nv_##name(i32 n, T a) { return n < 0 ? (T)__builtin_nan("") : name(n, a); }
BESSEL(jn, double)
BESSEL(jnf, float)
BESSEL(yn, double)
BESSEL(ynf, float)
REGRAIN_CONST double nextafter(double, double);
REGRAIN_CONST float nextafterf(float, float);
REGRAIN_CONST double ldexp(double, int);
REGRAIN_CONST float ldexpf(float, int);
REGRAIN_CONST int ilogb(double);
REGRAIN_CONST int ilogbf(float);
double frexp(double, int *);
float frexpf(float, int *);
double remquo(double, double, int *);
float remquof(float, float, int *);

#define FLOATING(T, f)                                                                             \
  DEFINE T __nv_nextafter##f(T a, T b) { return nextafter##f(a, b); }                              \
  DEFINE T __nv_ldexp##f(T a, i32 e) { return ldexp##f(a, e); }                                    \
  DEFINE T __nv_scalbn##f(T a, i32 e) { return ldexp##f(a, e); }                                   \
  DEFINE i32 __nv_ilogb##f(T a) { return ilogb##f(a); }                                            \
  DEFINE T __nv_frexp##f(T a, i32 *e) { return frexp##f(a, e); }                                   \
  DEFINE T __nv_remquo##f(T a, T b, i32 *q) { return remquo##f(a, b, q); }                         \
  DEFINE T __nv_modf##f(T a, T *whole) {                                                           \
    T t = __builtin_trunc##f(a);                                                                   \
    *whole = t;                                                                                    \
    return __builtin_copysign##f(__builtin_isinf(a) ? 0 : a - t, a);                               \
  }                                                                                                \
  DEFINE T __nv_fdim##f(T a, T b) { return a > b ? a - b : a <= b ? 0 : a + b; }                   \
  DEFINE T __nv_rsqrt##f(T a) { return 1 / __builtin_sqrt##f(a); }                                 \
  DEFINE T __nv_rcbrt##f(T a) { return 1 / regrain_sleef_cbrt##f(a); }                             \
  DEFINE T __nv_rhypot##f(T a, T b) { return 1 / regrain_sleef_hypot##f(a, b); }                   \
  DEFINE T __nv_norm3d##f(T a, T b, T c) {                                                         \
    return regrain_sleef_hypot##f(regrain_sleef_hypot##f(a, b), c);                                \
  }                                                                                                \
  DEFINE T __nv_norm4d##f(T a, T b, T c, T d) {                                                    \
    return regrain_sleef_hypot##f(__nv_norm3d##f(a, b, c), d);                                     \
  }                                                                                                \
  DEFINE T __nv_rnorm3d##f(T a, T b, T c) { return 1 / __nv_norm3d##f(a, b, c); }                  \
  DEFINE T __nv_rnorm4d##f(T a, T b, T c, T d) { return 1 / __nv_norm4d##f(a, b, c, d); }          \
  DEFINE T __nv_norm##f(i32 n, const T *v) {                                                       \
    T sum = 0;                                                                                     \
    for (i32 i = 0; i < n; ++i)                                                                    \
      sum = regrain_sleef_hypot##f(sum, v[i]);                                                     \
    return sum;                                                                                    \
  }                                                                                                \
  DEFINE T __nv_rnorm##f(i32 n, const T *v) { return 1 / __nv_norm##f(n, v); }                     \
  DEFINE void __nv_sincos##f(T a, T *s, T *c) {                                                    \
    *s = regrain_sleef_sin##f(a);                                                                  \
    *c = regrain_sleef_cos##f(a);                                                                  \
  }                                                                                                \
  DEFINE void __nv_sincospi##f(T a, T *s, T *c) {                                                  \
    *s = regrain_sleef_sinpi##f(a);                                                                \
    *c = regrain_sleef_cospi##f(a);                                                                \
  }                                                                                                \
  DEFINE T __nv_powi##f(T a, i32 n) { return regrain_sleef_pow##f(a, (T)n); }                      \
  DEFINE T __nv_normcdf##f(T a) {                                                                  \
    return (T)0.5 * regrain_sleef_erfc##f(a * (T) - 0.70710678118654752440);                       \
  }                                                                                                \
  DEFINE i64 __nv_llrint##f(T a) { return (i64)__builtin_rint##f(a); }                             \
  DEFINE i64 __nv_llround##f(T a) { return (i64)__builtin_round##f(a); }
FLOATING(float, f)
FLOATING(double, )
DEFINE double __nv_nan(const signed char *tag) { return __builtin_nan(""); }
DEFINE float __nv_nanf(const signed char *tag) { return __builtin_nanf(""); }

/* The fast single-precision forms. */
#define FAST1(name)                                                                                \
  DEFINE float __nv_fast_##name(float a) { return regrain_sleef_##name(a); }
FAST1(sinf)
FAST1(cosf)
FAST1(tanf)
FAST1(expf)
FAST1(exp10f)
FAST1(logf)
FAST1(log2f)
FAST1(log10f)
DEFINE float __nv_fast_powf(float a, float b) { return regrain_sleef_powf(a, b); }
DEFINE float __nv_fast_fdividef(float a, float b) { return a / b; }
DEFINE void __nv_fast_sincosf(float a, float *s, float *c) { __nv_sincosf(a, s, c); }
