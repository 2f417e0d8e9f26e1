// Functions of libdevice have the code that nvcc gives them: a sign is copied by operations on bits, square roots
// of constants are computed, and approximate reciprocals are no inline assembly.
// REQUIRES: cuda-toolkit
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_90 --coarsen='*:thread.x=2' --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_90 -use_fast_math --emit=ptx %s | FileCheck %s --check-prefix=FAST

// CHECK-LABEL: .entry signs(
// CHECK-NOT: setp.
// CHECK: xor.b32
// CHECK: and.b32 {{.*}}, 2147483647;
// CHECK: xor.b32
// CHECK: and.b64 {{.*}}, 9223372036854775807;
// CHECK-NOT: setp.
// CHECK: ret;
extern "C" __global__ void signs(float *f, double *d) {
  int i = threadIdx.x;
  f[i] = copysignf(f[i], f[i + 1024]);
  d[i] = copysign(d[i], d[i + 1024]);
}

// CHECK-LABEL: .entry constants(
// CHECK-NOT: sqrt.
// CHECK-NOT: div.
// CHECK-NOT: rcp.
// CHECK: ret;
extern "C" __global__ void constants(float *f, double *d) {
  float sum = 0;
#pragma unroll
  for (int i = 1; i < 4; ++i)
    sum += 1.0f / sqrtf((float)(i * i));
  f[0] = sum;
  f[1] = __fsqrt_rn(2.0f) + __fsqrt_rn(-0.0f);
  d[0] = __dsqrt_rn(2.0);
}

// Roots that are no numbers, of subnormal numbers that may be flushed, in other directions, and approximations stay.
// CHECK-LABEL: .entry stays(
// CHECK-COUNT-2: sqrt.rn.f32
// CHECK: sqrt.rz.f32
// CHECK: rsqrt.approx.f32
// CHECK: ret;
extern "C" __global__ void stays(float *f) {
  f[0] = __fsqrt_rn(-1.0f);
  f[1] = __fsqrt_rn(1e-40f);
  f[2] = __fsqrt_rz(2.0f);
  f[3] = rsqrtf(4.0f);
}

// The logarithm within powf has a reciprocal; that an integer is finite is known.
// CHECK-LABEL: .entry powers(
// CHECK-NOT: inline asm
// CHECK-NOT: setp.nan.f32 {{.*}}, %f{{.*}}, %f{{.*}};{{.*}}setp.nan
// CHECK: rcp.approx.ftz.f32
// CHECK-NOT: inline asm
// CHECK: ret;
// FAST-LABEL: .entry powers(
// FAST: lg2.approx.ftz.f32
// FAST: ex2.approx.ftz.f32
// FAST-NOT: bra
// FAST: ret;
extern "C" __global__ void powers(float *f, int n) { f[threadIdx.x] = powf(f[threadIdx.x], n); }

// Fast math has an instruction for a root's reciprocal, which needs no root of its own; one that is used twice stays.
// FAST-LABEL: .entry reciprocal(
// FAST-NOT: {{[^r]}}sqrt.approx
// FAST-NOT: rcp.approx
// FAST: rsqrt.approx.ftz.f32
// FAST: ret;
extern "C" __global__ void reciprocal(float *f) { f[threadIdx.x] = 1.0f / sqrtf(f[threadIdx.x]); }

// FAST-LABEL: .entry both(
// FAST: {{[^r]}}sqrt.approx.ftz.f32
// FAST: rcp.approx.ftz.f32
// FAST: ret;
extern "C" __global__ void both(float *f) {
  float root = sqrtf(f[threadIdx.x]);
  f[threadIdx.x] = 1.0f / root;
  f[threadIdx.x + 1024] = root;
}

// The logarithm of a base that all iterations have leaves both loops, though the inner one may not run.
// CHECK-LABEL: .entry loops(
// CHECK: rcp.approx.ftz.f32
// CHECK: $L__BB
// CHECK-NOT: rcp.approx
// CHECK-NOT: 0f3A2C32E4
// CHECK: ret;
extern "C" __global__ void loops(float *f, float base, int n, int steps) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    for (int t = 1; t <= steps; ++t)
      f[i] = f[i] / (1.0f - powf(base, t)) + 1.0f;
}
