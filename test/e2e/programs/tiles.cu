//===- tiles.cu - Cooperative groups ----------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of a block are tested, with their shuffles and reductions, and the group of active lanes.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

constexpr int threads = 96;

__global__ void tiles(int *out, double *doubles) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  int tid = block.thread_rank();
  int *mine = out + tid * 6;
  mine[0] = cg::reduce(tile, tid, cg::plus<int>());
  mine[1] = tile.shfl(tid, 2) + int(tile.ballot(tid % 2)) * 1000;
  mine[2] = cg::reduce(warp, tid * 17 % 31, cg::greater<int>());
  mine[3] = int(tile.meta_group_rank() * 100 + tile.thread_rank());
  mine[4] = -1;
  auto half = cg::tiled_partition<4>(tile);
  cg::thread_block_tile<4> any = half;
  mine[5] = int(any.meta_group_rank() * 10 + half.meta_group_size());
  if (tid % 3 == 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    mine[4] = active.shfl(tid, 0) / 32 + active.any(tid % 5 == 0);
  }
  block.sync();
  doubles[tid] = warp.shfl_down(tid + 0.5, 1);
}

int main() {
  DeviceArray<int> out(threads * 6);
  DeviceArray<double> doubles(threads);
  tiles<<<1, threads>>>(out, doubles);
  auto got = out.host();
  auto d = doubles.host();
  for (int t = 0; t < threads; ++t) {
    int tile = t / 8 * 8, greatest = 0;
    for (int k = t / 32 * 32; k < t / 32 * 32 + 32; ++k)
      greatest = k * 17 % 31 > greatest ? k * 17 % 31 : greatest;
    expectEqual("sum", t, got[t * 6], 8 * tile + 28);
    expectEqual("shfl", t, got[t * 6 + 1], tile + 2 + 0xaa * 1000);
    expectEqual("greatest", t, got[t * 6 + 2], greatest);
    expectEqual("rank", t, got[t * 6 + 3], t / 8 * 100 + t % 8);
    expectEqual("tile of a tile", t, got[t * 6 + 5], t % 8 / 4 * 10 + 2);
    // The set of lanes that are active together is open; that they belong to one warp is not.
    if (t % 3)
      expectEqual("inactive", t, got[t * 6 + 4], -1);
    else
      expect(got[t * 6 + 4] / 32 <= t / 32, "active", t, got[t * 6 + 4], t / 32);
    expectEqual("shfl_down", t, d[t], t % 32 == 31 ? t + 0.5 : t + 1.5);
  }
  return verdict("tiles");
}
