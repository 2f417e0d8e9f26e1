//===- fixed-products.cu - Original and grain fuse the same ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which products are fused with sums is decided before original and grain part, and without
// alternatives by the same rule after the passes. What is not fused has ".rn", so that ptxas does
// not fuse it.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='*:thread.x=2' --emit=ptx %s \
// RUN:   | FileCheck %s --check-prefixes=ORIGINAL,EARLY,GRAIN
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='*:thread.x=2' --emit=ptx %s \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: %regrain cc -O3 --targets=compute_60 --coarsen='*:thread.x=2' --emit=ptx %s | FileCheck %s --check-prefix=OLD
// RUN: %regrain cc -O3 -fmad=false --targets=compute_90 --coarsen='*:thread.x=2' --emit=ptx %s \
// RUN:   | FileCheck %s --check-prefix=APART
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o %t.ptx
// RUN: FileCheck --input-file=%t.ptx %s --check-prefix=ORIGINAL
// RUN: FileCheck --input-file=%t.ptx %s --check-prefix=NONE
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// NONE-NOT: {{(mul|add|sub).(f32|f64|f16|f16x2|bf16|bf16x2)}}
// APART-NOT: fma.rn.f32

// The product does not change in the loop, from which LLVM moves it.
// ORIGINAL-LABEL: .entry invariant(
// ORIGINAL-NOT: {{(mul|add)}}.rn.f32
// ORIGINAL: fma.rn.f32
// ORIGINAL-NOT: {{(mul|add)}}.rn.f32
extern "C" __global__ void invariant(float *out, const float *a, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < n; j++) {
    float product = b[threadIdx.x] * b[1];
    out[i + j] = product + a[i + j];
    __syncthreads();
  }
}

// Both factors are computed in front of the loop, so that the product takes one register less there.
// ORIGINAL-LABEL: .entry before(
// ORIGINAL: mul.rn.f32
// ORIGINAL-NOT: fma
// ORIGINAL: add.rn.f32
// ORIGINAL-NOT: fma
extern "C" __global__ void before(float *out, const float *a, const float *b, int n) {
  float x = b[threadIdx.x], y = b[1];
  for (int j = 0; j < n; j++)
    out[j] = a[j] + x * y;
}

// A parameter of the kernel needs no register.
// ORIGINAL-LABEL: .entry parameter(
// ORIGINAL-NOT: {{(mul|add)}}.rn.f32
// ORIGINAL: fma.rn.f32
// ORIGINAL-NOT: {{(mul|add)}}.rn.f32
extern "C" __global__ void parameter(float *out, const float *a, const float *b, float y, int n) {
  float x = b[threadIdx.x];
  for (int j = 0; j < n; j++)
    out[j] = a[j] + x * y;
}

// The product is in another block than its sums, which are its only uses.
// ORIGINAL-LABEL: .entry elsewhere(
// ORIGINAL-NOT: {{(mul|add|sub)}}.rn.f32
// ORIGINAL: fma.rn.f32
// ORIGINAL: fma.rn.f32
// ORIGINAL-NOT: {{(mul|add|sub)}}.rn.f32
extern "C" __global__ void elsewhere(float *out, const float *a, float x, float y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float product = a[i] * x;
  if (i < n)
    out[i] = product + y;
  else
    out[2 * i + 1] = a[n] - product;
}

// That product has another use.
// ORIGINAL-LABEL: .entry used(
// ORIGINAL-NOT: fma
// ORIGINAL: mul.rn.f32
// ORIGINAL-NOT: fma
// ORIGINAL: add.rn.f32
// ORIGINAL-NOT: fma
extern "C" __global__ void used(float *out, float *p, const float *a, float x, float y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float product = a[i] * x;
  p[i] = product;
  __syncthreads();
  if (i < n)
    out[i] = product + y;
}

// The product comes from memory, also if the grain keeps it in a variable.
// ORIGINAL-LABEL: .entry stored(
// ORIGINAL-NOT: fma
// ORIGINAL: mul.rn.f32
// ORIGINAL: add.rn.f32
extern "C" __global__ void stored(float *out, const float *a, float x, float y) {
  __shared__ float s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = a[i] * x;
  __syncthreads();
  out[i] = s[threadIdx.x] + y;
}

// Constants that only the unrolled loop shows: 3 * 0.1f is not rounded before the sum. Without
// alternatives, LLVM has rounded it when the decision is made.
// EARLY-LABEL: .entry constants(
// EARLY: mov.f32 [[THREE:%f[0-9]+]], 0f40400000;
// EARLY: fma.rn.f32 {{.*}}, [[THREE]], {{.*}}
extern "C" __global__ void constants(float *out, float y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < 4; j++)
    out[4 * i + j] = float(j) * 0.1f + y;
}

// Numbers of 16 bits, one and two at a time. Where a chip has no such operation, it is one of float.
// ORIGINAL-LABEL: .entry halves(
// ORIGINAL: fma.rn.f16
// ORIGINAL: fma.rn.f16x2
// OLD-LABEL: .entry halves(
// OLD: fma.rn.f16
extern "C" __global__ void halves(__half *out, __half2 *out2, __half x, __half2 y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half product = out[i] * x;
  if (i < n)
    out[i] = product + x;
  out2[i] = out2[i] * y + y;
}

// ORIGINAL-LABEL: .entry brains(
// ORIGINAL: fma.rn.bf16
// OLD-LABEL: .entry brains(
// OLD: fma.rn.f32
extern "C" __global__ void brains(__nv_bfloat16 *out, __nv_bfloat16 x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_bfloat16 product = out[i] * x;
  if (i < n)
    out[i] = product + x;
}

// GRAIN-LABEL: .entry invariant__grain
// GRAIN-NOT: {{(mul|add)}}.rn.f32
// GRAIN: fma.rn.f32
// GRAIN-NOT: {{(mul|add)}}.rn.f32
// GRAIN-LABEL: .entry before__grain
// GRAIN-NOT: fma
// GRAIN-LABEL: .entry parameter__grain
// GRAIN-NOT: {{(mul|add)}}.rn.f32
// GRAIN: fma.rn.f32
// GRAIN-NOT: {{(mul|add)}}.rn.f32
// GRAIN-LABEL: .entry elsewhere__grain
// GRAIN-NOT: {{(mul|add|sub)}}.rn.f32
// GRAIN: fma.rn.f32
// GRAIN-NOT: {{(mul|add|sub)}}.rn.f32
// GRAIN-LABEL: .entry used__grain
// GRAIN-NOT: fma
// GRAIN-LABEL: .entry stored__grain
// GRAIN-NOT: fma
// GRAIN-LABEL: .entry constants__grain
// GRAIN: mov.f32 [[OWN:%f[0-9]+]], 0f40400000;
// GRAIN: fma.rn.f32 {{.*}}, [[OWN]], {{.*}}
// GRAIN-LABEL: .entry halves__grain
// GRAIN: fma.rn.f16
// GRAIN: fma.rn.f16x2
// GRAIN-LABEL: .entry brains__grain
// GRAIN: fma.rn.bf16
