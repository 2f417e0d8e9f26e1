//===- waiting_blocks.cu - A barrier of the grid by hand --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks wait for each other, and the launch has as many as the device holds. At a grain with
// more shared memory it holds fewer, so such a launch would never end: the original runs.
//
//===----------------------------------------------------------------------===//
// DEFINE: %{run} = env REGRAIN_VERBOSE=1 REGRAIN_ALTERNATIVE='*:banks=padded' timeout 60 %t
// RUN: %regrain cc --targets=cpu --coarsen='*:banks=padded' -o %t %s
// RUN: %{run} all 2>&1 | FileCheck %s
// RUN: %{run} 2>&1 | FileCheck --check-prefix=FEW %s
// CHECK: rounds{{.*}}: banks=padded does not run for this launch, because a block may wait
// CHECK: waiting_blocks
// FEW-NOT: does not run
// FEW: waiting_blocks
#include "expect.h"

constexpr int width = 32, rows = 352; // five blocks with such an array, or four if it is padded
__device__ unsigned arrived;

__global__ void rounds(const int *in, int *parts, int *out) {
  __shared__ int values[rows][width];
  int lane = threadIdx.x, own = blockIdx.x * width + lane;
  for (int i = 0; i < width; ++i)
    values[lane][i] = in[i] + lane;
  __syncthreads();
  int sum = blockIdx.x;
  for (int i = 0; i < width; ++i)
    sum += values[i][lane] * values[lane][i];
  parts[own] = sum;
  __syncthreads();
  if (lane == 0) {
    __threadfence();
    atomicAdd(&arrived, 1);
    while (*(volatile unsigned *)&arrived < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  out[own] = sum - parts[(blockIdx.x + 1) % gridDim.x * width + lane];
}

int main(int count, char **) {
  int most = 0, processors = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, rounds, width, 0);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  int blocks = count > 1 ? most * processors : 2;
  std::vector<int> data(width);
  for (int i = 0; i < width; ++i)
    data[i] = i * 3 % 7;
  DeviceArray<int> in(data), parts(blocks * width), out(blocks * width);
  rounds<<<blocks, width>>>(in, parts, out);
  std::vector<int> got = out.host();
  for (int i = 0; i < blocks * width; ++i)
    expectEqual("difference", i, got[i], i / width + 1 < blocks ? -1 : blocks - 1);
  return verdict("waiting_blocks");
}
