// -use_fast_math makes division approximate, and flushes results below the normal range to zero.
//
// REQUIRES: rocm-device-libs
// RUN: %regrain cc --targets=gfx90a --emit=amdgcn %s -o - | FileCheck %s
// RUN: %regrain cc --targets=gfx90a --emit=amdgcn -use_fast_math %s -o - | FileCheck %s --check-prefix=FAST

// CHECK: fdiv contract float %{{[0-9]+}}, %{{[0-9]+}}{{$}}
// CHECK-NOT: preserve-sign
// FAST: fdiv contract float %{{[0-9]+}}, %{{[0-9]+}}, !fpmath ![[ULPS:[0-9]+]]
// FAST: "denormal-fp-math-f32"="preserve-sign,preserve-sign"
// FAST: ![[ULPS]] = !{float 2.500000e+00}
__global__ void divide(float *p, const float *a, const float *b) {
  p[threadIdx.x] = a[threadIdx.x] / b[threadIdx.x];
}
