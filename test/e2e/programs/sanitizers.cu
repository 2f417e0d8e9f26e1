//===- sanitizers.cu - Sanitizers of device code on the CPU -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each sanitizer finds the mistakes of its kind in device code, and nothing in the
// same kernels without them.
//
//===----------------------------------------------------------------------===//
// REQUIRES: sanitizers
// RUN: %regrain cc --targets=cpu -fsanitize=address,undefined -o %t.address %s
// RUN: timeout 60 %t.address 2>&1 | FileCheck %s --check-prefix=GOOD
// RUN: not timeout 60 %t.address global 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: not timeout 60 %t.address freed 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: not timeout 60 %t.address shared 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not timeout 60 %t.address last 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not timeout 60 %t.address dynamic 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not timeout 60 %t.address local 2>&1 | FileCheck %s --check-prefix=LOCAL
// RUN: timeout 60 %t.address overflow 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: %regrain cc --targets=cpu -rdc=true -fsanitize=undefined -o %t.linked %s
// RUN: timeout 60 %t.linked overflow 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: %regrain cc --targets=cpu -fsanitize=thread -o %t.thread %s
// RUN: timeout 60 %t.thread 2>&1 | FileCheck %s --check-prefix=GOOD
// RUN: env REGRAIN_NUM_THREADS=1 timeout 60 %t.thread 2>&1 | FileCheck %s --check-prefix=GOOD
// RUN: not timeout 60 %t.thread threads 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not timeout 60 %t.thread lanes 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not timeout 60 %t.thread blocks 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not env REGRAIN_NUM_THREADS=1 timeout 60 %t.thread blocks 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: %regrain cc --targets=ptx,cpu -fsanitize=undefined -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=TARGETS
//
// GOOD-NOT: {{WARNING|ERROR|runtime error}}
// GOOD: sanitizers: ok
// GLOBAL: AddressSanitizer: heap-buffer-overflow
// GLOBAL-NEXT: WRITE of size 4
// GLOBAL: in fill(int*, int) {{.*}}sanitizers.cu:[[#@LINE + 22]]
// FREED: AddressSanitizer: heap-use-after-free
// SHARED: AddressSanitizer: use-after-poison
// SHARED: in tiles(int*, int, int)
// DYNAMIC: AddressSanitizer: heap-buffer-overflow
// DYNAMIC: in dynamic(int*, int)
// LOCAL: AddressSanitizer: stack-buffer-overflow
// OVERFLOW: sanitizers.cu:{{[0-9]+}}:{{[0-9]+}}: runtime error: signed integer overflow: 2147483640 + {{[0-9]+}} cannot be represented in type 'int'
// OVERFLOW: sanitizers: ok
// THREADS: ThreadSanitizer: data race
// THREADS: reverse(int*, bool) {{.*}}sanitizers.cu:
// LANES: ThreadSanitizer: data race
// BLOCKS: ThreadSanitizer: data race
// TARGETS: warning: -fsanitize does not apply to device code, which needs --targets=cpu
#include "expect.h"
#include <cstring>

constexpr int threads = 64;

__global__ void fill(int *data, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < limit)
    data[i] = i;
}

__global__ void tiles(int *data, int first, int second) {
  __shared__ int a[threads], b[threads];
  a[threadIdx.x] = b[threadIdx.x] = threadIdx.x;
  __syncthreads();
  data[blockIdx.x * threads + threadIdx.x] = a[threadIdx.x + first] + b[threadIdx.x + second];
}

__global__ void dynamic(int *data, int offset) {
  extern __shared__ int tile[];
  tile[threadIdx.x + offset] = 1;
  __syncthreads();
  data[threadIdx.x] = tile[threadIdx.x];
}

__device__ int pick(const int *values, int i) { return values[i]; }

__global__ void locals(int *data, int offset) {
  int values[5];
  for (int i = 0; i < 5; ++i)
    values[i] = data[i] + i;
  __syncthreads();
  data[threadIdx.x] = pick(values, threadIdx.x % 5 + offset);
}

__global__ void add(int *data, int number) { data[threadIdx.x] = number + int(threadIdx.x); }

__global__ void reverse(int *data, bool waits) {
  __shared__ int tile[threads];
  for (int round = 0; round < 3; ++round) {
    tile[threadIdx.x] = threadIdx.x + round;
    if (waits)
      __syncthreads();
    data[blockIdx.x * threads + threadIdx.x] = tile[threads - 1 - threadIdx.x];
    if (waits)
      __syncthreads();
  }
}

__global__ void exchange(int *data, bool waits) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  if (waits)
    __syncwarp();
  data[threadIdx.x] = tile[threadIdx.x ^ 1];
}

__global__ void mark(int *data, bool isApart) {
  if (threadIdx.x == 0)
    data[isApart ? blockIdx.x : 0] = blockIdx.x;
}

__device__ unsigned arrived;

/// The block that arrives last sees what all have written.
__global__ void sum(int *data, int *total) {
  __shared__ bool isLast;
  data[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    isLast = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (isLast && threadIdx.x == 0)
    for (int i = 0; i < gridDim.x * blockDim.x; ++i)
      *total += data[i];
}

int main(int count, char **arguments) {
  auto isAsked = [&](const char *what) { return count > 1 && !std::strcmp(arguments[1], what); };
  DeviceArray<int> data(4 * threads), total(1);
  fill<<<5, threads>>>(data, 4 * threads + isAsked("global"));
  if (isAsked("freed")) {
    DeviceArray<int> other(threads);
    int *pointer = other;
    cudaFree(pointer);
    fill<<<1, threads>>>(pointer, threads);
    cudaDeviceSynchronize();
  }
  tiles<<<2, threads>>>(data, isAsked("shared"), isAsked("last"));
  cudaDeviceSynchronize();
  dynamic<<<1, threads, threads * sizeof(int)>>>(data, isAsked("dynamic"));
  locals<<<1, threads>>>(data, isAsked("local"));
  add<<<1, threads>>>(data, isAsked("overflow") ? 2147483640 : 1);
  reverse<<<4, threads>>>(data, !isAsked("threads"));
  exchange<<<1, 32>>>(data, !isAsked("lanes"));
  mark<<<8, 32>>>(data, !isAsked("blocks"));
  sum<<<4, threads>>>(data, total);
  expectEqual("error", 0, int(cudaDeviceSynchronize()), int(cudaSuccess));
  expectEqual("total", 0, total.host()[0], 4 * threads);
  return verdict("sanitizers");
}
