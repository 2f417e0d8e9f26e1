//===- dynamic_shared.cu - Dynamic shared memory ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch determines the bytes; the kernel places two arrays of different types
// there, beside a static one, and several extern declarations name the same memory.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' -o %t.block %s 2>&1 | FileCheck %s \
// RUN:   --implicit-check-not=remark
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t.block
// RUN: timeout 60 %t.block
// RUN: %regrain cc --targets=cpu --coarsen='*:thread.x=2' --coarsen='*:fuse.x=2' --coarsen='*:fuse.x=3,block.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=3,block.x=2' timeout 60 %t
#include "expect.h"

constexpr int threads = 64;

extern __shared__ __align__(16) unsigned char storage[];

__global__ void twoArrays(double *out, int n) {
  __shared__ int fixed[threads];
  double *doubles = reinterpret_cast<double *>(storage);
  short *shorts = reinterpret_cast<short *>(doubles + n);
  int tid = threadIdx.x;
  fixed[tid] = tid * 3;
  for (int i = tid; i < n; i += blockDim.x) {
    doubles[i] = i + 0.25 * blockIdx.x;
    shorts[i] = short(i * 2);
  }
  __syncthreads();
  for (int i = tid; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = doubles[n - 1 - i] + shorts[i] + fixed[i % threads];
}

__global__ void viewAgain(int *out) {
  extern __shared__ int words[];
  words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = words[blockDim.x - 1 - threadIdx.x];
}

// Copies would be at multiples of 16 bytes.
// CHECK: remark: kernel 'lines{{.*}} is built without block.x=2: dynamic shared memory is aligned to more
__global__ void lines(int *out) {
  extern __shared__ __align__(64) int aligned[];
  volatile size_t address = reinterpret_cast<size_t>(aligned);
  aligned[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = aligned[blockDim.x - 1 - threadIdx.x] + address % 64;
}

// Two names of one type of element, and bytes of them.
__global__ void names(int *out) {
  extern __shared__ int numbers[];
  extern __shared__ unsigned bits[];
  extern __shared__ char bytes[];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  numbers[tid] = 1;
  bits[tid] = tid + 2;
  out[i] = numbers[tid] * 100;
  __syncthreads();
  bits[threads - 1 - tid] += 5;
  __syncthreads();
  out[i] += numbers[threads - 1 - tid] + bytes[4 * tid];
}

int main() {
  constexpr int blocks = 3;
  for (int n : {100, 333}) {
    DeviceArray<double> out(blocks * n);
    twoArrays<<<blocks, threads, n * (sizeof(double) + sizeof(short))>>>(out, n);
    auto got = out.host();
    for (int b = 0; b < blocks; ++b)
      for (int i = 0; i < n; ++i)
        expectEqual("out", b * n + i, got[b * n + i],
                    (n - 1 - i) + 0.25 * b + 2 * i + i % threads * 3);
  }
  DeviceArray<int> line(5 * threads);
  lines<<<5, threads, threads * sizeof(int) + 4>>>(line);
  auto aligned = line.host();
  for (int i = 0; i < 5 * threads; ++i)
    expectEqual("aligned", i, aligned[i], threads - 1 - i % threads);
  DeviceArray<int> out(threads);
  viewAgain<<<1, threads, threads * sizeof(int)>>>(out);
  auto got = out.host();
  for (int i = 0; i < threads; ++i)
    expectEqual("words", i, got[i], threads - 1 - i);
  DeviceArray<int> named(3 * threads);
  names<<<3, threads, threads * sizeof(int)>>>(named);
  auto byName = named.host();
  for (int i = 0; i < 3 * threads; ++i)
    expectEqual("named", i, byName[i], (i % threads + 2) * 100 + threads + 13);
  return verdict("dynamic_shared");
}
