//===- reduce.h - Reductions over a group of lanes --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every lane gets the result. A tile reduces as a butterfly, so that each lane adds
// in the same tree; a coalesced group in the tree of its first lane, in rank order.
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

template <class T, class Operator>
__device__ inline T reduce(const coalesced_group &group, T value, Operator combine) {
  unsigned int above = group.num_threads() - group.thread_rank();
  for (unsigned int step = 1; step < 32; step *= 2) {
    T other = group.shfl_down(value, step);
    if (step < above)
      value = combine(value, other);
  }
  return group.shfl(value, 0);
}

} // namespace cooperative_groups

#endif

#endif
