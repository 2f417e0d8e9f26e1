// A counter that begins at a constant, and ends at one, has the first one in front of its own loop, so that ptxas knows how often
// the loop runs. What does not count, or up to another number, begins at the constant that the function has once.
// RUN: %regrain cc -O3 --targets=ptx --emit=ptx %s -o - | FileCheck %s

// Four loops over the same numbers: ptxas unrolls all of them.
// CHECK-LABEL: .entry four(
// CHECK-COUNT-4: mov.b32 %r{{[0-9]+}}, -4;
// CHECK-NOT: , -4;
// CHECK: ret;
__constant__ int table[1024];

extern "C" __global__ void four(int *sum) {
  int total = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 1024; j += 4)
      total += table[j + i];
  *sum = total;
}

// Both results begin at one constant: they do not count.
// CHECK-LABEL: .entry results(
// CHECK: mov.b32 [[SEVEN:%r[0-9]+]], 7;
// CHECK: mov.u32 %r{{[0-9]+}}, [[SEVEN]];
// CHECK-NOT: , 7;
// CHECK: ret;
extern "C" __global__ void results(const int *a, int n, int *out) {
  int product = 7, other = 7;
  for (int i = 0; i < n; ++i)
    product *= a[i];
  out[0] = product;
  __syncthreads();
  for (int i = 0; i < n; ++i)
    other ^= a[i];
  out[1] = other;
}

// CHECK-LABEL: .entry unknown(
// CHECK-COUNT-1: , -9;
// CHECK-NOT: , -9;
// CHECK: ret;
extern "C" __global__ void unknown(const int *a, int n, int *out) {
  int sum = 0;
#pragma unroll 1
  for (int i = -9; i < n; ++i)
    sum += a[i] ^ i;
  out[0] = sum;
  __syncthreads();
#pragma unroll 1
  for (int i = -9; i < n; ++i)
    sum ^= a[i] - i;
  out[1] = sum;
}
