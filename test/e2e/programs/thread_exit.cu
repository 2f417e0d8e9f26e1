//===- thread_exit.cu - Threads that end by inline PTX ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread ends within a function, which is called from another one and whose result is used. The
// other threads of the block go on, also over a barrier.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -o %t %s
// RUN: timeout 60 %t
// RUN: %regrain cc --targets=cpu -O0 -o %t.plain %s
// RUN: timeout 60 %t.plain

// A function that calls itself is not inlined, so its "exit" is no return of the kernel.
// RUN: not %regrain cc --targets=cpu -DRECURSIVE -o %t.not %s 2>&1 | FileCheck %s
// CHECK: inline PTX assembly that the CPU target does not know: "exit"
#include "expect.h"

constexpr int threads = 64, blocks = 3, total = threads * blocks;

__device__ int evenOrExit(int value) {
  if (value & 1)
    asm volatile("exit;");
  return value / 2;
}

__device__ __noinline__ int outer(int value) { return evenOrExit(value) + evenOrExit(2 * value); }

__global__ void halve(int *out, const int *in) {
  __shared__ int sum;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  int value = outer(in[i]);
  atomicAdd(&sum, 1);
  __syncthreads();
  out[i] = value * 100 + sum;
}

#ifdef RECURSIVE
__device__ __noinline__ int count(int n) {
  if (n == 0)
    asm volatile("exit;");
  return count(n - 1) + n;
}
__global__ void counted(int *out) { *out = count(*out); }
#endif

int main() {
  std::vector<int> in(total);
  for (int i = 0; i < total; ++i)
    in[i] = i % threads ? i * i % 7 : 4;
  DeviceArray<int> input(in), out(std::vector<int>(total, -1));
  halve<<<blocks, threads>>>(out, input);
  std::vector<int> got = out.host();
  for (int block = 0; block < blocks; ++block) {
    int even = 0;
    for (int i = 0; i < threads; ++i)
      even += in[block * threads + i] % 2 == 0;
    for (int i = block * threads; i < (block + 1) * threads; ++i)
      expectEqual("out", i, got[i], in[i] % 2 ? -1 : (in[i] / 2 + in[i]) * 100 + even);
  }
  return verdict("thread_exit");
}
