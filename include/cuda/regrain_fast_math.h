/*===- regrain_fast_math.h - clang's math functions, and their fast forms -*- C++ -*-===*\
|*
|* Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* -use_fast_math replaces the single-precision functions of the CUDA Programming Guide's
|* table "Functions Affected by -use_fast_math". clang's header does so for sine, cosine,
|* logf and log2f; here it also does so for the others of the table.
|*
\*===----------------------------------------------------------------------===*/
#ifndef REGRAIN_FAST_MATH_H
#define REGRAIN_FAST_MATH_H
#pragma GCC system_header

/* Approximate where NVIDIA's hardware has an instruction for it. */
static __inline__ __device__ float regrainFastTanhf(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
  float result;
  asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return __nv_tanhf(x);
#endif
}

#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
#define __nv_exp10f __nv_fast_exp10f
#define __nv_expf __nv_fast_expf
#define __nv_log10f __nv_fast_log10f
#define __nv_powf __nv_fast_powf
#define __nv_tanf __nv_fast_tanf
#define __nv_tanhf regrainFastTanhf
#endif

#include <__clang_cuda_math.h>

#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
#undef __nv_exp10f
#undef __nv_expf
#undef __nv_log10f
#undef __nv_powf
#undef __nv_tanf
#undef __nv_tanhf
#endif

#endif
