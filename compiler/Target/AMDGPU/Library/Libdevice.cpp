//===- Libdevice.cpp - The __nv_ functions by OCML ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OCML's names and types are those of ROCm-Device-Libs, "doc/OCML.md". It lacks jn and yn, which
// are in Bessel.cpp.
//
//===----------------------------------------------------------------------===//
#define DEFINE __attribute__((always_inline))
#define PRIVATE __attribute__((address_space(5)))

extern "C" {
#include "compiler/Target/Library/Libdevice.inc"

// nv: name in libdevice without the "f" of single precision; ocml: name in OCML.
#define UNARY(nv, ocml)                                                                            \
  double __ocml_##ocml##_f64(double);                                                              \
  float __ocml_##ocml##_f32(float);                                                                \
  DEFINE double __nv_##nv(double a) { return __ocml_##ocml##_f64(a); }                             \
  DEFINE float __nv_##nv##f(float a) { return __ocml_##ocml##_f32(a); }
#define BINARY(nv, ocml)                                                                           \
  double __ocml_##ocml##_f64(double, double);                                                      \
  float __ocml_##ocml##_f32(float, float);                                                         \
  DEFINE double __nv_##nv(double a, double b) { return __ocml_##ocml##_f64(a, b); }                \
  DEFINE float __nv_##nv##f(float a, float b) { return __ocml_##ocml##_f32(a, b); }
UNARY(acos, acos)
UNARY(acosh, acosh)
UNARY(asin, asin)
UNARY(asinh, asinh)
UNARY(atan, atan)
UNARY(atanh, atanh)
UNARY(cbrt, cbrt)
UNARY(cos, cos)
UNARY(cosh, cosh)
UNARY(cospi, cospi)
UNARY(cyl_bessel_i0, i0)
UNARY(cyl_bessel_i1, i1)
UNARY(erf, erf)
UNARY(erfc, erfc)
UNARY(erfcinv, erfcinv)
UNARY(erfcx, erfcx)
UNARY(erfinv, erfinv)
UNARY(exp, exp)
UNARY(exp10, exp10)
UNARY(exp2, exp2)
UNARY(j0, j0)
UNARY(j1, j1)
UNARY(lgamma, lgamma)
UNARY(log, log)
UNARY(log10, log10)
UNARY(log2, log2)
UNARY(logb, logb)
UNARY(normcdf, ncdf)
UNARY(normcdfinv, ncdfinv)
UNARY(rcbrt, rcbrt)
UNARY(rsqrt, rsqrt)
UNARY(sin, sin)
UNARY(sinh, sinh)
UNARY(sinpi, sinpi)
UNARY(tan, tan)
UNARY(tanh, tanh)
UNARY(tgamma, tgamma)
UNARY(y0, y0)
UNARY(y1, y1)
BINARY(atan2, atan2)
BINARY(fdim, fdim)
BINARY(fmod, fmod)
BINARY(hypot, hypot)
BINARY(pow, pow)
BINARY(remainder, remainder)
BINARY(rhypot, rhypot)

// OCML's functions lose the sign of a zero.
#define KEEPS_ZERO(name)                                                                           \
  double __ocml_##name##_f64(double);                                                              \
  float __ocml_##name##_f32(float);                                                                \
  DEFINE double __nv_##name(double a) { return a == 0 ? a : __ocml_##name##_f64(a); }              \
  DEFINE float __nv_##name##f(float a) { return a == 0 ? a : __ocml_##name##_f32(a); }
KEEPS_ZERO(expm1)
KEEPS_ZERO(log1p)

// T: the type, f: libdevice's suffix, n: OCML's.
#define FLOATING(T, f, n)                                                                          \
  T __ocml_len3_##n(T, T, T);                                                                      \
  T __ocml_nextafter_##n(T, T);                                                                    \
  T __ocml_rlen3_##n(T, T, T);                                                                     \
  T __ocml_len4_##n(T, T, T, T);                                                                   \
  T __ocml_rlen4_##n(T, T, T, T);                                                                  \
  T __ocml_ldexp_##n(T, int);                                                                      \
  int __ocml_ilogb_##n(T);                                                                         \
  T __ocml_pown_##n(T, int);                                                                       \
  T __ocml_frexp_##n(T, PRIVATE int *);                                                            \
  T __ocml_modf_##n(T, PRIVATE T *);                                                               \
  T __ocml_remquo_##n(T, T, PRIVATE int *);                                                        \
  T __ocml_sincos_##n(T, PRIVATE T *);                                                             \
  T __ocml_sincospi_##n(T, PRIVATE T *);                                                           \
  /* Zero is reached from below with the sign of what was there. */                                \
  DEFINE T __nv_nextafter##f(T a, T b) {                                                           \
    T next = __ocml_nextafter_##n(a, b);                                                           \
    return next == 0 && a != 0 ? __builtin_copysign##f(next, a) : next;                            \
  }                                                                                                \
  DEFINE T __nv_norm3d##f(T a, T b, T c) { return __ocml_len3_##n(a, b, c); }                      \
  DEFINE T __nv_rnorm3d##f(T a, T b, T c) { return __ocml_rlen3_##n(a, b, c); }                    \
  DEFINE T __nv_norm4d##f(T a, T b, T c, T d) { return __ocml_len4_##n(a, b, c, d); }              \
  DEFINE T __nv_rnorm4d##f(T a, T b, T c, T d) { return __ocml_rlen4_##n(a, b, c, d); }            \
  DEFINE T __nv_norm##f(int count, const T *v) {                                                   \
    T length = 0;                                                                                  \
    for (int i = 0; i < count; ++i)                                                                \
      length = __nv_hypot##f(length, v[i]);                                                        \
    return length;                                                                                 \
  }                                                                                                \
  DEFINE T __nv_rnorm##f(int count, const T *v) { return 1 / __nv_norm##f(count, v); }             \
  DEFINE T __nv_ldexp##f(T a, int e) { return __ocml_ldexp_##n(a, e); }                            \
  DEFINE T __nv_scalbn##f(T a, int e) { return __ocml_ldexp_##n(a, e); }                           \
  DEFINE int __nv_ilogb##f(T a) {                                                                  \
    return __builtin_isnan(a) ? -0x7fffffff - 1 : __ocml_ilogb_##n(a);                             \
  }                                                                                                \
  DEFINE T __nv_powi##f(T a, int e) { return __ocml_pown_##n(a, e); }                              \
  DEFINE T __nv_frexp##f(T a, int *exponent) {                                                     \
    int e;                                                                                         \
    T mantissa = __ocml_frexp_##n(a, (PRIVATE int *)&e);                                           \
    *exponent = e;                                                                                 \
    return mantissa;                                                                               \
  }                                                                                                \
  DEFINE T __nv_modf##f(T a, T *whole) {                                                           \
    T w;                                                                                           \
    T rest = __ocml_modf_##n(a, (PRIVATE T *)&w);                                                  \
    *whole = w;                                                                                    \
    return rest;                                                                                   \
  }                                                                                                \
  DEFINE T __nv_remquo##f(T a, T b, int *quotient) {                                               \
    int q;                                                                                         \
    T rest = __ocml_remquo_##n(a, b, (PRIVATE int *)&q);                                           \
    *quotient = q;                                                                                 \
    return rest;                                                                                   \
  }                                                                                                \
  DEFINE void __nv_sincos##f(T a, T *sine, T *cosine) {                                            \
    T c;                                                                                           \
    *sine = __ocml_sincos_##n(a, (PRIVATE T *)&c);                                                 \
    *cosine = c;                                                                                   \
  }                                                                                                \
  DEFINE void __nv_sincospi##f(T a, T *sine, T *cosine) {                                          \
    T c;                                                                                           \
    *sine = __ocml_sincospi_##n(a, (PRIVATE T *)&c);                                               \
    *cosine = c;                                                                                   \
  }                                                                                                \
  DEFINE long long __nv_llrint##f(T a) { return (long long)__builtin_rint##f(a); }                 \
  DEFINE long long __nv_llround##f(T a) { return (long long)__builtin_round##f(a); }
