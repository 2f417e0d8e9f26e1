//===- short-floats-ptx.cu - One instruction each ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where NVIDIA's machines have an instruction for an operation, the PTX has it. Older
// machines have none for bfloat16.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=compute_90 --emit=ptx -o %t.90 %s
// RUN: FileCheck %s --check-prefixes=PAIR,BOTH,NEW < %t.90
// RUN: %regrain cc --targets=compute_80 --emit=ptx -o %t.80 %s
// RUN: FileCheck %s --check-prefixes=PAIR,BOTH < %t.80
// RUN: %regrain cc --targets=compute_70 --emit=ptx -o %t.70 %s
// RUN: FileCheck %s --check-prefix=PAIR --implicit-check-not=bf16 < %t.70
#include <cuda_bf16.h>

extern "C" {

// PAIR-LABEL: .entry halves(
// PAIR: fma.rn.f16x2
// PAIR: add{{(.rn)?}}.f16x2
// PAIR: mul{{(.rn)?}}.f16x2
// PAIR: sub{{(.rn)?}}.f16x2
// PAIR: fma.rn.f16 
// PAIR: cvt.rn.f16.f32
// PAIR: cvt.rn.f16.f64
// PAIR: ret
__global__ void halves(half2 *p, half *s, float f, double d) {
  p[0] = __hfma2(p[1], p[2], p[3]);
  p[4] = __hadd2(p[5], p[6]);
  p[7] = __hmul2(p[8], p[9]);
  p[10] = __hsub2(p[11], p[12]);
  s[100] = __hfma(s[101], s[102], s[103]);
  s[104] = __float2half(f);
  s[105] = __double2half(d);
}

// BOTH-LABEL: .entry bfloats(
// BOTH: fma.rn.bf16x2
// BOTH: fma.rn.bf16 
// BOTH: cvt.rn.bf16.f32
// BOTH: ret
__global__ void bfloats(__nv_bfloat162 *p, __nv_bfloat16 *s, float f) {
  p[0] = __hfma2(p[1], p[2], p[3]);
  s[100] = __hfma(s[101], s[102], s[103]);
  s[104] = __float2bfloat16(f);
}

// NEW-LABEL: .entry sums(
// NEW: add{{(.rn)?}}.bf16x2
// NEW: mul{{(.rn)?}}.bf16x2
// NEW: sub{{(.rn)?}}.bf16 
// NEW: ret
__global__ void sums(__nv_bfloat162 *p, __nv_bfloat16 *s) {
  p[0] = __hadd2(p[1], p[2]);
  p[3] = __hmul2(p[4], p[5]);
  s[100] = __hsub(s[101], s[102]);
}
}
