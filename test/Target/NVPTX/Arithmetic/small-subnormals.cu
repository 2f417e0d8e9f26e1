//===- small-subnormals.cu - -ftz=true leaves half and bfloat -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -use_fast_math, subnormal numbers of float are flushed, and those of 16 bits are not.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=compute_90 -use_fast_math --emit=ptx -o - %s | FileCheck %s
// RUN: %regrain cc --targets=compute_80 -use_fast_math --emit=ptx -o - %s | FileCheck %s
// RUN: %regrain cc --targets=compute_90 -use_fast_math --emit=ptx -o - %s \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: %regrain cc --targets=compute_60 -use_fast_math --emit=ptx -o - %s | FileCheck %s --check-prefix=OLD
// RUN: %regrain cc --targets=compute_90 --emit=ptx -o - %s | FileCheck %s --check-prefix=PLAIN
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// NONE-NOT: {{(add|sub|mul|fma.*|min|max|setp.*|neg)}}.ftz.{{b?}}f16
// NONE-NOT: cvt.ftz.f32.bf16

// CHECK-LABEL: .entry halves(
// CHECK-COUNT-4: fma.rn.f16 {{.*}};
// PLAIN-LABEL: .entry halves(
// PLAIN: add{{(.rn)?}}.f16
// OLD-LABEL: .entry halves(
// OLD-COUNT-3: fma.rn.f16
extern "C" __global__ void halves(__half *v) {
  int i = threadIdx.x;
  v[i] = v[i] + v[i + 1];
  v[i + 100] = v[i + 101] - v[i + 102];
  v[i + 200] = v[i + 201] * v[i + 202];
  v[i + 300] = __hfma(v[i + 301], v[i + 302], v[i + 303]);
}

// CHECK-LABEL: .entry pairs(
// CHECK: fma.rn.bf16x2
// CHECK: fma.rn.f16x2
// PLAIN-LABEL: .entry pairs(
// PLAIN: add{{(.rn)?}}.bf16x2
extern "C" __global__ void pairs(__nv_bfloat162 *v, __half2 *w) {
  int i = threadIdx.x;
  v[i] = __hadd2(v[i], v[i + 1]);
  w[i] = __hmul2(w[i], w[i + 1]);
}

// A product and a sum that may be contracted are one instruction.
// CHECK-LABEL: .entry fused(
// CHECK-NOT: mul
// CHECK: fma.rn.f16
// CHECK-NOT: fma.rn.f16
// CHECK: ret;
extern "C" __global__ void fused(_Float16 *v) { v[0] += v[1] * v[2]; }

// CHECK-LABEL: .entry compared(
// CHECK: setp.{{[a-z]+}}.f32
extern "C" __global__ void compared(__nv_bfloat16 *v, int *r) {
  r[threadIdx.x] = v[threadIdx.x] < v[9];
}

// CHECK-LABEL: .entry least(
// CHECK-DAG: min.bf16
// CHECK-DAG: max.f16
extern "C" __global__ void least(__nv_bfloat16 *v, __half2 *w) {
  int i = threadIdx.x;
  v[i] = __hmin(v[i], v[i + 1]);
  w[i] = __hmax2(w[i], w[i + 1]);
}

// The smaller of two bfloats is one of them, also where it is computed in float.
// CHECK-LABEL: .entry leastOfFloats(
// CHECK: min.f32
// CHECK: max.f32
extern "C" __global__ void leastOfFloats(__nv_bfloat16 *v, float *f) {
  int i = threadIdx.x;
  float a = __bfloat162float(v[i]), b = __bfloat162float(v[i + 1]);
  f[i] = fminf(a, b) + a;
  f[i + 100] = fmaxf(a, b) + b;
}

// CHECK-LABEL: .entry quotients(
// CHECK: div.rn.f32
// CHECK: sqrt.approx.f32
// PLAIN-LABEL: .entry quotients(
// PLAIN: div.rn.f32
extern "C" __global__ void quotients(__nv_bfloat16 *v) {
  int i = threadIdx.x;
  v[i] = v[i + 1] / v[i + 2];
  v[i + 100] = hsqrt(v[i + 101]);
}

// What is no bfloat is flushed, and what stays in float.
// CHECK-LABEL: .entry otherQuotients(
// CHECK: min.ftz.f32
// CHECK: div.{{[a-z]+}}.ftz.f32
// CHECK: sqrt.approx.ftz.f32
extern "C" __global__ void otherQuotients(float *f, __half *v, __nv_bfloat16 *w) {
  int i = threadIdx.x;
  f[i] = fminf(f[i], f[i + 1]);
  v[i] = v[i + 1] / v[i + 2];
  f[i + 100] = sqrtf(__bfloat162float(w[i]));
}

// Float itself is flushed.
// CHECK-LABEL: .entry single(
// CHECK: add.rn.ftz.f32
extern "C" __global__ void single(float *v) { v[threadIdx.x] += v[9]; }

// Nor is a sign flipped by a negation, which would flush.
// CHECK-LABEL: .entry signs(
// CHECK: xor.b16
// CHECK: xor.b32
extern "C" __global__ void signs(__half *v, __half2 *w) {
  int i = threadIdx.x;
  v[i] = __hneg(v[i + 1] * v[i + 2]);
  w[i] = __hneg2(__hmul2(w[i + 1], w[i + 2]));
}
