//===- block_shapes.cu - Three dimensions -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every thread finds its own place, for any shape; built-in variables convert
// to dim3 and uint3.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' --coarsen='*:fuse.x=2,fuse.y=2' --coarsen='*:fuse.x=3,block.x=2' --coarsen='*:shape=64x2' --coarsen='*:thread.x=2:contiguous' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=2,fuse.y=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=3,block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:shape=64x2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2:contiguous' timeout 60 %t
#include "expect.h"

__device__ unsigned int linear(uint3 index, dim3 size) {
  return (index.z * size.y + index.y) * size.x + index.x;
}

__global__ void place(unsigned int *out) {
  unsigned int block = linear(blockIdx, gridDim);
  unsigned int thread = linear(threadIdx, blockDim);
  unsigned int threads = blockDim.x * blockDim.y * blockDim.z;
  unsigned int i = block * threads + thread;
  out[i * 3] = blockIdx.x + 1000 * blockIdx.y + 1000000 * blockIdx.z;
  out[i * 3 + 1] = threadIdx.x + 1000 * threadIdx.y + 1000000 * threadIdx.z;
  out[i * 3 + 2] = unsigned(warpSize);
}

static void run(dim3 grid, dim3 block) {
  unsigned int threads = block.x * block.y * block.z;
  DeviceArray<unsigned int> out(size_t(3) * threads * grid.x * grid.y * grid.z);
  place<<<grid, block>>>(out);
  auto got = out.host();
  for (unsigned int i = 0; i < got.size() / 3; ++i) {
    unsigned int b = i / threads, t = i % threads;
    expectEqual("block", i, got[i * 3],
                b % grid.x + 1000 * (b / grid.x % grid.y) + 1000000 * (b / grid.x / grid.y));
    expectEqual("thread", i, got[i * 3 + 1],
                t % block.x + 1000 * (t / block.x % block.y) + 1000000 * (t / block.x / block.y));
    expectEqual("warpSize", i, got[i * 3 + 2], 32u);
  }
}

int main() {
  run(dim3(1), dim3(1));
  run(dim3(7), dim3(33));
  run(dim3(3, 5), dim3(4, 7));
  run(dim3(2, 3, 4), dim3(5, 3, 2));
  run(dim3(1, 1, 9), dim3(1, 1, 64));
  run(dim3(1, 70), dim3(1, 128));
  run(dim3(2), dim3(1024));
  return verdict("block_shapes");
}
