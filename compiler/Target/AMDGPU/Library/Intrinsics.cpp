//===- Intrinsics.cpp - NVVM's arithmetic ---------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Approximations are those of the hardware (1 ulp: AMD's instruction set documents), which flush
// subnormals. If the hardware is less exact than PTX requires, OCML's accurate functions are used.
//
//===----------------------------------------------------------------------===//
#define DEFINE __attribute__((always_inline))

extern "C" {
#include "compiler/Target/Library/Intrinsics.inc"

double __ocml_exp2_f64(double);
double __ocml_log2_f64(double);
float __ocml_sin_f32(float);
float __ocml_cos_f32(float);

DEFINE float nvvm_ex2_approx_f(float a) { return __builtin_elementwise_exp2(a); }
DEFINE double nvvm_ex2_approx_d(double a) { return __ocml_exp2_f64(a); }
DEFINE float nvvm_lg2_approx_f(float a) { return __builtin_elementwise_log2(a); }
DEFINE double nvvm_lg2_approx_d(double a) { return __ocml_log2_f64(a); }
DEFINE float nvvm_sin_approx_f(float a) { return __ocml_sin_f32(a); }
DEFINE float nvvm_cos_approx_f(float a) { return __ocml_cos_f32(a); }

DEFINE float nvvm_rcp_approx_f(float a) {
  float scale = __builtin_fabsf(a) < 0x1p-126f  ? 0x1p32f
                : __builtin_fabsf(a) > 0x1p125f ? 0x1p-32f
                                                : 1.0f;
  return __builtin_amdgcn_rcpf(a * scale) * scale;
}
DEFINE float nvvm_rsqrt_approx_f(float a) {
  bool small = a < 0x1p-126f;
  return __builtin_amdgcn_rsqf(small ? a * 0x1p32f : a) * (small ? 0x1p16f : 1.0f);
}
DEFINE float nvvm_sqrt_approx_f(float a) {
  bool small = a < 0x1p-126f;
  return __builtin_amdgcn_sqrtf(small ? a * 0x1p32f : a) * (small ? 0x1p-16f : 1.0f);
}
DEFINE double nvvm_rcp_approx_d(double a) { return 1 / a; }
DEFINE double nvvm_rsqrt_approx_d(double a) { return 1 / __builtin_sqrt(a); }
DEFINE double nvvm_sqrt_approx_d(double a) { return __builtin_sqrt(a); }
DEFINE float nvvm_div_approx_f(float a, float b) { return a / b; }
DEFINE float nvvm_div_full_f(float a, float b) { return a / b; }
} // extern "C"
