//===- debug_lines.cu - Source lines of kernels on the CPU ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -lineinfo and with -G, the message about a fault names the source line, of
// originals and of alternatives. With -G, the thread is known as well.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -lineinfo --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t 2>&1 | FileCheck %s --check-prefixes=ANY,ORIGINAL
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t 2>&1 | FileCheck %s --check-prefixes=ANY,BLOCK
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t 2>&1 | FileCheck %s --check-prefixes=ANY,THREAD
// RUN: %regrain cc --targets=cpu -G --coarsen='*:block.x=2' -o %t.debug %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t.debug 2>&1 | FileCheck %s --check-prefixes=ANY,DEBUG
// RUN: timeout 60 %t.debug 2>&1 | FileCheck %s --check-prefixes=ANY,BLOCK
//
// ORIGINAL: kernel reverse(float*, int), block (1,0,0), one of the threads (0..63,0,0), at {{.*}}debug_lines.cu:35: an access
// BLOCK: kernel reverse(float*, int) at the grain block_x2, launched block ({{[01]}},0,0), {{.*}}, at {{.*}}debug_lines.cu:35: an access
// THREAD: kernel reverse(float*, int) at the grain thread_x2, launched block (1,0,0), {{.*}}, at {{.*}}debug_lines.cu:35: an access
// DEBUG: kernel reverse(float*, int), block (1,0,0), thread (13,0,0), at {{.*}}debug_lines.cu:35: an access
// ANY: kernel stop(int){{.*}}, thread ({{[13]}},0,0), at {{.*}}debug_lines.cu:40: __trap() was called
// ANY: debug_lines: ok
#include "expect.h"

__device__ float doubled(float value) { return 2 * value; }

__global__ void reverse(float *data, int bad) {
  __shared__ float tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = data[i];
  __syncthreads();
  if (i == bad)
    data -= 1ll << 40;
  data[i] = doubled(tile[63 - threadIdx.x]); // the fault
}

__global__ void stop(int thread) {
  if (blockIdx.x == 1 && threadIdx.x == thread)
    __trap(); // the trap
}

int main() {
  DeviceArray<float> data(256);
  reverse<<<4, 64>>>(data, -1);
  expectEqual("good", 0, int(cudaDeviceSynchronize()), int(cudaSuccess));
  reverse<<<4, 64>>>(data, 77);
  expectEqual("bad", 0, int(cudaDeviceSynchronize()), int(cudaErrorIllegalAddress));
  cudaDeviceReset();
  stop<<<2, 8>>>(3);
  expectEqual("stop", 0, int(cudaDeviceSynchronize()), int(cudaErrorLaunchFailure));
  return verdict("debug_lines");
}
