// Functions of libdevice have the code that nvcc gives them: a sign is copied by operations on bits, operations that
// round to nearest are computed if their operands are constants, and approximate reciprocals are no inline assembly.
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
// CHECK-NOT: {{add|mul}}.rn.
// CHECK: ret;
extern "C" __global__ void constants(float *f, double *d) {
  float sum = 0;
#pragma unroll
  for (int i = 1; i < 4; ++i)
    sum += 1.0f / sqrtf((float)(i * i));
  f[0] = sum;
  f[1] = __fdiv_rn(1.0f, 3.0f);
  f[2] = __frcp_rn(3.0f);
  f[3] = __fadd_rn(1.0f, 1e-8f) + __fmul_rn(0.1f, 0.1f);
  d[0] = __ddiv_rn(1.0, 3.0) + __dsqrt_rn(2.0) + __drcp_rn(7.0) + __dadd_rn(0.1, 0.2) + __dmul_rn(0.1, 0.1);
}

// What depends on the treatment of subnormal numbers stays, and so do results that are no numbers, approximations and
// other directions.
// CHECK-LABEL: .entry stays(
// CHECK-DAG: mul.rn.f32
// CHECK-DAG: add.rn.f32
// CHECK-DAG: div.rn.f32
// CHECK-DAG: sqrt.rn.f32
// CHECK-DAG: rsqrt.approx.f32
// CHECK-DAG: div.rz.f32
// CHECK: ret;
extern "C" __global__ void stays(float *f) {
  f[0] = __fmul_rn(1e-30f, 1e-10f);
  f[1] = __fadd_rn(1e-40f, 1.0f);
  f[2] = __fdiv_rn(1.0f, 0.0f);
  f[3] = __fsqrt_rn(-1.0f);
  f[4] = rsqrtf(4.0f);
  f[5] = __fdiv_rz(1.0f, 3.0f);
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
