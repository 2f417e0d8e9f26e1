//===- shared_in_calls.cu - Shared memory of functions ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that stay calls use dynamic shared memory and arrays of their own, where
// the kernels have arrays, too; a kernel that does not call them keeps all its memory.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' -o %t.block %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t.block
// RUN: timeout 60 %t.block
#include "expect.h"

constexpr int threads = 32, large = 10000;

extern __shared__ int dynamic[];

__device__ unsigned totalBytes() {
  unsigned bytes;
  asm volatile("mov.u32 %0, %%total_smem_size;" : "=r"(bytes));
  return bytes;
}

__device__ __noinline__ int sumTo(int i, int depth) {
  if (depth > 0)
    return sumTo(i, depth - 1) + 1;
  return dynamic[i] + (__isShared(&dynamic[i]) && totalBytes() > sizeof(int) * threads ? 0 : 5000);
}

__device__ __noinline__ int twice(int i) { return dynamic[i] * 2; }
__device__ int (*pointed)(int) = twice;

__device__ __noinline__ int throughOwn(int depth) {
  __shared__ int own[large];
  if (depth > 0)
    return throughOwn(depth - 1) + own[threadIdx.x];
  own[threadIdx.x] = threadIdx.x;
  return 0;
}

__device__ __noinline__ int throughOther(int depth) {
  __shared__ int own[large];
  if (depth > 0)
    return throughOther(depth - 1) - own[threadIdx.x];
  own[threadIdx.x] = threadIdx.x;
  return 0;
}

// Both functions come after an array of the kernel's own.
__global__ void behindOwn(int *out, int depth) {
  __shared__ int own[threads * 3];
  int t = threadIdx.x;
  for (int i = 0; i < 3; ++i)
    own[t + threads * i] = 1000;
  dynamic[t] = t;
  __syncthreads();
  int across = threads - 1 - t;
  out[t] = sumTo(across, depth) + pointed(t) + own[across] + own[across + threads] +
           own[across + 2 * threads];
}

__global__ void behindSmall(int *out, int depth) {
  __shared__ char own[7];
  int t = threadIdx.x;
  if (t < 7)
    own[t] = 3;
  dynamic[t] = t;
  __syncthreads();
  out[t] = sumTo(t, depth) + own[t % 7];
}

__global__ void callsOne(int *out, int depth) { out[threadIdx.x] = throughOwn(depth); }
__global__ void callsOther(int *out, int depth) { out[threadIdx.x] = throughOther(depth); }

// Takes all memory of a block.
__global__ void callsNone(int *out) {
  int t = threadIdx.x;
  dynamic[t] = t;
  __syncthreads();
  out[t] = dynamic[threads - 1 - t];
}

int main() {
  DeviceArray<int> out(threads);
  constexpr size_t bytes = threads * sizeof(int), most = 48 << 10;
  behindOwn<<<1, threads, bytes>>>(out, 2);
  auto got = out.host();
  for (int t = 0; t < threads; ++t)
    expectEqual("behindOwn", t, got[t], threads - 1 - t + 2 + 2 * t + 3000);
  behindSmall<<<1, threads, bytes>>>(out, 3);
  got = out.host();
  for (int t = 0; t < threads; ++t)
    expectEqual("behindSmall", t, got[t], t + 6);
  callsOne<<<1, threads>>>(out, 2);
  got = out.host();
  for (int t = 0; t < threads; ++t)
    expectEqual("callsOne", t, got[t], 2 * t);
  callsOther<<<1, threads>>>(out, 3);
  got = out.host();
  for (int t = 0; t < threads; ++t)
    expectEqual("callsOther", t, got[t], -3 * t);
  callsNone<<<1, threads, most>>>(out);
  expectEqual("launch", 0, cudaGetLastError(), cudaSuccess);
  got = out.host();
  for (int t = 0; t < threads; ++t)
    expectEqual("callsNone", t, got[t], threads - 1 - t);
  return verdict("shared_in_calls");
}
