//===- known_launches.cu - Grains for known launches ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose code depends on the block, the grid and arguments are launched
// with the values for which a grain is compiled and with others.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu \
// RUN:   --coarsen='*:for.block=64,for.grid=13' --coarsen='sum*:for.arg1=800' \
// RUN:   --coarsen='tr*:for.arg3=-3,for.arg4=1' --coarsen='mark*:for.arg1=200,for.arg2=-7' \
// RUN:   --coarsen='*:thread.x=4,for.block=64' --coarsen='*:block.x=3,thread.x=2,for.block=64,for.grid=13' \
// RUN:   --coarsen='*:block.x=13,for.block=64,for.grid=13' --coarsen='*:block.x=2,fuse.x=2,for.block=64' \
// RUN:   --coarsen='tr*:block.x=2,fuse.x=2,for.block=16x4' --coarsen='tr*:shape=32x2,for.block=16x4,for.grid=5x3x2' \
// RUN:   --coarsen='mark*:shape=32x2,block.y=2,for.block=4x3x2' --coarsen='*:block.x=2' --coarsen='*:for.block=64' \
// RUN:   -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:for.block=64' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: env REGRAIN_ALTERNATIVE='*:for.block=64,for.grid=13' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: env REGRAIN_ALTERNATIVE='sum*:for.arg1=800;tr*:for.arg3=-3,for.arg4=1;mark*:for.arg1=200,for.arg2=-7' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=4,for.block=64' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=3,thread.x=2,for.block=64,for.grid=13' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=13,for.block=64,for.grid=13' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2,fuse.x=2,for.block=64;tr*:block.x=2,fuse.x=2,for.block=16x4' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='tr*:shape=32x2,for.block=16x4,for.grid=5x3x2;mark*:shape=32x2,block.y=2,for.block=4x3x2' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2;*:for.block=64' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=NEXT
//
// BLOCK-DAG: sum({{.*}}): for.block=64x1x1 does not run for this launch, because the grain is compiled for another block size (for.block)
// BLOCK: known_launches: ok
// GRID-DAG: sum({{.*}}): for.block=64x1x1,for.grid=13x1x1 does not run for this launch, because the grain is compiled for another grid size (for.grid)
// GRID: known_launches: ok
// ARGUMENT-DAG: sum({{.*}}): for.arg1=800 does not run for this launch, because the grain is compiled for another value of an argument (for.arg)
// ARGUMENT-DAG: transpose({{.*}}): for.arg3=-3,for.arg4=1 does not run
// ARGUMENT-DAG: mark({{.*}}): for.arg1=200,for.arg2=-7 does not run
// ARGUMENT: known_launches: ok
// SHAPE-DAG: transpose({{.*}}): shape=32x2x1,for.block=16x4x1,for.grid=5x3x2 (asked for by REGRAIN_ALTERNATIVE)
// SHAPE-DAG: mark({{.*}}): block.y=2,shape=32x2x1,for.block=4x3x2 (asked for by REGRAIN_ALTERNATIVE)
// SHAPE: known_launches: ok
// NEXT: sum({{.*}}): for.block=64x1x1 (asked for by REGRAIN_ALTERNATIVE), else block.x=2 (asked for by REGRAIN_ALTERNATIVE), else original
// NEXT: known_launches: ok
#include "expect.h"

// Adds up each block's share; the loop's ends depend on blockDim and n.
__global__ void sum(const int *data, int n, int *sums) {
  extern __shared__ int scratch[];
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += data[i];
  scratch[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      scratch[threadIdx.x] += scratch[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = scratch[0];
}

__global__ void transpose(const int *from, int *to, long long width, short add, bool twice) {
  long long x = blockIdx.x * blockDim.x + threadIdx.x;
  long long y = blockIdx.y * blockDim.y + threadIdx.y;
  long long height = gridDim.y * blockDim.y, z = blockIdx.z;
  if (x < width)
    to[(z * width + x) * height + y] = from[(z * height + y) * width + x] * (twice ? 2 : 1) + add;
}

__global__ void mark(unsigned int *out, unsigned char low, signed char high) {
  unsigned int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned int i = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
  out[i] += 1000 * threadIdx.y + 100 * blockIdx.y + 10 * low + high;
}

static void runSum(int blocks, int threads, int n) {
  std::vector<int> data(n), wanted(blocks);
  for (int i = 0; i < n; ++i)
    wanted[i / threads % blocks] += data[i] = i * 7919 % 1000;
  DeviceArray<int> input(data), sums(blocks);
  sum<<<blocks, threads, threads * sizeof(int)>>>(input, n, sums);
  auto got = sums.host();
  for (int i = 0; i < blocks; ++i)
    expectEqual("sum", i, got[i], wanted[i]);
}

static void runTranspose(dim3 grid, dim3 block, int width, short add, bool twice) {
  int height = grid.y * block.y;
  std::vector<int> data(width * height * grid.z);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = int(i * 31 % 1009);
  DeviceArray<int> input(data), output(data.size());
  transpose<<<grid, block>>>(input, output, width, add, twice);
  auto got = output.host();
  for (unsigned z = 0; z < grid.z; ++z)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        expectEqual("transpose", x, got[(z * width + x) * height + y],
                    data[(z * height + y) * width + x] * (twice ? 2 : 1) + add);
}

static void runMark(dim3 grid, dim3 block, unsigned char low, signed char high) {
  unsigned int threads = block.x * block.y * block.z;
  DeviceArray<unsigned int> out(threads * grid.x * grid.y * grid.z);
  mark<<<grid, block>>>(out, low, high);
  auto got = out.host();
  for (unsigned int i = 0; i < got.size(); ++i) {
    unsigned int b = i / threads, t = i % threads;
    expectEqual("mark", i, got[i],
                1000 * (t / block.x % block.y) + 100 * (b / grid.x % grid.y) + 10 * low + high);
  }
}

int main() {
  for (int threads : {64, 128, 64, 32})
    for (int blocks : {13, 1, 12, 40})
      for (int n : {800, 799, 4000})
        runSum(blocks, threads, n);
  for (dim3 block : {dim3(16, 4), dim3(64), dim3(64, 2), dim3(4, 16)})
    for (dim3 grid : {dim3(5, 3, 2), dim3(13), dim3(13, 2)})
      for (short add : {-3, 3, 0})
        for (bool twice : {true, false})
          runTranspose(grid, block, grid.x * block.x - 3, add, twice);
  for (dim3 block : {dim3(4, 3, 2), dim3(64), dim3(2, 3, 4), dim3(1)})
    for (dim3 grid : {dim3(5, 3, 2), dim3(13), dim3(1, 1, 9)})
      for (int high : {-7, 7, 100})
        runMark(grid, block, 200, high);
  runMark(13, 64, 201, -7);
  return verdict("known_launches");
}
