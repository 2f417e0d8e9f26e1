// A loop with conditions ends when the low halves of its counter and of its limit are equal, if neither takes more than 32
// bits.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s

// CHECK-LABEL: .entry _Z5guardPfPKfS1_ii(
// CHECK: setp.ne.s32
// CHECK-NOT: setp.ne.s64
// CHECK: ret;
__global__ void guard(float *out, const float *__restrict__ in, const float *__restrict__ weights, int width, int n) {
  int first = threadIdx.x - n / 2;
  float sum = 0;
  for (int j = 0; j < n; ++j)
    if (first + j >= 0 && first + j < width)
      sum += in[first + j] * weights[j];
  out[threadIdx.x] = sum;
}

// A limit of 64 bits stays.
// CHECK-LABEL: .entry _Z7is_widePfPKfS1_il(
// CHECK: setp.{{ne|eq}}.s64
// CHECK: ret;
__global__ void is_wide(float *out, const float *__restrict__ in, const float *__restrict__ weights, int width, long n) {
  float sum = 0;
#pragma unroll 1
  for (long j = 0; j < n; ++j)
    if (in[j] < width)
      sum += weights[j];
  out[threadIdx.x] = sum;
}

// So does a counter that may begin behind its limit, and wraps around.
// CHECK-LABEL: .entry _Z5wrapsPiPKfmj(
// CHECK: setp.eq.s64
// CHECK: setp.ne.s64
// CHECK: atom
__global__ void wraps(int *out, const float *__restrict__ in, unsigned long first, unsigned n) {
#pragma unroll 1
  for (unsigned long j = first; j != n; ++j)
    if (in[j & 1023] < 5)
      atomicAdd(out + (j & 31), 1);
}
