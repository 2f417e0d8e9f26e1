/*===- Libdevice.c - The __nv_ functions --------------------------------------===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* What SLEEF lacks comes from libm. The fast forms are the accurate ones.
|*
\*===----------------------------------------------------------------------===*/
#include "compiler/Target/CPU/Library/Math.h"

typedef int i32;
typedef unsigned u32;
typedef long long i64;
typedef unsigned long long u64;
#define DEFINE REGRAIN_INLINE

/* name in libdevice without the "f" of single precision, function of SLEEF */
#define UNARY(name)                                                                                \
  DEFINE double __nv_##name(double a) { return regrain_sleef_##name(a); }                          \
  DEFINE float __nv_##name##f(float a) { return regrain_sleef_##name##f(a); }
#define BINARY(name)                                                                               \
  DEFINE double __nv_##name(double a, double b) { return regrain_sleef_##name(a, b); }             \
  DEFINE float __nv_##name##f(float a, float b) { return regrain_sleef_##name##f(a, b); }
#include "compiler/Target/CPU/Library/SleefFunctions.def"

/* Exact operations. */
#define EXACT1(name)                                                                               \
  DEFINE double __nv_##name(double a) { return __builtin_##name(a); }                              \
  DEFINE float __nv_##name##f(float a) { return __builtin_##name##f(a); }
EXACT1(sqrt)
EXACT1(fabs)
EXACT1(floor)
EXACT1(ceil)
EXACT1(trunc)
EXACT1(rint)
EXACT1(nearbyint)
EXACT1(round)
#define EXACT2(name)                                                                               \
  DEFINE double __nv_##name(double a, double b) { return __builtin_##name(a, b); }                 \
  DEFINE float __nv_##name##f(float a, float b) { return __builtin_##name##f(a, b); }
EXACT2(fmin)
EXACT2(fmax)
EXACT2(copysign)
DEFINE double __nv_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
DEFINE float __nv_fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

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
#define LIBM_ORDER(name)                                                                           \
  REGRAIN_CONST double name(int, double);                                                          \
  REGRAIN_CONST float name##f(int, float);                                                         \
  DEFINE double __nv_##name(i32 n, double a) { return name(n, a); }                                \
  DEFINE float __nv_##name##f(i32 n, float a) { return name##f(n, a); }
LIBM_ORDER(jn)
LIBM_ORDER(yn)
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

DEFINE i32 __nv_isnand(double a) { return __builtin_isnan(a); }
DEFINE i32 __nv_isnanf(float a) { return __builtin_isnan(a); }
DEFINE i32 __nv_isinfd(double a) { return __builtin_isinf(a); }
DEFINE i32 __nv_isinff(float a) { return __builtin_isinf(a); }
DEFINE i32 __nv_isfinited(double a) { return __builtin_isfinite(a); }
DEFINE i32 __nv_finitef(float a) { return __builtin_isfinite(a); }
DEFINE i32 __nv_signbitd(double a) { return __builtin_signbit(a) != 0; }
DEFINE i32 __nv_signbitf(float a) { return __builtin_signbit(a) != 0; }

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
DEFINE float __nv_saturatef(float a) { return a > 0 ? (a < 1 ? a : 1) : 0; }

