// The counter of an unrolled loop goes from its limit to zero, and the rest of the iterations
// begins at the limit, so that one register counts.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s

// CHECK-LABEL: .entry rest(
// CHECK: ld.global.nc.v4.f32
// CHECK: ld.global.nc.v4.f32
// CHECK-NOT: add.s64
// CHECK: add.s32 [[COUNTER:%r[0-9]+]], [[COUNTER]], -2;
// CHECK-NEXT: add.s64
// CHECK-NEXT: setp.ne.s32 [[GOES_ON:%p[0-9]+]], [[COUNTER]], 0;
// CHECK-NEXT: @[[GOES_ON]] bra
// CHECK: ret;
extern "C" __global__ void rest(const float4 *__restrict__ in, float *out, int n) {
  float x = out[threadIdx.x], sums[8] = {};
  for (int i = 0; i < n; ++i) {
    float4 v = in[i];
#pragma unroll
    for (int k = 0; k < 8; ++k)
      sums[k] += v.w * rsqrtf((v.x + k * x) * (v.y - k * x) + v.z * x);
  }
  for (int k = 0; k < 8; ++k)
    out[threadIdx.x + 32 * k] = sums[k];
}

// An address comes from the counter that ends the loop.
// CHECK-LABEL: .entry strided(
// CHECK: shl.b64 [[BYTES:%rd[0-9]+]], [[COUNTER:%rd[0-9]+]], 3;
// CHECK-NEXT: add.s64 [[ADDRESS:%rd[0-9]+]], {{%rd[0-9]+}}, [[BYTES]];
// CHECK: st.global.u64 {{\[}}[[ADDRESS]]],
// CHECK-NEXT: add.s64 [[COUNTER]], [[COUNTER]],
// CHECK-NEXT: setp.lt.u64
// CHECK: ret;
extern "C" __global__ void strided(unsigned long *out, unsigned long n, unsigned long x) {
  unsigned stride = gridDim.x * blockDim.x;
  for (unsigned long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    x = x * 6906969069 + 1234567;
    out[i] = x ^ x >> 17;
  }
}
