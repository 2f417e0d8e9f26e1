// Two sides that load go on to the next point where threads meet, each with its own copy of the few instructions behind
// both.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o %t.ptx
// RUN: %python %S/../Inputs/count.py fma %t.ptx | FileCheck %s --match-full-lines
// RUN: %python %S/../Inputs/count.py ld.global.nc.f32 %t.ptx | FileCheck %s --check-prefix=LOADS --match-full-lines

// CHECK: sides: 2
// LOADS: sides: 4
__global__ void sides(float *out, const float *__restrict__ in, const float *__restrict__ weights, int n, int m) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int i = threadIdx.x - n;
  float sum = out[threadIdx.x];
  if (i >= 0) {
    float one;
    if (i & m)
      one = tile[i];
    else
      one = in[i * 3];
    sum += one * weights[n];
  }
  out[threadIdx.x] = sum;
}
// All threads of a block take the same side.
// CHECK: uniform: 1
__global__ void uniform(float *out, const float *__restrict__ in, const float *__restrict__ weights, int n, int m) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int i = threadIdx.x - n;
  float sum = out[threadIdx.x];
  if (i >= 0) {
    float one;
    if (n & m)
      one = tile[i];
    else
      one = in[i * 3];
    sum += one * weights[n];
  }
  out[threadIdx.x] = sum;
}
// No others meet behind the two sides.
// CHECK: alone: 1
__global__ void alone(float *out, const float *__restrict__ in, const float *__restrict__ weights, int n, int m) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int i = threadIdx.x;
  float one;
  if (i & m)
    one = tile[i];
  else
    one = in[i * 3];
  out[threadIdx.x] = one * weights[n] + 1;
}
// Many instructions stay where they are.
// CHECK: long_part: 8
__global__ void long_part(float *out, const float *__restrict__ in, const float *__restrict__ weights, int n, int m) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int i = threadIdx.x - n;
  float sum = out[threadIdx.x];
  if (i >= 0) {
    float one;
    if (i & m)
      one = tile[i];
    else
      one = in[i * 3];
    for (int k = 0; k < 8; ++k)
      sum = sum * one + 3;
  }
  out[threadIdx.x] = sum;
}
