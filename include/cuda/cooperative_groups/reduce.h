//===- reduce.h - Reductions over a group of lanes --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every lane gets the result. A tile reduces as a butterfly, so that each lane adds
// in the same tree; a coalesced group goes through its lanes in order.
//
//===----------------------------------------------------------------------===//
#ifndef _COOPERATIVE_GROUPS_REDUCE_H_
#define _COOPERATIVE_GROUPS_REDUCE_H_
#pragma GCC system_header

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDACC__)

namespace cooperative_groups {

#define REGRAIN_OPERATOR(NAME, EXPRESSION)                                       \
  template <class T> struct NAME {                                             \
    __device__ T operator()(T a, T b) const { return EXPRESSION; }             \
  };

REGRAIN_OPERATOR(plus, a + b)
REGRAIN_OPERATOR(less, b < a ? b : a)
REGRAIN_OPERATOR(greater, a < b ? b : a)
REGRAIN_OPERATOR(bit_and, a &b)
REGRAIN_OPERATOR(bit_or, a | b)
REGRAIN_OPERATOR(bit_xor, a ^ b)

#undef REGRAIN_OPERATOR

template <unsigned int Size, class Parent, class T, class Operator>
__device__ inline T reduce(const thread_block_tile<Size, Parent> &group, T value,
                           Operator combine) {
  for (unsigned int step = Size / 2; step > 0; step /= 2)
    value = combine(value, group.shfl_xor(value, step));
  return value;
}

template <class T, class Operator>
__device__ inline T reduce(const coalesced_group &group, T value, Operator combine) {
  T result = group.shfl(value, 0);
  for (unsigned int rank = 1; rank < group.size(); ++rank)
    result = combine(result, group.shfl(value, rank));
  return result;
}

} // namespace cooperative_groups

#endif

#endif