/* Integers. */
DEFINE i32 __nv_abs(i32 a) { return a < 0 ? (i32)(0u - (u32)a) : a; }
DEFINE i64 __nv_llabs(i64 a) { return a < 0 ? (i64)(0ull - (u64)a) : a; }
DEFINE i32 __nv_min(i32 a, i32 b) { return a < b ? a : b; }
DEFINE i32 __nv_max(i32 a, i32 b) { return a > b ? a : b; }
DEFINE u32 __nv_umin(u32 a, u32 b) { return a < b ? a : b; }
DEFINE u32 __nv_umax(u32 a, u32 b) { return a > b ? a : b; }
DEFINE i64 __nv_llmin(i64 a, i64 b) { return a < b ? a : b; }
DEFINE i64 __nv_llmax(i64 a, i64 b) { return a > b ? a : b; }
DEFINE u64 __nv_ullmin(u64 a, u64 b) { return a < b ? a : b; }
DEFINE u64 __nv_ullmax(u64 a, u64 b) { return a > b ? a : b; }
DEFINE i32 __nv_clz(i32 a) { return a ? __builtin_clz((u32)a) : 32; }
DEFINE i32 __nv_clzll(i64 a) { return a ? __builtin_clzll((u64)a) : 64; }
DEFINE i32 __nv_ffs(i32 a) { return __builtin_ffs(a); }
DEFINE i32 __nv_ffsll(i64 a) { return __builtin_ffsll(a); }
DEFINE i32 __nv_popc(i32 a) { return __builtin_popcount((u32)a); }
DEFINE i32 __nv_popcll(i64 a) { return __builtin_popcountll((u64)a); }
DEFINE i32 __nv_brev(i32 a) { return (i32)__builtin_bitreverse32((u32)a); }
DEFINE i64 __nv_brevll(i64 a) { return (i64)__builtin_bitreverse64((u64)a); }
DEFINE i32 __nv_mulhi(i32 a, i32 b) { return (i32)((i64)a * b >> 32); }
DEFINE u32 __nv_umulhi(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
DEFINE i64 __nv_mul64hi(i64 a, i64 b) { return (i64)((__int128)a * b >> 64); }
DEFINE u64 __nv_umul64hi(u64 a, u64 b) { return (u64)((unsigned __int128)a * b >> 64); }
i32 nvvm_mul24_i(i32, i32);
i32 nvvm_mul24_ui(u32, u32);
i32 nvvm_prmt(u32, u32, u32);
i32 nvvm_sad_i(i32, i32, i32);
i32 nvvm_sad_ui(u32, u32, u32);
DEFINE i32 __nv_mul24(i32 a, i32 b) { return nvvm_mul24_i(a, b); }
DEFINE u32 __nv_umul24(u32 a, u32 b) { return (u32)nvvm_mul24_ui(a, b); }
DEFINE i32 __nv_byte_perm(i32 a, i32 b, i32 c) { return nvvm_prmt((u32)a, (u32)b, (u32)c); }
DEFINE i32 __nv_sad(i32 a, i32 b, i32 c) { return nvvm_sad_i(a, b, c); }
DEFINE u32 __nv_usad(u32 a, u32 b, u32 c) { return (u32)nvvm_sad_ui(a, b, c); }
DEFINE i32 __nv_hadd(i32 a, i32 b) { return (i32)(((i64)a + b) >> 1); }
DEFINE i32 __nv_rhadd(i32 a, i32 b) { return (i32)(((i64)a + b + 1) >> 1); }
DEFINE u32 __nv_uhadd(u32 a, u32 b) { return (u32)(((u64)a + b) >> 1); }
DEFINE u32 __nv_urhadd(u32 a, u32 b) { return (u32)(((u64)a + b + 1) >> 1); }

/* Bits. */
DEFINE i32 __nv_float_as_int(float a) { return __builtin_bit_cast(i32, a); }
DEFINE u32 __nv_float_as_uint(float a) { return __builtin_bit_cast(u32, a); }
DEFINE float __nv_int_as_float(i32 a) { return __builtin_bit_cast(float, a); }
DEFINE float __nv_uint_as_float(u32 a) { return __builtin_bit_cast(float, a); }
DEFINE i64 __nv_double_as_longlong(double a) { return __builtin_bit_cast(i64, a); }
DEFINE double __nv_longlong_as_double(i64 a) { return __builtin_bit_cast(double, a); }
DEFINE i32 __nv_double2loint(double a) { return (i32) __builtin_bit_cast(u64, a); }
DEFINE i32 __nv_double2hiint(double a) { return (i32)(__builtin_bit_cast(u64, a) >> 32); }
DEFINE double __nv_hiloint2double(i32 high, i32 low) {
  return __builtin_bit_cast(double, (u64)(u32)high << 32 | (u32)low);
}
DEFINE unsigned short __nv_float2half_rn(float a) {
  return __builtin_bit_cast(unsigned short, (_Float16)a);
}
DEFINE float __nv_half2float(unsigned short a) { return __builtin_bit_cast(_Float16, a); }

/* Rounding modes: the NVVM intrinsics under libdevice's names. */
#define ROUNDINGS(F) F(rn, rn) F(rz, rz) F(rd, rm) F(ru, rp)
#define FORWARD1(Result, nv, r, nvvm, m, Arg, suffix)                                              \
  Result nvvm_##nvvm##_##m##suffix(Arg);                                                           \
  DEFINE Result __nv_##nv##_##r(Arg a) { return nvvm_##nvvm##_##m##suffix(a); }
#define FORWARD2(T, nv, r, nvvm, m, suffix)                                                        \
  T nvvm_##nvvm##_##m##suffix(T, T);                                                               \
  DEFINE T __nv_##nv##_##r(T a, T b) { return nvvm_##nvvm##_##m##suffix(a, b); }
#define SUBTRACT(T, nv, r, m, suffix)                                                              \
  DEFINE T __nv_##nv##_##r(T a, T b) { return nvvm_add_##m##suffix(a, -b); }
#define ARITHMETIC(r, m)                                                                           \
  FORWARD2(float, fadd, r, add, m, _f)                                                             \
  FORWARD2(double, dadd, r, add, m, _d)                                                            \
  SUBTRACT(float, fsub, r, m, _f)                                                                  \
  SUBTRACT(double, dsub, r, m, _d)                                                                 \
  FORWARD2(float, fmul, r, mul, m, _f)                                                             \
  FORWARD2(double, dmul, r, mul, m, _d)                                                            \
  FORWARD2(float, fdiv, r, div, m, _f)                                                             \
  FORWARD2(double, ddiv, r, div, m, _d)                                                            \
  FORWARD1(float, frcp, r, rcp, m, float, _f)                                                      \
  FORWARD1(double, drcp, r, rcp, m, double, _d)                                                    \
  FORWARD1(float, fsqrt, r, sqrt, m, float, _f)                                                    \
  FORWARD1(double, dsqrt, r, sqrt, m, double, _d)                                                  \
  float nvvm_fma_##m##_f(float, float, float);                                                     \
  DEFINE float __nv_fmaf_##r(float a, float b, float c) { return nvvm_fma_##m##_f(a, b, c); }      \
  DEFINE float __nv_fmaf_ieee_##r(float a, float b, float c) { return nvvm_fma_##m##_f(a, b, c); } \
  double nvvm_fma_##m##_d(double, double, double);                                                 \
  DEFINE double __nv_fma_##r(double a, double b, double c) { return nvvm_fma_##m##_d(a, b, c); }
#define CONVERSIONS(r, m)                                                                          \
  FORWARD1(i32, float2int, r, f2i, m, float, )                                                     \
  FORWARD1(u32, float2uint, r, f2ui, m, float, )                                                   \
  FORWARD1(i64, float2ll, r, f2ll, m, float, )                                                     \
  FORWARD1(u64, float2ull, r, f2ull, m, float, )                                                   \
  FORWARD1(i32, double2int, r, d2i, m, double, )                                                   \
  FORWARD1(u32, double2uint, r, d2ui, m, double, )                                                 \
  FORWARD1(i64, double2ll, r, d2ll, m, double, )                                                   \
  FORWARD1(u64, double2ull, r, d2ull, m, double, )                                                 \
  FORWARD1(float, double2float, r, d2f, m, double, )                                               \
  FORWARD1(float, int2float, r, i2f, m, i32, )                                                     \
  FORWARD1(float, uint2float, r, ui2f, m, u32, )                                                   \
  FORWARD1(float, ll2float, r, ll2f, m, i64, )                                                     \
  FORWARD1(float, ull2float, r, ull2f, m, u64, )                                                   \
  FORWARD1(double, ll2double, r, ll2d, m, i64, )                                                   \
  FORWARD1(double, ull2double, r, ull2d, m, u64, )
ROUNDINGS(ARITHMETIC)
ROUNDINGS(CONVERSIONS)
DEFINE float __nv_frsqrt_rn(float a) { return 1 / __builtin_sqrtf(a); }
DEFINE double __nv_int2double_rn(i32 a) { return a; }
DEFINE double __nv_uint2double_rn(u32 a) { return a; }
