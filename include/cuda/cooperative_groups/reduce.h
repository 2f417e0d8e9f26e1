//===- reduce.h - Reductions over a group of lanes --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every lane gets the result. A tile reduces as a butterfly, so that each lane adds in the
// same tree, and so does a coalesced group of 32 lanes; a smaller group scans. The order and
// the tree are CUDA's, so that sums of floats round in the same way.
//
//===----------------------------------------------------------------------===//
#ifndef _COOPERATIVE_GROUPS_REDUCE_H_
#define _COOPERATIVE_GROUPS_REDUCE_H_
#pragma GCC system_header

#include "regrain_operators.h"

#if defined(__cplusplus) && defined(__CUDACC__)

namespace cooperative_groups {

template <unsigned int Size, class Parent, class T, class Operator>
__device__ inline T reduce(const thread_block_tile<Size, Parent> &group, T value,
                           Operator combine) {
  for (unsigned int step = Size / 2; step > 0; step /= 2)
    value = combine(value, group.shfl_xor(value, step));
  return value;
}

/* Groups of both kinds shuffle at one place in the code, because a warp may contain both. */
template <class T, class Operator>
__device__ inline T reduce(const coalesced_group &group, T value, Operator combine) {
  unsigned int rank = group.thread_rank(), threads = group.num_threads();
  bool isWarp = threads == 32;
  for (unsigned int step = 1; step < 32; step *= 2) {
    bool combines = isWarp || step <= rank;
    T other = group.shfl(value, isWarp ? rank ^ (16 / step) : combines ? rank - step : rank);
    if (combines)
      value = combine(value, other);
  }
  return group.shfl(value, isWarp ? rank : threads - 1);
}

} // namespace cooperative_groups

#endif

#endif
