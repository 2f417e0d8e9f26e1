//===- scan.h - Prefix sums over a group of lanes ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread gets the combined values of the threads of lower ranks; inclusive scans add its own
// value. The operator's first operand is of higher ranks than its second, and steps double, as
// in CUDA: an operator whose order matters sees the highest rank first. The first thread of an
// exclusive scan gets T().
//
//===----------------------------------------------------------------------===//
#ifndef _COOPERATIVE_GROUPS_SCAN_H_
#define _COOPERATIVE_GROUPS_SCAN_H_
#pragma GCC system_header

#include "regrain_operators.h"

#if defined(__cplusplus) && defined(__CUDACC__)

namespace cooperative_groups {

namespace detail {
/* Returns the maximum number of threads of a group of this type, as a constant, so that loops
   unroll. */
template <unsigned int Size, class Parent>
__device__ constexpr unsigned int mostThreads(const thread_block_tile<Size, Parent> &) {
  return Size;
}
__device__ constexpr unsigned int mostThreads(const coalesced_group &) { return 32; }

template <class Group, class T, class Operator>
__device__ inline T inclusiveScan(const Group &group, T value, Operator combine, choice<false>) {
  for (unsigned int step = 1; step < mostThreads(group); step *= 2) {
    T other = group.shfl_up(value, step);
    if (step <= group.thread_rank())
      value = combine(value, other);
  }
  return value;
}
template <class Group, class T, class Operator>
__device__ inline T exclusiveScan(const Group &group, T value, Operator combine, choice<false>) {
  T before = group.shfl_up(inclusiveScan(group, value, combine, choice<false>()), 1);
  return group.thread_rank() == 0 ? T() : before;
}

/* The scans of a tile's warps are continued by the values of the warps before. */
template <class Group, class T, class Operator>
__device__ inline T inclusiveScan(const Group &group, T value, Operator combine, choice<true>) {
  thread_block_tile<32> warp = partition::fixedTile<32, void>();
  T inWarp = inclusiveScan(warp, value, combine, choice<false>());
  T earlier = group.joinEarlier(warp.shfl(inWarp, 31), combine);
  return group.thread_rank() < 32 ? inWarp : combine(inWarp, earlier);
}
template <class Group, class T, class Operator>
__device__ inline T exclusiveScan(const Group &group, T value, Operator combine, choice<true>) {
  thread_block_tile<32> warp = partition::fixedTile<32, void>();
  T inWarp = inclusiveScan(warp, value, combine, choice<false>());
  T earlier = group.joinEarlier(warp.shfl(inWarp, 31), combine);
  T before = warp.shfl_up(inWarp, 1);
  if (group.thread_rank() < 32)
    return group.thread_rank() == 0 ? T() : before;
  return warp.thread_rank() == 0 ? earlier : combine(before, earlier);
}
} // namespace detail

template <class Group, class T, class Operator>
__device__ inline T inclusive_scan(const Group &group, T value, Operator combine) {
  return detail::inclusiveScan(group, value, combine,
                               detail::choice<detail::spansWarps<Group>::value>());
}
template <class Group, class T> __device__ inline T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

template <class Group, class T, class Operator>
__device__ inline T exclusive_scan(const Group &group, T value, Operator combine) {
  return detail::exclusiveScan(group, value, combine,
                               detail::choice<detail::spansWarps<Group>::value>());
}
template <class Group, class T> __device__ inline T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

namespace detail {
/* The last thread has the group's value. */
template <class Group, class Atomic, class T, class Operator>
__device__ inline T updateBy(const Group &group, Atomic &target, T scanned, Operator combine) {
  unsigned int last = group.num_threads() - 1;
  T before = T();
  if (group.thread_rank() == last)
    before = update(target, scanned, combine);
  return group.shfl(before, last);
}
} // namespace detail

/* These also combine the group's values with `target`, of type cuda::atomic or cuda::atomic_ref,
   and continue the value that it had before. */
template <class Group, class Atomic, class T, class Operator>
__device__ inline T inclusive_scan_update(const Group &group, Atomic &target, T value,
                                          Operator combine) {
  T scanned = inclusive_scan(group, value, combine);
  T before = detail::updateBy(group, target, scanned, combine);
  return combine(scanned, before);
}
template <class Group, class Atomic, class T>
__device__ inline T inclusive_scan_update(const Group &group, Atomic &target, T value) {
  return inclusive_scan_update(group, target, value, plus<T>());
}
template <class Group, class Atomic, class T, class Operator>
__device__ inline T exclusive_scan_update(const Group &group, Atomic &target, T value,
                                          Operator combine) {
  T scanned = inclusive_scan(group, value, combine);
  T before = detail::updateBy(group, target, scanned, combine);
  T earlier = exclusive_scan(group, value, combine);
  return group.thread_rank() == 0 ? before : combine(earlier, before);
}
template <class Group, class Atomic, class T>
__device__ inline T exclusive_scan_update(const Group &group, Atomic &target, T value) {
  return exclusive_scan_update(group, target, value, plus<T>());
}

} // namespace cooperative_groups

#endif

#endif
