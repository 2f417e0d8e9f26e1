//===- small-floats.cu - Conversions of 8 bits in one instruction -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hardware converts where it can: compute capability 8.9, and with saturation.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --emit=ptx --targets=compute_90 -o %t.ptx %s
// RUN: FileCheck %s < %t.ptx
// RUN: %regrain cc --emit=ptx --targets=compute_80 -o %t.80.ptx %s
// RUN: FileCheck %s --check-prefix=OLDER < %t.80.ptx
#include <cuda_fp8.h>

// CHECK-LABEL: .entry saturated
// CHECK: cvt.rn.satfinite.e4m3x2.f32
// CHECK: cvt.rn.satfinite.e5m2x2.f16x2
// CHECK: cvt.rn.f16x2.e4m3x2
// CHECK-LABEL: .entry exact
// CHECK-NOT: satfinite
// OLDER-NOT: e4m3x2
extern "C" __global__ void saturated(__nv_fp8_e4m3 *a, __nv_fp8x2_e5m2 *b, float *c, __half2 *d) {
  a[0] = __nv_fp8_e4m3(c[0]);
  b[0] = __nv_fp8x2_e5m2(d[0]);
  d[1] = __half(a[1]) > __half(1.0f) ? d[2] : d[3];
}

extern "C" __global__ void exact(__nv_fp8_storage_t *a, float *c) {
  a[0] = __nv_cvt_float_to_fp8(c[0], __NV_NOSAT, __NV_E4M3);
}
