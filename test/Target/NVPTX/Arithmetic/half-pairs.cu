// A pair of halves that is passed as a structure stays in one register: what splits it into its members and puts these
// together again is folded.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=WHOLE < %t.ptx

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define STEP sum = __hfma2(sum, x, y);
#define STEPS STEP STEP STEP STEP

// CHECK-LABEL: .entry chain(
// CHECK-COUNT-8: fma.rn.f16x2
// CHECK: ret;
// WHOLE-LABEL: .entry chain(
// WHOLE-NOT: {{[[:space:]](shl|or|cvt|prmt)\.|mov\.b32[[:space:]]+\{}}
// WHOLE: ret;
extern "C" __global__ void chain(half2 *out, half2 x, half2 y) {
  half2 sum = out[threadIdx.x];
  STEPS STEPS
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: .entry chainOfBf16(
// CHECK-COUNT-8: fma.rn.bf16x2
// CHECK: ret;
// WHOLE-LABEL: .entry chainOfBf16(
// WHOLE-NOT: {{[[:space:]](shl|or|cvt|prmt)\.|mov\.b32[[:space:]]+\{}}
// WHOLE: ret;
extern "C" __global__ void chainOfBf16(__nv_bfloat162 *out, __nv_bfloat162 x, __nv_bfloat162 y) {
  __nv_bfloat162 sum = out[threadIdx.x];
  STEPS STEPS
  out[threadIdx.x] = sum;
}

// Exchanged halves are another number, and so are the halves of two pairs.
// CHECK-LABEL: .entry exchanged(
// CHECK: fma.rn.f16x2
// CHECK: {{shl|prmt|mov\.b32[[:space:]]+\{}}
// CHECK: fma.rn.f16x2
// CHECK: ret;
extern "C" __global__ void exchanged(half2 *out, half2 x, half2 y) {
  half2 sum = __hfma2(out[threadIdx.x], x, y);
  out[threadIdx.x] = __hfma2(__lowhigh2highlow(sum), x, y);
}

// CHECK-LABEL: .entry ofTwo(
// CHECK-COUNT-2: fma.rn.f16x2
// CHECK: {{shl|prmt|mov\.b32[[:space:]]+\{}}
// CHECK: fma.rn.f16x2
// CHECK: ret;
extern "C" __global__ void ofTwo(half2 *out, half2 x, half2 y) {
  half2 first = __hfma2(out[threadIdx.x], x, y), second = __hfma2(out[threadIdx.x], y, x);
  out[threadIdx.x] = __hfma2(__halves2half2(__low2half(first), __high2half(second)), x, y);
}
