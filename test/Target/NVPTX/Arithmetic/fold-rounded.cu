// What libdevice computes of constants is folded, also where it uses NVIDIA's own functions; what
// LLVM cannot know stays.
// REQUIRES: cuda-toolkit
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_70 -ftz=true --emit=ptx %s -o - | FileCheck %s --check-prefix=FLUSHED

// cos(pi / 6) and sin(pi / 6) in float, and e in double.
// CHECK-LABEL: .entry _Z6anglesPfPd(
// CHECK-NOT: bra
// CHECK-NOT: cvt.rni
// CHECK-DAG: 1063105495
// CHECK-DAG: 1056964608
// CHECK: ret;
__global__ void angles(float *out, double *wide) {
  const float pi = 3.14159265358979f;
  out[0] = cosf(30.0f * pi / 180.0f);
  out[1] = sinf(30.0f * pi / 180.0f);
  wide[0] = exp(1.0);
}

// Each direction of rounding: 1/3 and 0.1f + 0.2f differ in the last bit.
// CHECK-LABEL: .entry _Z10directionsPfPi(
// CHECK-NOT: add.r
// CHECK-NOT: rcp
// CHECK-NOT: cvt.r
// CHECK-DAG: 1051372203
// CHECK-DAG: 1051372202
// CHECK: ret;
__global__ void directions(float *out, int *whole) {
  out[0] = __frcp_rn(3.0f);
  out[1] = __frcp_rz(3.0f);
  out[2] = __frcp_rd(3.0f);
  out[3] = __frcp_ru(3.0f);
  out[4] = __fadd_ru(0.1f, 0.2f);
  whole[0] = __float2int_rn(2.5f);
  whole[1] = __float2int_ru(2.5f);
  whole[2] = __double2hiint(1.0);
}

// A number that is too large for the integer, no number, and roots.
// CHECK-LABEL: .entry _Z5staysPiPf(
// CHECK: cvt.rni.s32.f32
// CHECK: cvt.rni.s32.f32
// CHECK: sqrt.rz
// CHECK: ret;
__global__ void stays(int *out, float *root) {
  out[0] = __float2int_rn(3e9f);
  out[1] = __float2int_rn(__int_as_float(0x7fc00000));
  root[0] = __fsqrt_rz(2.0f);
}

// Subnormal numbers are flushed by the machine.
// CHECK-LABEL: .entry _Z5smallPf(
// CHECK-NOT: mul.rz
// CHECK: ret;
// FLUSHED-LABEL: .entry _Z5smallPf(
// FLUSHED: mul.rz.ftz.f32
// FLUSHED: ret;
__global__ void small(float *out) { out[0] = __fmul_rz(1e-30f, 1e-10f); }
