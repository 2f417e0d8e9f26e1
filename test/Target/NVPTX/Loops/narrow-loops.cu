// Iterations over integers of less than 32 bits are not made vectors, which chips have few instructions for.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s

// CHECK-LABEL: .entry shorts(
// CHECK-NOT: {mov.b32|prmt}
// CHECK-NOT: mov.b32 {{.}}%rs
// CHECK: mul.lo.s16
// CHECK-NOT: mov.b32 {{.}}%rs
// CHECK: ret;
extern "C" __global__ void shorts(const short *__restrict__ a, const short *__restrict__ b, short *out, int n) {
  short sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  out[threadIdx.x] = sum;
}

// Chips have arithmetic on pairs of halves.
// CHECK-LABEL: .entry halves(
// CHECK: fma.rn.f16x2
// CHECK: ret;
extern "C" __global__ void halves(const _Float16 *__restrict__ a, _Float16 *__restrict__ b, _Float16 x) {
  for (int i = 0; i < 4096; ++i)
    b[i] = a[i] * x + b[i];
}
