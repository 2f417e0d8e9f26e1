//===- warp_masks.cu - Votes and shuffles of some lanes ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes of a warp diverge and cooperate in each branch with a mask that
// names only its lanes; the last warp of the block has only 8 lanes.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

constexpr int threads = 72;

__global__ void masks(unsigned int *out) {
  unsigned int tid = threadIdx.x, lane = tid % 32;
  unsigned int *mine = out + tid * 6;
  unsigned int here = tid / 32 == 2 ? 0xffu : 0xffffffffu;
  const unsigned int low = 0x000fffffu;

  if ((low >> lane) & 1) {
    unsigned int mask = low & here;
    mine[0] = __ballot_sync(mask, lane % 3 == 0);
    mine[1] = __any_sync(mask, lane == 7);
    mine[2] = __all_sync(mask, lane < 7);
    mine[3] = __shfl_sync(mask, tid, lane / 2);
  } else {
    unsigned int mask = ~low;
    mine[0] = __ballot_sync(mask, lane % 2);
    mine[1] = __any_sync(mask, lane == 7);
    mine[2] = __all_sync(mask, lane > 7);
    mine[3] = __shfl_down_sync(mask, tid, 1);
  }
  __syncwarp(here);
  mine[4] = __match_any_sync(here, lane / 5);
  int same = 0;
  mine[5] = __match_all_sync(here, tid / 32, &same) + unsigned(same);
}

int main() {
  DeviceArray<unsigned int> out(threads * 6);
  masks<<<1, threads>>>(out);
  auto got = out.host();
  for (unsigned int tid = 0; tid < threads; ++tid) {
    unsigned int lane = tid % 32, warp = tid / 32, lanes = warp == 2 ? 8 : 32;
    auto ballot = [&](auto predicate) {
      unsigned int bits = 0;
      for (unsigned int k = 0; k < lanes; ++k)
        if (predicate(k))
          bits |= 1u << k;
      return bits;
    };
    const unsigned int *mine = &got[tid * 6];
    if (lane < 20) {
      expectEqual("ballot", tid, mine[0], ballot([](unsigned k) { return k < 20 && k % 3 == 0; }));
      expectEqual("any", tid, mine[1] != 0, true);
      expectEqual("all", tid, mine[2] != 0, false);
      expectEqual("shfl", tid, mine[3], warp * 32 + lane / 2);
    } else {
      expectEqual("ballot", tid, mine[0], ballot([](unsigned k) { return k >= 20 && k % 2; }));
      expectEqual("any", tid, mine[1] != 0, false);
      expectEqual("all", tid, mine[2] != 0, true);
      expectEqual("shfl_down", tid, mine[3], lane < 31 ? tid + 1 : tid);
    }
    expectEqual("match_any", tid, mine[4], ballot([=](unsigned k) { return k / 5 == lane / 5; }));
    expectEqual("match_all", tid, mine[5], ballot([](unsigned) { return true; }) + 1u);
  }
  return verdict("warp_masks");
}
