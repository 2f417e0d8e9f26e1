// Quotients by a common divisor that only become 8-bit numbers are computed from its reciprocal.
// REQUIRES: cuda-toolkit
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_90 -ftz=true --emit=ptx %s -o - | FileCheck %s --check-prefix=FLUSHED

__device__ __forceinline__ unsigned char e4m3(float x) {
  unsigned short code;
  asm("{cvt.rn.satfinite.e4m3x2.f32 %0, %2, %1;}" : "=h"(code) : "f"(x), "f"(0.0f));
  return code;
}
__device__ __forceinline__ unsigned char e5m2(float x) {
  unsigned short code;
  asm("{cvt.rn.satfinite.e5m2x2.f32 %0, %2, %1;}" : "=h"(code) : "f"(x), "f"(0.0f));
  return code;
}

// What is no number has the upper bound's code, so that only minus infinity is kept out of the
// rest. The conversion has the lower bound too.
// CHECK-LABEL: .entry _Z6inLoopPhPKfS1_i(
// CHECK: rcp.rn.f32
// CHECK-NOT: div
// CHECK: mul.rn.f32 [[SCALED:%f[0-9]+]],
// CHECK: mul.rn.f32
// CHECK: max.f32 [[NEAR:%f[0-9]+]], {{.*}}, 0fC7800000;
// CHECK: neg.f32 [[NEGATED:%f[0-9]+]], [[SCALED]];
// CHECK: fma.rn.f32 [[REST:%f[0-9]+]], [[NEAR]], {{.*}}, [[NEGATED]];
// CHECK: fma.rn.f32 {{.*}}, [[REST]], {{.*}}, [[NEAR]];
// CHECK-NEXT: min.f32 {{.*}}, 0f43E00000;
// CHECK-NOT: 0fC3E00000
// CHECK-NOT: div
// CHECK: ret;
// FLUSHED-LABEL: .entry _Z6inLoopPhPKfS1_i(
// FLUSHED-NOT: rcp.rn
// FLUSHED: div.rn.ftz.f32
// FLUSHED: ret;
__global__ void inLoop(unsigned char *out, const float *in, const float *scale, int n) {
  float s = *scale;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = e4m3(fmaxf(-448, fminf(in[i] / s, 448)));
}

// Four quotients are enough outside of loops; here the lower bound is that of no number.
// CHECK-LABEL: .entry _Z4fourPhPKfS1_(
// CHECK: rcp.rn.f32
// CHECK-NOT: div
// CHECK: min.f32 {{.*}}, 0f47800000;
// CHECK-NOT: min.f32 {{.*}}, 0f43E00000;
// CHECK: max.f32 {{.*}}, 0fC3E00000;
// CHECK-NOT: div
// CHECK: ret;
__global__ void four(unsigned char *out, const float *in, const float *scale) {
  int i = threadIdx.x * 4;
  float s = *scale;
  for (int k = 0; k < 4; ++k)
    out[i + k] = e4m3(fminf(fmaxf(in[i + k] / s, -448), 448));
}

// Three are not.
// CHECK-LABEL: .entry _Z5threePhPKfS1_(
// CHECK-NOT: rcp
// CHECK-COUNT-3: div.rn.f32
// CHECK: ret;
__global__ void three(unsigned char *out, const float *in, const float *scale) {
  int i = threadIdx.x * 4;
  float s = *scale;
  for (int k = 0; k < 3; ++k)
    out[i + k] = e4m3(fminf(fmaxf(in[i + k] / s, -448), 448));
}

// Without a clamp, both infinities are kept out.
// CHECK-LABEL: .entry _Z4widePhPKfS1_i(
// CHECK: rcp.rn.f32
// CHECK-DAG: min.f32 {{.*}}, 0f47800000;
// CHECK-DAG: max.f32 {{.*}}, 0fC7800000;
// CHECK: ret;
__global__ void wide(unsigned char *out, const float *in, const float *scale, int n) {
  float s = *scale;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = e5m2(in[i] / s);
}

// The quotient is stored as well; the numerator is common, and not the divisor; a bound inside of
// the conversion's stays.
// CHECK-LABEL: .entry _Z6storedPhPfPKfS2_i(
// CHECK-NOT: rcp
// CHECK: div.rn.f32
// CHECK: ret;
__global__ void stored(unsigned char *out, float *quotients, const float *in, const float *scale, int n) {
  float s = *scale;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float q = in[i] / s;
    quotients[i] = q;
    out[i] = e4m3(fmaxf(-448, fminf(q, 448)));
  }
}
// CHECK-LABEL: .entry _Z6othersPhPKfS1_i(
// CHECK-NOT: rcp.rn
// CHECK: div.rn.f32
// CHECK: ret;
__global__ void others(unsigned char *out, const float *in, const float *scale, int n) {
  float s = *scale;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = e4m3(fmaxf(-448, fminf(s / in[i], 448)));
}
// CHECK-LABEL: .entry _Z5innerPhPKfS1_i(
// CHECK: rcp.rn.f32
// CHECK: min.f32 {{.*}}, 0f42C80000;
// CHECK: max.f32 {{.*}}, 0fC2C80000;
// CHECK: ret;
__global__ void inner(unsigned char *out, const float *in, const float *scale, int n) {
  float s = *scale;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = e4m3(fmaxf(-100, fminf(in[i] / s, 100)));
}
