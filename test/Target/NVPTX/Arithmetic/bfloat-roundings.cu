// Floats that are rounded to bf16, and used as floats again, are rounded in the upper half of a pair.
// REQUIRES: cuda-toolkit
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s
#include <cuda_bf16.h>

// CHECK-LABEL: .entry _Z8computedPfPKf(
// CHECK: mov.f32 [[ZERO:%f[0-9]+]], 0f00000000;
// CHECK: cvt.rn.bf16x2.f32 [[PAIR:%r[0-9]+]], {{%f[0-9]+}}, [[ZERO]];
// CHECK-NOT: shl
// CHECK: mov.b32 {{%f[0-9]+}}, [[PAIR]];
// CHECK: ret;
__global__ void computed(float *out, const float *in) {
  out[threadIdx.x] = __bfloat162float(__float2bfloat16(in[threadIdx.x])) * 3;
}

// What is stored as well is the upper half.
// CHECK-LABEL: .entry _Z8bothWaysPfP13__nv_bfloat16PKf(
// CHECK: cvt.rn.bf16x2.f32
// CHECK-NOT: cvt.rn.bf16.f32
// CHECK: st.global.{{[bu]}}16
// CHECK-NOT: cvt.rn.bf16.f32
// CHECK: ret;
__global__ void bothWays(float *out, __nv_bfloat16 *rounded, const float *in) {
  __nv_bfloat16 x = __float2bfloat16(in[threadIdx.x]);
  out[threadIdx.x] = __bfloat162float(x) * 3;
  rounded[threadIdx.x] = x;
}

// What is only stored is left to ptxas.
// CHECK-LABEL: .entry _Z6storedP13__nv_bfloat16PKf(
// CHECK: cvt.rn.bf16.f32
// CHECK: ret;
__global__ void stored(__nv_bfloat16 *rounded, const float *in) {
  rounded[threadIdx.x] = __float2bfloat16(in[threadIdx.x]);
}
