//===- function-products.cu - Functions that end in a product -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libdevice's expf ends in a product, which is fused with a sum outside as nvcc does it, in
// originals, grains, and without alternatives.
//
//===----------------------------------------------------------------------===//
// REQUIRES: cuda-toolkit
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='*:control' --emit=ptx %s -o %t.ptx
// RUN: FileCheck --input-file=%t.ptx %s
// RUN: sed -n '/__grain/,$p' %t.ptx | FileCheck %s
// RUN: %regrain cc -O3 -fmad=false --targets=compute_90 --coarsen='*:control' --emit=ptx %s \
// RUN:   | FileCheck %s --check-prefix=APART

// APART-NOT: {{^}}{{.*}}multipl
// APART-LABEL: .entry sigmoid
// APART: ex2.approx
// APART: mul.rn.f32 [[E:%f[0-9]+]],
// APART: add.rn.f32 {{.*}}, [[E]], 0f3F800000;
// CHECK-LABEL: .entry sigmoid
// CHECK: ex2.approx.ftz.f32 [[E:%f[0-9]+]],
// CHECK-NOT: {{mul|add}}.rn.f32
// CHECK: fma.rn.f32 {{.*}}, [[E]], {{.*}}, 0f3F800000;
// CHECK: ret;
extern "C" __global__ void sigmoid(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 1 / (1 + expf(-in[i]));
}

// One exponential is computed for both sums.
// CHECK-LABEL: .entry twice
// CHECK: ex2.approx.ftz.f32 [[E:%f[0-9]+]],
// CHECK-NOT: ex2
// CHECK: fma.rn.f32 {{.*}}, [[E]], {{.*}}, 0f3F800000;
// CHECK-NOT: ex2
// CHECK: ret;
extern "C" __global__ void twice(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float e = expf(in[i]);
  out[2 * i] = 1 + e;
  out[2 * i + 1] = in[i] - e;
}

// The exponential is stored as well, so nvcc does not fuse it.
// CHECK-LABEL: .entry stored
// CHECK: ex2.approx.ftz.f32 [[E:%f[0-9]+]],
// CHECK: mul.rn.f32 [[P:%f[0-9]+]], {{.*}}[[E]]
// CHECK: add.rn.f32 {{.*}}[[P]]
// CHECK: ret;
extern "C" __global__ void stored(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float e = expf(in[i]);
  out[2 * i] = 1 + e;
  out[2 * i + 1] = e;
}

// The program's own product is fused first.
// CHECK-LABEL: .entry beside
// CHECK: ex2.approx.ftz.f32 [[E:%f[0-9]+]],
// CHECK: mul.rn.f32 [[P:%f[0-9]+]], {{.*}}[[E]]
// CHECK: fma.rn.f32 {{.*}}, [[P]];
// CHECK: ret;
extern "C" __global__ void beside(float *out, const float *in, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = expf(in[i]) + in[i] * a;
}

// The fast logarithm ends in a product with the logarithm of 2.
// CHECK-LABEL: .entry logarithm
// CHECK: lg2.approx.f32 [[L:%f[0-9]+]],
// CHECK: fma.rn.f32 {{.*}}[[L]], 0f3F317218, 0f3F800000;
// CHECK: ret;
extern "C" __global__ void logarithm(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 1 + __logf(in[i]);
}

// The last operation of the double exponential is not the same on all of its ways.
// CHECK-LABEL: .entry wide
// CHECK: add.rn.f64 {{.*}}, 0d3FF0000000000000;
// CHECK: ret;
extern "C" __global__ void wide(double *out, const double *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 1 + exp(in[i]);
}
