//===- large_tiles.cu - Tiles of several warps ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of 64 to 512 threads synchronise, exchange values, vote, reduce, scan and are divided.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O3 --targets=cpu --coarsen='*:block.x=2' -o %t.block %s
// RUN: timeout 100 %t.block
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 100 %t.block
// RUN: %regrain cc -O0 --targets=cpu -o %t.plain %s
// RUN: timeout 100 %t.plain
// RUN: %regrain cc -c --targets=sm_90,compute_70 -o %t.o %s
#include "expect.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

constexpr int threads = 512, blocks = 3, count = threads * blocks, fields = 10;

template <class T> __device__ T valueOf(int i) { return T((i * 37 + 11) % 101); }

template <unsigned Size> __global__ void useTiles(int *out, double *doubles) {
  __shared__ cg::block_tile_memory<threads> memory;
  cg::thread_block block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<Size>(block);
  int i = int(blockIdx.x * blockDim.x + threadIdx.x), *mine = out + i * fields;
  int value = valueOf<int>(i);
  mine[0] = cg::reduce(tile, value, cg::plus<int>());
  mine[1] = cg::reduce(tile, value, cg::greater<int>());
  mine[2] = cg::inclusive_scan(tile, value);
  mine[3] = cg::exclusive_scan(tile, value, cg::plus<int>());
  mine[4] = tile.shfl(value, Size - 3);
  mine[5] = (tile.any(value == 50) != 0) + 2 * (tile.all(value < 100) != 0);
  mine[6] = int(tile.meta_group_rank() * 1000 + tile.meta_group_size());
  auto warp = cg::tiled_partition<32>(tile);
  mine[7] = int(warp.meta_group_rank() * 1000 + warp.meta_group_size());
  mine[8] = cg::reduce(warp, value, cg::plus<int>());
  doubles[i] = cg::reduce(tile, double(value), cg::plus<double>());

  // Tiles go through different numbers of iterations.
  __shared__ int turns[threads];
  turns[threadIdx.x] = 0;
  tile.sync();
  for (unsigned turn = 0; turn < 3 + tile.meta_group_rank(); ++turn) {
    int next = int(threadIdx.x / Size * Size + (tile.thread_rank() + 1) % Size);
    int read = turns[next];
    tile.sync();
    turns[threadIdx.x] = read + 1;
    tile.sync();
  }
  mine[9] = turns[threadIdx.x];
}

int hostValue(int i) { return (i * 37 + 11) % 101; }

template <unsigned Size> void test() {
  DeviceArray<int> out(count * fields);
  DeviceArray<double> doubles(count);
  useTiles<Size><<<blocks, threads>>>(out, doubles);
  std::vector<int> got = out.host();
  std::vector<double> sums = doubles.host();
  for (int i = 0; i < count; ++i) {
    int first = i / int(Size) * int(Size), sum = 0, most = 0, before = 0, warp = 0;
    bool any = false, all = true;
    for (int j = first; j < first + int(Size); ++j) {
      int value = hostValue(j);
      before += j < i ? value : 0;
      warp += j / 32 == i / 32 ? value : 0;
      sum += value;
      most = value > most ? value : most;
      any |= value == 50;
      all &= value < 100;
    }
    int rank = first % threads / int(Size), inTile = i - first;
    int wanted[fields] = {sum,
                          most,
                          before + hostValue(i),
                          before,
                          hostValue(first + int(Size) - 3),
                          any + 2 * all,
                          rank * 1000 + threads / int(Size),
                          inTile / 32 * 1000 + int(Size) / 32,
                          warp,
                          3 + rank};
    for (int field = 0; field < fields; ++field)
      expectEqual("out", i * fields + field, got[i * fields + field], wanted[field]);
    expectEqual("doubles", i, sums[i], double(sum));
  }
}

int main() {
  test<64>();
  test<128>();
  test<256>();
  test<512>();
  return verdict("large_tiles");
}
