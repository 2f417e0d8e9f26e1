//===- seen_blocks.cu - Tiles for the block of the launches -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread owns its place of a tile if rows of the block are no longer than the
// tile's. The launch in the file has such a block, and proposes grains for it;
// the other launches have as many threads in longer rows, or in shorter ones.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --alternatives=8 -Rpass-analysis=regrain -o %t %s 2>&1 | FileCheck %s --check-prefix=ANALYSIS
// ANALYSIS: kernel 'pass({{.*}})' executes {{.*}} barriers; fewer if the block is known to be 16x16x1, as in this file's launches [
// RUN: %regrain inspect %t | FileCheck %s --check-prefix=SPACE
// SPACE: pass(
// SPACE: for.block=16x16x1{{ |$}}
// SPACE: block.x=2,for.block=16x16x1{{ |$}}
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:for.block=16x16' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2,for.block=16x16' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s
//
// CHECK-DAG: pass({{.*}}): {{.*}}for.block=16x16x1 (asked for
// CHECK-DAG: pass({{.*}}): {{.*}}for.block=16x16x1 does not run for this launch, because the grain is compiled for another block size (for.block)
// CHECK-DAG: seen_blocks: ok
#include "expect.h"

constexpr int side = 16, blocks = 5, most = blocks * side * side;

// Threads to the right of the tile write into the row below.
__global__ void pass(int *out, const int *in) {
  __shared__ int tile[side][side];
  int tx = threadIdx.x, ty = threadIdx.y;
  int gid = (blockIdx.x * blockDim.y + ty) * blockDim.x + tx;
  bool isInside = tx < side;
  if (isInside)
    tile[ty][tx] = in[gid];
  __syncthreads();
  if (!isInside && ty < side - 1)
    tile[ty][tx] = -in[gid];
  __syncthreads();
  if (isInside)
    out[gid] = tile[ty][tx] + tile[ty][0];
}

void check(const char *name, dim3 block, const DeviceArray<int> &out, const std::vector<int> &in) {
  std::vector<int> got = out.host();
  auto passed = [&](int row, int y, int x) {
    bool isPassed = y > 0 && x + side < int(block.x);
    return isPassed ? -in[(row - 1) * block.x + x + side] : in[row * block.x + x];
  };
  for (int row = 0; row < blocks * int(block.y); ++row)
    for (int x = 0; x < int(block.x); ++x) {
      int y = row % block.y, gid = row * block.x + x;
      expectEqual(name, gid, got[gid], x < side ? passed(row, y, x) + passed(row, y, 0) : 0);
    }
}

void runWith(dim3 block, const DeviceArray<int> &data, const std::vector<int> &in) {
  DeviceArray<int> out(most);
  pass<<<blocks, block>>>(out, data);
  check("another block", block, out, in);
}

int main() {
  std::vector<int> in(most);
  for (int i = 0; i < most; ++i)
    in[i] = (i * 7919 + 13) % 1000;
  DeviceArray<int> data(in), out(most);
  dim3 block(side, side);
  pass<<<blocks, block>>>(out, data);
  check("the block seen", block, out, in);
  runWith(dim3(32, 8), data, in);
  runWith(dim3(8, 16), data, in);
  return verdict("seen_blocks");
}
