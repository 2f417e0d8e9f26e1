//===- intrinsics.cu - Packed minima in one instruction ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compute capability 9.0 has packed minima and maxima, which need PTX 8.0.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --emit=ptx --targets=compute_90 -o %t.ptx %s
// RUN: FileCheck %s < %t.ptx
// RUN: %regrain cc --emit=ptx --targets=compute_70 -o %t.70.ptx %s
// RUN: FileCheck %s --check-prefix=OLDER < %t.70.ptx
#include <math_constants.h>

// CHECK: .version 8.0
// CHECK: add.u16x2
// CHECK: max.s16x2
// OLDER-NOT: 16x2
__global__ void packed(unsigned *a, float *f) {
  a[0] = __viaddmax_s16x2(a[1], a[2], a[3]);
  sincos(f[0] * CUDART_SQRT_HALF_HI_F, f + 1, f + 2);
}
