//===- exchanged_levels.cu - Exchanges within and between warps -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees over blocks of several warps, whose upper levels go through shared memory, and a scan, all
// of whose levels do. Sums of floating-point numbers show if two are added in another order.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 \
// RUN:   --coarsen='*:exchange=levels,for.block=128x1x1' --coarsen='*:thread.x=2,exchange=levels,for.block=128x1x1' \
// RUN:   --coarsen='*:thread.x=2:contiguous,exchange=levels,for.block=128x1x1' \
// RUN:   -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t > %t.original.out
// RUN: env REGRAIN_ALTERNATIVE='*:exchange=levels,for.block=128x1x1' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 >%t.levels.out | FileCheck %s
// RUN: diff %t.original.out %t.levels.out
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2,exchange=levels,for.block=128x1x1' timeout 60 %t >%t.apart.out
// RUN: diff %t.original.out %t.apart.out
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2:contiguous,exchange=levels,for.block=128x1x1' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 >%t.near.out | FileCheck %s --check-prefix=NEAR
// RUN: diff %t.original.out %t.near.out
//
// CHECK-DAG: tree({{.*}}): exchange=levels,for.block=128x1x1 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: again({{.*}}): exchange=levels,for.block=128x1x1 (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: scan({{.*}}): original
// CHECK-DAG: guarded({{.*}}): exchange=levels,for.block=128x1x1 (asked for by REGRAIN_ALTERNATIVE)
// NEAR-DAG: tree({{.*}}): thread.x=2:contiguous,exchange=levels,for.block=128x1x1 (asked for by REGRAIN_ALTERNATIVE)
// NEAR-DAG: again({{.*}}): thread.x=2:contiguous,exchange=levels,for.block=128x1x1 (asked for by REGRAIN_ALTERNATIVE)
#include <cstdio>

/// All threads read the result.
__global__ void tree(float *out, const float *in) {
  __shared__ float held[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  held[t] = in[i];
  __syncthreads();
  for (int s = 64; s > 0; s >>= 1) {
    if (t < s)
      held[t] += held[t + s];
    __syncthreads();
  }
  out[i] = in[i] / held[0];
}

/// The array is used again for a second tree, behind what all threads have read.
__global__ void again(float *out, const float *in) {
  __shared__ float held[128];
  __shared__ float most;
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  held[t] = in[i];
  __syncthreads();
  for (int s = 64; s > 0; s >>= 1) {
    if (t < s)
      held[t] = fmaxf(held[t], held[t + s]);
    __syncthreads();
  }
  if (t == 0)
    most = held[0];
  __syncthreads();
  float x = expf(in[i] - most);
  held[t] = x;
  __syncthreads();
  for (int s = 64; s > 0; s >>= 1) {
    if (t < s)
      held[t] += held[t + s];
    __syncthreads();
  }
  out[i] = x / held[0];
}

/// Each element becomes the sum of those before it.
__global__ void scan(float *out, const float *in) {
  __shared__ float held[2][128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t, from = 0;
  held[0][t] = in[i];
  __syncthreads();
  for (int s = 1; s < 128; s *= 2) {
    held[1 - from][t] = t >= s ? held[from][t] + held[from][t - s] : held[from][t];
    from = 1 - from;
    __syncthreads();
  }
  out[i] = held[from][t];
}

/// Data decides who stores between two levels; the neighbour and the next warp read it.
__global__ void guarded(float *out, const float *in) {
  __shared__ float held[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  held[t] = in[i];
  __syncthreads();
  float next = held[t ^ 1];
  __syncthreads();
  if (next > 0)
    held[t] = next * 2;
  __syncthreads();
  out[i] = held[t ^ 3] + held[(t + 32) % 128];
}

int main() {
  constexpr int blocks = 5, count = blocks * 128;
  float *out, *in;
  cudaMallocManaged(&out, count * sizeof(float));
  cudaMallocManaged(&in, count * sizeof(float));
  for (int i = 0; i < count; ++i)
    in[i] = float(i * 7919 % 1009) / 997 - 0.4f;
  for (auto kernel : {tree, again, scan, guarded}) {
    kernel<<<blocks, 128>>>(out, in);
    cudaDeviceSynchronize();
    for (int i = 0; i < count; ++i)
      printf("%a\n", out[i]);
  }
  return 0;
}
