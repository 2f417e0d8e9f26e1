//===- remainder_launches.cu - Remaining blocks -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grids are smaller than the block factor, divide by it and do not, in up to
// three dimensions, where the remaining blocks get a launch of their own.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu \
// RUN:   --coarsen='*:block.x=3:remainder' --coarsen='*:block.y=4:remainder,thread.x=2' \
// RUN:   --coarsen='*:block.z=2:remainder' --coarsen='*:block.x=7:remainder,fuse.x=2' \
// RUN:   --coarsen='*:block.x=2:remainder,for.block=64,for.grid=5' --coarsen='place*:block.x=5:remainder,shape=32x2' \
// RUN:   -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=3:remainder' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=X
// RUN: env REGRAIN_ALTERNATIVE='*:block.y=4:remainder,thread.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.z=2:remainder' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=7:remainder,fuse.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2:remainder,for.block=64,for.grid=5' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='place*:block.x=5:remainder,shape=32x2' timeout 60 %t
// RUN: %regrain cc --emit=grain --coarsen='tile*:block.x=3:remainder' -o %t.mlir %s
// RUN: FileCheck %s --check-prefix=GRAIN < %t.mlir
//
// X-DAG: place({{.*}}): block.x=3:remainder (asked for by REGRAIN_ALTERNATIVE)
// X-DAG: tile({{.*}}): block.x=3:remainder (asked for by REGRAIN_ALTERNATIVE)
// X-DAG: ticket({{.*}}): block.x=3:remainder (asked for by REGRAIN_ALTERNATIVE)
// X: remainder_launches: ok
//
// GRAIN: // tile({{.*}}) at block.x=3:remainder{{$}}
// GRAIN: grain.blocks {{.*}} factors [3, 1, 1]
// GRAIN-NOT: scf.for
// GRAIN: // tile({{.*}}) at block.x=3:remainder, its remainder
// GRAIN: grain.blocks {{.*}} attributes {remainder}
#include "expect.h"

__device__ unsigned int counter;

__device__ unsigned int linear(uint3 index, dim3 size) {
  return (index.z * size.y + index.y) * size.x + index.x;
}

__global__ void place(unsigned int *out) {
  unsigned int threads = blockDim.x * blockDim.y * blockDim.z;
  unsigned int i = linear(blockIdx, gridDim) * threads + linear(threadIdx, blockDim);
  out[2 * i] += blockIdx.x + 1000 * blockIdx.y + 1000000 * blockIdx.z;
  out[2 * i + 1] += threadIdx.x + 1000 * threadIdx.y + 100000 * gridDim.x;
}

// Each block reverses its own tile, in static and dynamic shared memory.
__global__ void tile(int *data, int n) {
  __shared__ int first[256];
  extern __shared__ int second[];
  int t = threadIdx.x, i = linear(blockIdx, gridDim) * blockDim.x + t;
  first[t] = i < n ? data[i] : -1;
  second[t] = i;
  __syncthreads();
  int other = blockDim.x - 1 - t;
  if (i < n)
    data[i] = first[other] + second[other];
}

// Blocks draw numbers; the block that draws the last one writes the sum of all.
__global__ void ticket(unsigned int *sum, unsigned int *total) {
  unsigned int blocks = gridDim.x * gridDim.y * gridDim.z;
  if (threadIdx.x == 0) {
    atomicAdd(sum, 1 + linear(blockIdx, gridDim));
    __threadfence();
    if (atomicInc(&counter, blocks - 1) == blocks - 1)
      *total = atomicAdd(sum, 0);
  }
}

static void run(dim3 grid, dim3 block) {
  unsigned int threads = block.x * block.y * block.z, blocks = grid.x * grid.y * grid.z;
  DeviceArray<unsigned int> out(size_t(2) * threads * blocks);
  place<<<grid, block>>>(out);
  auto got = out.host();
  for (unsigned int i = 0; i < threads * blocks; ++i) {
    unsigned int b = i / threads, t = i % threads;
    expectEqual("block", i, got[2 * i],
                b % grid.x + 1000 * (b / grid.x % grid.y) + 1000000 * (b / grid.x / grid.y));
    expectEqual("thread", i, got[2 * i + 1],
                t % block.x + 1000 * (t / block.x % block.y) + 100000 * grid.x);
  }
  int n = int(threads * blocks) - 5;
  std::vector<int> data(n);
  for (int i = 0; i < n; ++i)
    data[i] = i * 7919 % 1000;
  DeviceArray<int> tiles(data);
  tile<<<grid, threads, threads * sizeof(int)>>>(tiles, n);
  auto turned = tiles.host();
  for (int i = 0; i < n; ++i) {
    int other = i / threads * threads + threads - 1 - i % threads;
    expectEqual("tile", i, turned[i], (other < n ? data[other] : -1) + other);
  }
  DeviceArray<unsigned int> sum(1), total(1);
  ticket<<<grid, threads>>>(sum, total);
  expectEqual("total", 0, total.host()[0], blocks * (blocks + 1) / 2);
}

int main() {
  for (unsigned int x : {1, 2, 3, 5, 6, 7, 14, 29})
    for (dim3 block : {dim3(64), dim3(32), dim3(16, 2)})
      run(dim3(x), block);
  for (unsigned int y : {1, 3, 4, 9})
    for (unsigned int z : {1, 2, 3})
      run(dim3(4, y, z), dim3(16, 2, 2));
  return verdict("remainder_launches");
}
