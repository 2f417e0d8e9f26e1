// What a loop only needs in a rare case is computed there, if the loop holds many registers.
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o - | FileCheck %s

// What each round of a loop needs stays in front of it, although the inner loop holds 28 sums of 64 bits.
// CHECK-LABEL: .entry _Z6aroundPKdPKiPdi(
// CHECK: _ZZ6aroundPKdPKiPdiE4line;
// CHECK: $L__BB0_{{[0-9]+}}:
// CHECK-NOT: _ZZ6aroundPKdPKiPdiE4line;
template <int number> __device__ void sum(const double *numbers, const int *rounds, double *out, int n, double *line) {
  double sums[number];
  for (int i = 0; i < number; ++i)
    sums[i] = i;
  for (int k = 0; k < n; ++k) {
    line[threadIdx.x] = numbers[rounds[k] + threadIdx.x];
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < 256; ++j)
      for (int i = 0; i < number; ++i)
        sums[i] = sums[i] * line[j] + i;
    __syncthreads();
  }
  for (int i = 0; i < number; ++i)
    out[i * 256 + threadIdx.x] = sums[i];
}
__global__ void around(const double *numbers, const int *rounds, double *out, int n) {
  __shared__ double line[256];
  sum<28>(numbers, rounds, out, n, line);
}
// What an unlikely branch needs is computed in it, and its operands follow. What is also used behind the loop stays.
// CHECK-LABEL: .entry _Z4rarePKdPKiPdii(
// CHECK: xor.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 4369;
// CHECK-NOT: shr.s32
// CHECK: $L__BB1_{{[0-9]+}}:
// CHECK-NOT: , 4369;
// CHECK: shr.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, 3;
// CHECK-NOT: , 4369;
__global__ void rare(const double *numbers, const int *rounds, double *out, int n, int x) {
  double sums[28];
  for (int i = 0; i < 28; ++i)
    sums[i] = i;
  int seldom = x >> 3, both = x ^ 4369;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < 28; ++i)
      sums[i] = sums[i] * numbers[k] + i;
    if (__builtin_expect(rounds[k] == 7, 0))
      sums[5] += seldom ^ both * rounds[k + 2];
  }
  for (int i = 0; i < 28; ++i)
    out[i * 256 + threadIdx.x] = sums[i] + both;
}
// With two sums, a multiprocessor is full of threads anyway.
// CHECK-LABEL: .entry _Z3fewPKdPKiPdii(
// CHECK: shr.s32 %r{{[0-9]+}}, %r{{[0-9]+}}, 3;
// CHECK: $L__BB2_{{[0-9]+}}:
// CHECK-NOT: shr.s32
__global__ void few(const double *numbers, const int *rounds, double *out, int n, int x) {
  double sum = 0;
  int seldom = x >> 3;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    sum = sum * numbers[k] + 1;
    if (__builtin_expect(rounds[k] == 7, 0))
      sum += seldom ^ rounds[k + 2];
  }
  out[threadIdx.x] = sum;
}
