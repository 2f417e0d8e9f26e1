// Loads from different memories stay apart; those from one memory may be joined.
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o - | FileCheck %s

// CHECK-LABEL: .entry tiled(
// CHECK-NOT: ld.f32
// CHECK: ld.shared.f32
// CHECK-NOT: ld.f32
// CHECK: ret;
extern "C" __global__ void tiled(const float *__restrict__ in, float *out, int begin, int end, int n) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = in[begin + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 3) {
    if (i >= begin && i < end)
      sum += tile[i - begin] * 3;
    else
      sum += in[i] * 3;
  }
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: .entry both_global(
// CHECK-COUNT-1: ld.global.{{nc.f32|f32}}
// CHECK-NOT: ld.global
// CHECK: ret;
extern "C" __global__ void both_global(const float *__restrict__ in, float *out, int n) {
  float x;
  if (out + n == in)
    x = in[threadIdx.x] * 3;
  else
    x = in[threadIdx.x + 64] * 3;
  out[threadIdx.x] = x;
}
