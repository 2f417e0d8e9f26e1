// Original and grain fuse the same products and sums (docs/decisions/0076-one-decision-about-products.md).
// RUN: %regrain cc -O3 --targets=gfx90a --coarsen='*:thread.x=2' --emit=amdgcn %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=gfx90a --coarsen='*:thread.x=2' --emit=amdgcn %s | FileCheck %s --check-prefix=NONE
// RUN: %regrain cc -O3 -fmad=false --targets=gfx90a --coarsen='*:thread.x=2' --emit=amdgcn %s \
// RUN:   | FileCheck %s --check-prefix=APART
// RUN: %regrain cc -O3 --targets=gfx90a,gfx942,gfx1030,gfx1100 --coarsen='*:thread.x=2' -c -o %t.o %s
#include <cuda_fp16.h>

// NONE-NOT: {{(fadd|fsub|fmul).* contract}}
// NONE-NOT: llvm.fmuladd
// APART-NOT: @llvm.fma.f32

// CHECK-LABEL: @invariant(
// CHECK: @llvm.fma.f32
// CHECK-LABEL: @halves(
// CHECK: @llvm.fma.f16
// There is no such operation for bfloat.
// CHECK-LABEL: @brains(
// CHECK: fmul bfloat
// CHECK: fadd bfloat
// CHECK-LABEL: @invariant__grain
// CHECK: @llvm.fma.f32
// CHECK: @llvm.fma.f32
// CHECK-LABEL: @halves__grain
// CHECK: @llvm.fma.f16
// CHECK-LABEL: @brains__grain
// CHECK: fmul bfloat
// CHECK: fadd bfloat
extern "C" __global__ void invariant(float *out, const float *a, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < n; j++) {
    float product = b[threadIdx.x] * b[1];
    out[i + j] = product + a[i + j];
    __syncthreads();
  }
}

extern "C" __global__ void halves(__half *out, __half x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half product = out[i] * x;
  if (i < n)
    out[i] = product + x;
}

extern "C" __global__ void brains(__bf16 *out, __bf16 x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __bf16 product = out[i] * x;
  out[i] = product + x;
}