FLOATING(float, f, f32)
FLOATING(double, , f64)

DEFINE double __nv_nan(const signed char *) { return __builtin_nan(""); }
DEFINE float __nv_nanf(const signed char *) { return __builtin_nanf(""); }

// The fast single-precision forms are instructions of the hardware.
#define FAST(nv, ocml)                                                                             \
  float __ocml_native_##ocml##_f32(float);                                                         \
  DEFINE float __nv_fast_##nv##f(float a) { return __ocml_native_##ocml##_f32(a); }
FAST(sin, sin)
FAST(cos, cos)
FAST(exp, exp)
FAST(exp10, exp10)
FAST(log, log)
FAST(log2, log2)
FAST(log10, log10)
float __ocml_native_recip_f32(float);
float __ocml_native_exp2_f32(float);
DEFINE float __nv_fast_fdividef(float a, float b) { return a * __ocml_native_recip_f32(b); }
DEFINE float __nv_fast_tanf(float a) {
  return __nv_fast_fdividef(__nv_fast_sinf(a), __nv_fast_cosf(a));
}
DEFINE float __nv_fast_powf(float a, float b) {
  return __ocml_native_exp2_f32(b * __nv_fast_log2f(a));
}
DEFINE void __nv_fast_sincosf(float a, float *sine, float *cosine) {
  *sine = __nv_fast_sinf(a);
  *cosine = __nv_fast_cosf(a);
}
} // extern "C"
