//===- scan.h - Prefix sums over a group of lanes ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each lane gets the combined values of the lanes of lower ranks; inclusive scans add its own
// value. The operator's first operand is of higher ranks than its second, and steps double, as
// in CUDA: an operator whose order matters sees the highest rank first. The first lane of an
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
} // namespace detail

template <class Group, class T, class Operator>
__device__ inline T inclusive_scan(const Group &group, T value, Operator combine) {
  for (unsigned int step = 1; step < detail::mostThreads(group); step *= 2) {
    T other = group.shfl_up(value, step);
    if (step <= group.thread_rank())
      value = combine(value, other);
  }
  return value;
}
template <class Group, class T> __device__ inline T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

template <class Group, class T, class Operator>
__device__ inline T exclusive_scan(const Group &group, T value, Operator combine) {
  T before = group.shfl_up(inclusive_scan(group, value, combine), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> __device__ inline T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif

#endif
