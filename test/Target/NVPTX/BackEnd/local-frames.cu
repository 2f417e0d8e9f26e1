// A thread's arrays are addressed from the local address of its frame.
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o - | FileCheck %s

#include <cstdio>

// CHECK-LABEL: .entry own(
// CHECK: mov.u64 %SPL, __local_depot
// CHECK: add.u64 [[FRAME:%rd[0-9]+]], %SPL, 0;
// CHECK-NEXT: cvt.u32.u64 [[ARRAY:%r[0-9]+]], [[FRAME]];
// CHECK-NOT: cvta.to.local
// CHECK: ret;
extern "C" __global__ void own(const int *__restrict__ in, int *out, int n) {
  int counts[16] = {};
  for (int i = 0; i < n; ++i)
    ++counts[in[i * blockDim.x + threadIdx.x] & 15];
  for (int i = 0; i < 16; ++i)
    out[i * blockDim.x + threadIdx.x] = counts[i];
}

// Two arrays have their own places.
// CHECK-LABEL: .entry two(
// CHECK-DAG: add.u64 [[A:%rd[0-9]+]], %SPL, 0;
// CHECK-DAG: add.u64 [[B:%rd[0-9]+]], %SPL, 64;
// CHECK-DAG: cvt.u32.u64 {{%r[0-9]+}}, [[A]];
// CHECK-DAG: cvt.u32.u64 {{%r[0-9]+}}, [[B]];
// CHECK: ret;
extern "C" __global__ void two(const int *__restrict__ in, int *out, int n) {
  int low[16] = {}, high[16] = {};
  for (int i = 0; i < n; ++i) {
    int value = in[i * blockDim.x + threadIdx.x];
    low[value & 15] += value;
    high[value >> 4 & 15] ^= value;
  }
  for (int i = 0; i < 16; ++i)
    out[i * blockDim.x + threadIdx.x] = low[i] * high[i];
}

// A function takes the generic address.
// CHECK-LABEL: .entry given(
// CHECK: cvta.local.u64 %SP, %SPL;
// CHECK: add.u64 [[GENERIC:%rd[0-9]+]], %SP, 0;
// CHECK: st.local.u32
// CHECK: st.param.b64 [param1+0], [[GENERIC]];
// CHECK: vprintf
extern "C" __global__ void given(const int *in) {
  printf("%d", in[threadIdx.x]);
}
