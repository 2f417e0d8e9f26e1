// Exact quotients by one divisor, and roots beside them, have one reciprocal and one check of their operands. Behind it they are
// divided as the program says.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_90 -use_fast_math --emit=ptx %s -o - | FileCheck %s --check-prefix=FAST
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o - | FileCheck %s --check-prefix=BEFORE

// Of chips before sm_75 it is not known how they divide.
// BEFORE-LABEL: .entry velocity(
// BEFORE-NOT: rcp.approx
// BEFORE: div.rn.f32

// CHECK-LABEL: .entry velocity(
// CHECK-NOT: {{div\.rn|sqrt\.rn|bra}}
// CHECK: rcp.approx.ftz.f32
// CHECK-NOT: {{div\.rn|sqrt\.rn|bra|rcp\.}}
// CHECK: rsqrt.approx.ftz.f32
// CHECK: bra [[EXACT:\$.*]];
// CHECK: st.global
// CHECK: ret;
// CHECK: [[EXACT]]:
// CHECK-COUNT-3: div.rn.f32
// CHECK: sqrt.rn.f32
// CHECK: bra
// FAST-LABEL: .entry velocity(
// FAST-NOT: bra
// FAST: ret;
extern "C" __global__ void velocity(float4 *__restrict__ out, const float4 *__restrict__ in) {
  float4 v = in[threadIdx.x];
  float x = v.x / v.w, y = v.y / v.w, z = v.z / v.w;
  out[threadIdx.x] = make_float4(x, y, z, sqrtf(x * x + y * y + z * z));
}

// The sign of a divisor decides about the one of zero. A root's is known.
// CHECK-LABEL: .entry normal(
// CHECK-NOT: {{shr\.s32|div\.rn}}
// CHECK: rcp.approx.ftz.f32
// CHECK-NOT: shr.s32
// CHECK: ret;
extern "C" __global__ void normal(float *__restrict__ out, const float *__restrict__ in) {
  float x = in[threadIdx.x], y = in[threadIdx.x + 32], z = in[threadIdx.x + 64], length = sqrtf(x * x + y * y + z * z);
  out[threadIdx.x] = x / length, out[threadIdx.x + 32] = y / length, out[threadIdx.x + 64] = z / length;
}

// Constant divisors have a constant reciprocal.
// CHECK-LABEL: .entry constant(
// CHECK-NOT: {{div\.rn|rcp\.}}
// CHECK: bra
// CHECK: st.global
// CHECK: div.rn.f32
// CHECK: div.rn.f32
extern "C" __global__ void constant(float *__restrict__ out, const float *__restrict__ in) {
  float x = in[threadIdx.x], y = in[threadIdx.x + 32], z = in[threadIdx.x + 64];
  out[threadIdx.x] = x / 3 + y / 3 + z / 7;
}

// Where it saves nothing: quotients by different divisors, and only two by one.
// CHECK-LABEL: .entry different(
// CHECK-NOT: rcp.
// CHECK-COUNT-4: div.rn.f32
// CHECK-NOT: bra
// CHECK: ret;
extern "C" __global__ void different(float *__restrict__ out, const float *__restrict__ in) {
  float x = in[threadIdx.x], y = in[threadIdx.x + 32], z = in[threadIdx.x + 64];
  out[threadIdx.x] = x / y + y / z;
  out[threadIdx.x + 32] = x / z + z / x;
}

// Each quotient is stored, or decides what is loaded, before the next one is known.
// CHECK-LABEL: .entry apart(
// CHECK-NOT: rcp.
// CHECK-COUNT-4: div.rn.f32
// CHECK: ret;
extern "C" __global__ void apart(float *out, const float *in, float by) {
  float x = in[threadIdx.x] / by;
  float y = in[(int)x] / by;
  float z = in[(int)y] / by;
  out[threadIdx.x] = in[(int)z] / by;
}

// CHECK-LABEL: .entry wide(
// CHECK-NOT: rcp.
// CHECK-COUNT-3: div.rn.f64
// CHECK: ret;
extern "C" __global__ void wide(double *__restrict__ out, const double *__restrict__ in, double by) {
  double x = in[threadIdx.x], y = in[threadIdx.x + 32], z = in[threadIdx.x + 64];
  out[threadIdx.x] = x / by * (y / by) * (z / by);
}

// What is stored may be what is loaded next.
// CHECK-LABEL: .entry aliased(
// CHECK-NOT: rcp.
// CHECK-COUNT-4: div.rn.f32
// CHECK-NOT: bra
// CHECK: ret;
extern "C" __global__ void aliased(float *v, float by) {
  v[threadIdx.x + 1] = v[threadIdx.x] / by;
  v[threadIdx.x + 2] = v[threadIdx.x + 1] / by;
  v[2 * threadIdx.x] = v[threadIdx.x * 3] / by;
  v[5 * threadIdx.x] = v[threadIdx.x * 7] / by;
}
