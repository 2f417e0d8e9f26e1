//===- every-function.cu - One use of each documented function --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The math functions, intrinsics, type casts, packed integers, shuffles, votes and atomics of CUDA's
// documentation, grouped by the types of their parameters. Each is declared, and none is left
// without a definition.
//
//===----------------------------------------------------------------------===//
// REQUIRES: cuda-toolkit
// NVIDIA's mathematical functions come from a toolkit; without one, libclc has fewer.
// RUN: %regrain cc -w -c --targets=compute_60,compute_90 -o %t.o %s
// clang-format off

__global__ void each(char *memory) {
  int i = *reinterpret_cast<int *>(memory);
  unsigned int u = *reinterpret_cast<unsigned int *>(memory);
  unsigned long long ull = *reinterpret_cast<unsigned long long *>(memory);
  long long ll = *reinterpret_cast<long long *>(memory);
  double d = *reinterpret_cast<double *>(memory);
  float f = *reinterpret_cast<float *>(memory);
  bool *pb = *reinterpret_cast<bool **>(memory);
  long l = *reinterpret_cast<long *>(memory);
  int *pi = *reinterpret_cast<int **>(memory);
  unsigned long ul = *reinterpret_cast<unsigned long *>(memory);
  float *pf = *reinterpret_cast<float **>(memory);
  char *text = *reinterpret_cast<char **>(memory);
  double *pd = *reinterpret_cast<double **>(memory);
#define CALL(NAME) NAME(i);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 700 // later chips have no votes without a mask
  CALL(__all) CALL(__ballot)
#endif
  CALL(__clz) CALL(__ffs) CALL(__int2double_rn) CALL(__int2float_rd)
  CALL(__int2float_rn) CALL(__int2float_ru) CALL(__int2float_rz) CALL(__int_as_float)
  CALL(__syncthreads_and) CALL(__syncthreads_count) CALL(__syncthreads_or) CALL(abs)
#undef CALL
#define CALL(NAME) NAME(u);
  CALL(__brev) CALL(__popc) CALL(__uint2double_rn) CALL(__uint2float_rd) CALL(__uint2float_rn)
  CALL(__uint2float_ru) CALL(__uint2float_rz) CALL(__uint_as_float) CALL(__vabs2) CALL(__vabs4)
  CALL(__vabsss2) CALL(__vabsss4) CALL(__vneg2) CALL(__vneg4) CALL(__vnegss2) CALL(__vnegss4)
#undef CALL
#define CALL(NAME) NAME(ull);
  CALL(__brevll) CALL(__popcll) CALL(__ull2double_rd) CALL(__ull2double_rn)
  CALL(__ull2double_ru) CALL(__ull2double_rz) CALL(__ull2float_rd) CALL(__ull2float_rn)
  CALL(__ull2float_ru) CALL(__ull2float_rz)
#undef CALL
#define CALL(NAME) NAME(u, u, u);
  CALL(__byte_perm) CALL(__usad) CALL(__viaddmax_s16x2) CALL(__viaddmax_s16x2_relu)
  CALL(__viaddmax_u16x2) CALL(__viaddmax_u32) CALL(__viaddmin_s16x2) CALL(__viaddmin_s16x2_relu)
  CALL(__viaddmin_u16x2) CALL(__viaddmin_u32) CALL(__vimax3_s16x2) CALL(__vimax3_s16x2_relu)
  CALL(__vimax3_u16x2) CALL(__vimax3_u32) CALL(__vimin3_s16x2) CALL(__vimin3_s16x2_relu)
  CALL(__vimin3_u16x2) CALL(__vimin3_u32)
#undef CALL
#define CALL(NAME) NAME(ll);
  CALL(__clzll) CALL(__ffsll) CALL(__ll2double_rd) CALL(__ll2double_rn) CALL(__ll2double_ru)
  CALL(__ll2double_rz) CALL(__ll2float_rd) CALL(__ll2float_rn) CALL(__ll2float_ru)
  CALL(__ll2float_rz) CALL(__longlong_as_double) CALL(abs) CALL(llabs)
#undef CALL
#define CALL(NAME) NAME(d, d);
  CALL(__dadd_rd) CALL(__dadd_rn) CALL(__dadd_ru) CALL(__dadd_rz) CALL(__ddiv_rd)
  CALL(__ddiv_rn) CALL(__ddiv_ru) CALL(__ddiv_rz) CALL(__dmul_rd) CALL(__dmul_rn)
  CALL(__dmul_ru) CALL(__dmul_rz) CALL(__dsub_rd) CALL(__dsub_rn) CALL(__dsub_ru)
  CALL(__dsub_rz) CALL(copysign) CALL(fdim) CALL(fdivide) CALL(fmax) CALL(fmin) CALL(hypot)
  CALL(max) CALL(min) CALL(nextafter) CALL(remainder)
#undef CALL
#define CALL(NAME) NAME(d);
  CALL(__double2float_rd) CALL(__double2float_rn) CALL(__double2float_ru)
  CALL(__double2float_rz) CALL(__double2hiint) CALL(__double2int_rd) CALL(__double2int_rn)
  CALL(__double2int_ru) CALL(__double2int_rz) CALL(__double2ll_rd) CALL(__double2ll_rn)
  CALL(__double2ll_ru) CALL(__double2ll_rz) CALL(__double2loint) CALL(__double2uint_rd)
  CALL(__double2uint_rn) CALL(__double2uint_ru) CALL(__double2uint_rz) CALL(__double2ull_rd)
  CALL(__double2ull_rn) CALL(__double2ull_ru) CALL(__double2ull_rz) CALL(__double_as_longlong)
  CALL(__drcp_rd) CALL(__drcp_rn) CALL(__drcp_ru) CALL(__drcp_rz) CALL(__dsqrt_rd)
  CALL(__dsqrt_rn) CALL(__dsqrt_ru) CALL(__dsqrt_rz) CALL(abs) CALL(acosh) CALL(asinh)
  CALL(atanh) CALL(cbrt) CALL(erf) CALL(erfc) CALL(erfcinv) CALL(erfcx) CALL(erfinv) CALL(exp2)
  CALL(expm1) CALL(ilogb) CALL(isfinite) CALL(isinf) CALL(isnan) CALL(lgamma) CALL(llrint)
  CALL(llround) CALL(log1p) CALL(log2) CALL(logb) CALL(lrint) CALL(lround) CALL(nearbyint)
  CALL(normcdf) CALL(normcdfinv) CALL(rcbrt) CALL(rint) CALL(round) CALL(rsqrt) CALL(signbit)
  CALL(tgamma) CALL(trunc)
#undef CALL
#define CALL(NAME) NAME(f, f);
  CALL(__fadd_rd) CALL(__fadd_rn) CALL(__fadd_ru) CALL(__fadd_rz) CALL(__fdiv_rd)
  CALL(__fdiv_rn) CALL(__fdiv_ru) CALL(__fdiv_rz) CALL(__fdividef) CALL(__fmul_rd)
  CALL(__fmul_rn) CALL(__fmul_ru) CALL(__fmul_rz) CALL(__fsub_rd) CALL(__fsub_rn)
  CALL(__fsub_ru) CALL(__fsub_rz) CALL(atan2) CALL(copysign) CALL(copysignf) CALL(fdim)
  CALL(fdimf) CALL(fdividef) CALL(fmax) CALL(fmaxf) CALL(fmin) CALL(fminf) CALL(fmod)
  CALL(hypot) CALL(hypotf) CALL(max) CALL(min) CALL(nextafter) CALL(nextafterf) CALL(pow)
  CALL(remainder) CALL(remainderf) CALL(scalbn)
#undef CALL
#define CALL(NAME) NAME(f);
  CALL(__float2int_rd) CALL(__float2int_rn) CALL(__float2int_ru) CALL(__float2int_rz)
  CALL(__float2ll_rd) CALL(__float2ll_rn) CALL(__float2ll_ru) CALL(__float2ll_rz)
  CALL(__float2uint_rd) CALL(__float2uint_rn) CALL(__float2uint_ru) CALL(__float2uint_rz)
  CALL(__float2ull_rd) CALL(__float2ull_rn) CALL(__float2ull_ru) CALL(__float2ull_rz)
  CALL(__float_as_int) CALL(__float_as_uint) CALL(__frcp_rd) CALL(__frcp_rn) CALL(__frcp_ru)
  CALL(__frcp_rz) CALL(__frsqrt_rn) CALL(__fsqrt_rd) CALL(__fsqrt_rn) CALL(__fsqrt_ru)
  CALL(__fsqrt_rz) CALL(__saturatef) CALL(abs) CALL(acos) CALL(acosh) CALL(acoshf) CALL(asin)
  CALL(asinh) CALL(asinhf) CALL(atan) CALL(atanh) CALL(atanhf) CALL(cbrt) CALL(cbrtf) CALL(ceil)
  CALL(cos) CALL(cosh) CALL(cospi) CALL(cyl_bessel_i0) CALL(cyl_bessel_i1) CALL(erf) CALL(erfc)
  CALL(erfcf) CALL(erfcinv) CALL(erfcinvf) CALL(erfcx) CALL(erfcxf) CALL(erff) CALL(erfinv)
  CALL(erfinvf) CALL(exp) CALL(exp10) CALL(exp2) CALL(exp2f) CALL(expm1) CALL(expm1f) CALL(fabs)
  CALL(floor) CALL(ilogb) CALL(ilogbf) CALL(isfinite) CALL(isinf) CALL(isnan) CALL(j0) CALL(j1)
  CALL(lgamma) CALL(lgammaf) CALL(llrint) CALL(llrintf) CALL(llround) CALL(llroundf) CALL(log)
  CALL(log10) CALL(log1p) CALL(log1pf) CALL(log2) CALL(log2f) CALL(logb) CALL(logbf) CALL(lrint)
  CALL(lrintf) CALL(lround) CALL(lroundf) CALL(nearbyint) CALL(nearbyintf) CALL(normcdf)
  CALL(normcdff) CALL(normcdfinv) CALL(normcdfinvf) CALL(rcbrt) CALL(rcbrtf) CALL(rint)
  CALL(rintf) CALL(round) CALL(roundf) CALL(rsqrt) CALL(rsqrtf) CALL(signbit) CALL(sin)
  CALL(sinh) CALL(sinpi) CALL(sqrt) CALL(tan) CALL(tanh) CALL(tgamma) CALL(tgammaf) CALL(trunc)
  CALL(truncf) CALL(y0) CALL(y1)
#undef CALL
#define CALL(NAME) NAME(d, d, d);
  CALL(__fma_rd) CALL(__fma_rn) CALL(__fma_ru) CALL(__fma_rz) CALL(fma)
#undef CALL
#define CALL(NAME) NAME(f, f, f);
  CALL(__fmaf_ieee_rd) CALL(__fmaf_ieee_rn) CALL(__fmaf_ieee_ru) CALL(__fmaf_ieee_rz)
  CALL(__fmaf_rd) CALL(__fmaf_rn) CALL(__fmaf_ru) CALL(__fmaf_rz) CALL(fma) CALL(fmaf)
#undef CALL
#define CALL(NAME) NAME(i, i);
  CALL(__hadd) CALL(__hiloint2double) CALL(__mul24) CALL(__mulhi) CALL(__rhadd)
  CALL(__vimax_s32_relu) CALL(__vimin_s32_relu) CALL(max) CALL(min)
#undef CALL
#define CALL(NAME) NAME(ll, ll);
  CALL(__mul64hi) CALL(llmax) CALL(llmin) CALL(max) CALL(min)
#undef CALL
#define CALL(NAME) NAME();
  CALL(__pm0) CALL(__pm1) CALL(__pm2) CALL(__pm3) CALL(__syncthreads) CALL(__threadfence)
  CALL(__threadfence_block) CALL(clock64)
#undef CALL
#define CALL(NAME) NAME(i, i, u);
  CALL(__sad)
#undef CALL
#define CALL(NAME) NAME(u, u);
  CALL(__uhadd) CALL(__umul24) CALL(__umulhi) CALL(__urhadd) CALL(__vabsdiffs2)
  CALL(__vabsdiffs4) CALL(__vabsdiffu2) CALL(__vabsdiffu4) CALL(__vadd2) CALL(__vadd4)
  CALL(__vaddss2) CALL(__vaddss4) CALL(__vaddus2) CALL(__vaddus4) CALL(__vavgs2) CALL(__vavgs4)
  CALL(__vavgu2) CALL(__vavgu4) CALL(__vcmpeq2) CALL(__vcmpeq4) CALL(__vcmpges2)
  CALL(__vcmpges4) CALL(__vcmpgeu2) CALL(__vcmpgeu4) CALL(__vcmpgts2) CALL(__vcmpgts4)
  CALL(__vcmpgtu2) CALL(__vcmpgtu4) CALL(__vcmples2) CALL(__vcmples4) CALL(__vcmpleu2)
  CALL(__vcmpleu4) CALL(__vcmplts2) CALL(__vcmplts4) CALL(__vcmpltu2) CALL(__vcmpltu4)
  CALL(__vcmpne2) CALL(__vcmpne4) CALL(__vhaddu2) CALL(__vhaddu4) CALL(__vimax_s16x2_relu)
  CALL(__vimin_s16x2_relu) CALL(__vmaxs2) CALL(__vmaxs4) CALL(__vmaxu2) CALL(__vmaxu4)
  CALL(__vmins2) CALL(__vmins4) CALL(__vminu2) CALL(__vminu4) CALL(__vsads2) CALL(__vsads4)
  CALL(__vsadu2) CALL(__vsadu4) CALL(__vseteq2) CALL(__vseteq4) CALL(__vsetges2)
  CALL(__vsetges4) CALL(__vsetgeu2) CALL(__vsetgeu4) CALL(__vsetgts2) CALL(__vsetgts4)
  CALL(__vsetgtu2) CALL(__vsetgtu4) CALL(__vsetles2) CALL(__vsetles4) CALL(__vsetleu2)
  CALL(__vsetleu4) CALL(__vsetlts2) CALL(__vsetlts4) CALL(__vsetltu2) CALL(__vsetltu4)
  CALL(__vsetne2) CALL(__vsetne4) CALL(__vsub2) CALL(__vsub4) CALL(__vsubss2) CALL(__vsubss4)
  CALL(__vsubus2) CALL(__vsubus4) CALL(max) CALL(min) CALL(umax) CALL(umin)
#undef CALL
#define CALL(NAME) NAME(ull, ull);
  CALL(__umul64hi) CALL(max) CALL(min) CALL(ullmax) CALL(ullmin)
#undef CALL
#define CALL(NAME) NAME(i, i, i);
  CALL(__viaddmax_s32) CALL(__viaddmax_s32_relu) CALL(__viaddmin_s32) CALL(__viaddmin_s32_relu)
  CALL(__vimax3_s32) CALL(__vimax3_s32_relu) CALL(__vimin3_s32) CALL(__vimin3_s32_relu)
#undef CALL
#define CALL(NAME) NAME(u, u, pb, pb);
  CALL(__vibmax_s16x2) CALL(__vibmax_u16x2) CALL(__vibmin_s16x2) CALL(__vibmin_u16x2)
#undef CALL
#define CALL(NAME) NAME(i, i, pb);
  CALL(__vibmax_s32) CALL(__vibmin_s32)
#undef CALL
#define CALL(NAME) NAME(u, u, pb);
  CALL(__vibmax_u32) CALL(__vibmin_u32)
#undef CALL
#define CALL(NAME) NAME(l);
  CALL(abs) CALL(labs)
#undef CALL
#define CALL(NAME) NAME(d, f);
  CALL(copysign) CALL(max) CALL(min)
#undef CALL
#define CALL(NAME) NAME(f, d);
  CALL(copysign) CALL(max) CALL(min)
#undef CALL
#define CALL(NAME) NAME(f, pi);
  CALL(frexp)
#undef CALL
#define CALL(NAME) NAME(i, f);
  CALL(jn) CALL(yn)
#undef CALL
#define CALL(NAME) NAME(f, i);
  CALL(ldexp) CALL(pow) CALL(scalbn) CALL(scalbnf)
#undef CALL
#define CALL(NAME) NAME(i, u);
  CALL(max) CALL(min)
#undef CALL
#define CALL(NAME) NAME(l, l);
  CALL(max) CALL(min)
#undef CALL
#define CALL(NAME) NAME(l, ul);
  CALL(max) CALL(min)
#undef CALL
#define CALL(NAME) NAME(ll, ull);
  CALL(max) CALL(min)
#undef CALL
#define CALL(NAME) NAME(u, i);
  CALL(max) CALL(min)
#undef CALL
#define CALL(NAME) NAME(ul, l);
  CALL(max) CALL(min)
#undef CALL
#define CALL(NAME) NAME(ul, ul);
  CALL(max) CALL(min)
#undef CALL
#define CALL(NAME) NAME(ull, ll);
  CALL(max) CALL(min)
#undef CALL
#define CALL(NAME) NAME(f, pf);
  CALL(modf)
#undef CALL
#define CALL(NAME) NAME(text);
  CALL(nan) CALL(nanf)
#undef CALL
#define CALL(NAME) NAME(d, i);
  CALL(pow) CALL(scalbn)
#undef CALL
#define CALL(NAME) NAME(d, d, pi);
  CALL(remquo)
#undef CALL
#define CALL(NAME) NAME(f, f, pi);
  CALL(remquo) CALL(remquof)
#undef CALL
#define CALL(NAME) NAME(d, l);
  CALL(scalbln)
#undef CALL
#define CALL(NAME) NAME(f, l);
  CALL(scalbln) CALL(scalblnf)
#undef CALL
#define CALL(NAME) NAME(f, pf, pf);
  CALL(sincos) CALL(sincospi) CALL(sincospif)
#undef CALL
#define CALL(NAME) NAME(d, pd, pd);
  CALL(sincospi)
#undef CALL
}
