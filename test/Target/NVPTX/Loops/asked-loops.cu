// Loops with barriers are unrolled by the factor that the program gives, if the threads of a block leave them in the same iteration.
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o %t.ptx 2>&1 | FileCheck %s --check-prefix=WARNINGS --implicit-check-not=warning:
// RUN: %python %S/../Inputs/count.py bar. %t.ptx | FileCheck %s --match-full-lines
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=PTX

// One loop of eight iterations, and one for the rest.
// CHECK: asked: 9
__global__ void asked(float *p, int n) {
  float x = p[threadIdx.x];
#pragma unroll 8
  for (int i = 0; i < n; ++i) {
    p[threadIdx.x] = x;
    __syncthreads();
    x = p[threadIdx.x ^ 33] * 2;
  }
  p[threadIdx.x] = x;
}
// No iteration is left over, or there are too few.
// CHECK: asked_without_rest: 4
__global__ void asked_without_rest(float *p) {
  float x = p[threadIdx.x];
#pragma unroll 4
  for (int i = 0; i < 1024; ++i) {
    p[threadIdx.x] = x;
    __syncthreads();
    x = p[threadIdx.x ^ 33] * 2;
  }
  p[threadIdx.x] = x;
}
// CHECK: asked_few: 3
__global__ void asked_few(float *p) {
  float x = p[threadIdx.x];
#pragma unroll 8
  for (int i = 0; i < 3; ++i) {
    p[threadIdx.x] = x;
    __syncthreads();
    x = p[threadIdx.x ^ 33] * 2;
  }
  p[threadIdx.x] = x;
}
// Each row of the matrix is one addition from the one in front of it.
// CHECK: rows: 9
// PTX-LABEL: .entry _Z4rows
// PTX: bar.sync
// PTX-NOT: add.s32
// PTX: bar.sync
__global__ void rows(float *out, const float *in, int n, int width) {
  float sum = 0;
  int at = blockIdx.x * 4096 + threadIdx.x;
#pragma unroll 8
  for (int i = 0; i < n; ++i, at += width) {
    out[threadIdx.x] = in[at] + in[at + width];
    __syncthreads();
    sum += out[threadIdx.x ^ 33];
  }
  out[threadIdx.x] = sum;
}
// Threads that go another number of times would part.
// WARNINGS: warning: {{.*}}loop not unrolled
// CHECK: asked_own: 1
__global__ void asked_own(float *p, const int *n) {
  float x = p[threadIdx.x];
#pragma unroll 8
  for (int i = 0, end = n[threadIdx.x]; i < end; ++i) {
    __syncwarp(__activemask());
    x += p[threadIdx.x ^ i] * 1.5f;
  }
  p[threadIdx.x] = x;
}
