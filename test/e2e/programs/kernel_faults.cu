//===- kernel_faults.cu - Kernels that fault on the CPU ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that faults ends its launch with an error that stays until the device
// is reset. One message names the kernel, the block and the thread.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 -o %t %s --coarsen='accessOne:block.x=2'
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t 2>&1 | FileCheck %s --check-prefixes=ALL,ORIGINAL
// RUN: timeout 60 %t 2>&1 | FileCheck %s --check-prefixes=ALL,GRAIN
// RUN: env REGRAIN_NUM_THREADS=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefixes=ALL,GRAIN
//
// ORIGINAL: regrain: kernel accessOne(int*, int), block (3,1,0), one of the threads (0..31,2,0): an access to the address {{0x[0-9a-f]+}}, which is not valid
// GRAIN: regrain: kernel accessOne(int*, int) at the grain block_x2, launched block (2,1,0), one of the threads (0..31,2,0): an access
// ALL: regrain: kernel accessNull(int*, int), block (0,0,0), thread (0,0,0): an access to the address 0, which is not valid
// ALL: regrain: kernel accessBehindBarrier(int*, int), block (1,0,0), thread (5,0,0): an access to the address {{0x[0-9a-f]+}}, which is not valid
// ALL: regrain: kernel recurse(int*, int), block (0,0,0), one of the threads (0..7,0,0): the stack is exhausted
// ALL: regrain: kernel divide(int*, int), block (0,0,0), {{.*}}: an integer division by zero
// ALL: regrain: kernel trap(int*, int), block (2,0,0), thread (7,0,0): __trap() was called
// ALL: the program's own handler ran
// ALL: kernel_faults: ok
// ALL-NOT: regrain:
#include "expect.h"
#include <csetjmp>
#include <csignal>

constexpr long long away = 1ll << 40; ///< from any memory of the program

__global__ void accessOne(int *data, int block) {
  int *pointer = data - (blockIdx.x == block && blockIdx.y == 1 && threadIdx.y == 2 ? away : 0);
  pointer[threadIdx.x] = 1;
}

/// The address is null for certain, but this is no reason to drop the access.
__global__ void accessNull(int *data, int) {
  if (data)
    data = nullptr;
  *data = threadIdx.x;
}

/// The threads run as continuations, because they take different paths to barriers.
__device__ __noinline__ void meet(int left) {
  if (left > 0) {
    __syncthreads();
    meet(left - 1);
  }
}
__global__ void accessBehindBarrier(int *data, int thread) {
  meet(3);
  if (blockIdx.x == 1 && threadIdx.x == thread)
    data -= away;
  *data = 1;
}

__device__ __noinline__ int descend(const int *above, int depth) {
  int local[64];
  local[depth & 63] = *above + 1;
  return depth < 0 ? 0 : descend(local + (depth & 63), depth + 1) + local[1];
}
__global__ void recurse(int *data, int depth) { data[1] = descend(data, depth + threadIdx.x); }

__global__ void divide(int *data, int divisor) { *data = (int(threadIdx.x) + 5) / divisor; }

__global__ void trap(int *, int block) {
  if (blockIdx.x == block && threadIdx.x == 7)
    __trap();
}

__global__ void store(int *data, int value) { data[threadIdx.x] = value; }

using Kernel = void (*)(int *, int);

void expectFault(const char *name, Kernel kernel, dim3 grid, dim3 block, int argument, cudaError_t error) {
  int *data = nullptr;
  cudaMalloc(&data, 4096);
  cudaMemset(data, 0, 4096);
  kernel<<<grid, block>>>(data, argument);
  expectEqual(name, 0, int(cudaDeviceSynchronize()), int(error));
  expectEqual(name, 1, int(cudaDeviceSynchronize()), int(error));
  store<<<1, 32>>>(data, 1);
  expectEqual(name, 2, int(cudaGetLastError()), int(error));
  expectEqual(name, 3, int(cudaMemset(data, 0, 4)), int(error));
  cudaDeviceReset();
  cudaGetLastError();
  DeviceArray<int> good(32);
  store<<<1, 32>>>(good, 5);
  expectEqual(name, 4, int(cudaDeviceSynchronize()), int(cudaSuccess));
  expectEqual(name, 5, good.host()[31], 5);
}

std::jmp_buf back;

/// A fault of the host is the program's own, whichever handler was installed last.
void faultOnHost() {
  struct sigaction action = {};
  action.sa_handler = [](int) { siglongjmp(back, 1); };
  sigaction(SIGSEGV, &action, nullptr);
  DeviceArray<int> good(32);
  store<<<1, 32>>>(good, 5);
  cudaDeviceSynchronize();
  if (sigsetjmp(back, 1) == 0)
    *static_cast<volatile int *>(nullptr) = 1;
  else
    std::fprintf(stderr, "the program's own handler ran\n");
}

int main() {
  expectFault("accessOne", accessOne, dim3(5, 2), dim3(32, 4), 3, cudaErrorIllegalAddress);
  expectFault("accessNull", accessNull, 1, 1, 0, cudaErrorIllegalAddress);
  expectFault("accessBehindBarrier", accessBehindBarrier, 2, 8, 5, cudaErrorIllegalAddress);
  expectFault("recurse", recurse, 1, 8, 0, cudaErrorHardwareStackError);
  expectFault("divide", divide, 1, 8, 0, cudaErrorLaunchFailure);
  expectFault("trap", trap, 4, 8, 2, cudaErrorLaunchFailure);
  faultOnHost();
  return verdict("kernel_faults");
}
