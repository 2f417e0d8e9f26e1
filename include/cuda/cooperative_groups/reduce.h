//===- reduce.h - Reductions over a group of lanes --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every thread gets the result. A tile of one warp reduces as a butterfly, so that each lane adds
// in the same tree, and so does a coalesced group of 32 lanes; a smaller group scans. The order and
// the tree are CUDA's, so that sums of floats round in the same way. The results of a large tile's
// warps are combined in the order of the warps.
//
//===----------------------------------------------------------------------===//
#ifndef _COOPERATIVE_GROUPS_REDUCE_H_
#define _COOPERATIVE_GROUPS_REDUCE_H_
#pragma GCC system_header

#include "regrain_operators.h"

#if defined(__cplusplus) && defined(__CUDACC__)

namespace cooperative_groups {

namespace detail {
template <class Group, class T, class Operator>
__device__ inline T reduceTile(const Group &group, T value, Operator combine, choice<false>) {
  for (unsigned int step = group.num_threads() / 2; step > 0; step /= 2)
    value = combine(value, group.shfl_xor(value, step));
  return value;
}
template <class Group, class T, class Operator>
__device__ inline T reduceTile(const Group &group, T value, Operator combine, choice<true>) {
  T ofWarp = reduceTile(partition::fixedTile<32, void>(), value, combine, choice<false>());
  return group.joinWarps(ofWarp, combine);
}
} // namespace detail

template <unsigned int Size, class Parent, class T, class Operator>
__device__ inline T reduce(const thread_block_tile<Size, Parent> &group, T value,
                           Operator combine) {
  return detail::reduceTile(group, value, combine, detail::choice<(Size > 32)>());
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

/* Combines the group's values with *target, at once for others. `Atomic` is cuda::atomic or
   cuda::atomic_ref. */
template <class Group, class Atomic, class T, class Operator>
__device__ inline void reduce_update_async(const Group &group, Atomic &target, T value,
                                           Operator combine) {
  auto all = reduce(group, value, combine);
  if (group.thread_rank() == 0)
    detail::update(target, all, combine);
}
/* Stores the combined value. It is there after the group has met. */
template <class Group, class Target, class T, class Operator>
__device__ inline void reduce_store_async(const Group &group, Target *target, T value,
                                          Operator combine) {
  auto all = reduce(group, value, combine);
  if (group.thread_rank() == 0)
    *target = all;
}

} // namespace cooperative_groups

#endif

#endif
