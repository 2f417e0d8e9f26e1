// Each kernel has the order of instructions that is better for it, whatever other kernels are in the module.
// REQUIRES: ptxas
// RUN: %regrain cc -O3 --targets=sm_90 -c -o %t.both.o %s && %regrain inspect %t.both.o | FileCheck %s
// RUN: %regrain cc -O3 --targets=sm_90 -DONLY_EARLY -c -o %t.early.o %s && %regrain inspect %t.early.o | grep original > %t.alone
// RUN: %regrain cc -O3 --targets=sm_90 -DONLY_LATE -c -o %t.late.o %s && %regrain inspect %t.late.o | grep original >> %t.alone
// RUN: %regrain inspect %t.both.o | grep original > %t.together
// RUN: diff -b %t.alone %t.together
// The second build gives the same bytes.
// RUN: %regrain cc -O3 --targets=sm_90 -c -o %t.again.o %s && cmp %t.both.o %t.again.o

// The program's order is better: the other one holds more values, and spills.
// CHECK-LABEL: early
// CHECK: original {{ *[0-9]+ *}} 0/0
#ifndef ONLY_LATE
extern "C" __global__ void early(double *out, const double *in, int n) {
  double value[160], sums[24];
#pragma unroll
  for (int k = 0; k < 160; ++k)
    value[k] = in[threadIdx.x + k * n] * in[threadIdx.x + (k + 1) * n + 7];
#pragma unroll
  for (int s = 0; s < 24; ++s) {
    sums[s] = 0;
#pragma unroll
    for (int k = 0; k < 10; ++k)
      sums[s] += value[(s * 6 + k) % 160] * value[(s * 6 + k * 3) % 160];
  }
#pragma unroll
  for (int s = 0; s < 24; ++s)
    out[threadIdx.x + s * n] = sums[s] * sums[23 - s];
}
#endif

// The other order is better: it computes values where they are used, so that three blocks are resident instead of two.
// CHECK-LABEL: late
// CHECK: original {{.*}} 18%@128
#ifndef ONLY_EARLY
extern "C" __global__ void __launch_bounds__(128) late(double *out, const double *in, int n) {
  double x[12], value[150], product = 1;
#pragma unroll
  for (int k = 0; k < 12; ++k)
    x[k] = in[threadIdx.x + k * n];
#pragma unroll
  for (int k = 0; k < 150; ++k)
    value[k] = (x[k % 12] + x[(k * 5 + 1) % 11]) * (x[k % 7] - x[(k * 3 + 2) % 12]) + x[(k / 12) % 12];
#pragma unroll
  for (int k = 149; k >= 0; --k)
    product = product * value[k] + x[k % 5];
  out[threadIdx.x] = product;
}
#endif
