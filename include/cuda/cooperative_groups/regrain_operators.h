//===- regrain_operators.h - Operators of reductions and scans --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_OPERATORS_H
#define REGRAIN_OPERATORS_H
#pragma GCC system_header

#include "../cooperative_groups.h"

#if defined(__cplusplus) && defined(__CUDACC__)

namespace cooperative_groups {

#define REGRAIN_OPERATOR(NAME, EXPRESSION)                                                         \
  template <class T> struct NAME {                                                                 \
    __device__ T operator()(T a, T b) const { return EXPRESSION; }                                 \
  };

REGRAIN_OPERATOR(plus, a + b)
REGRAIN_OPERATOR(less, b < a ? b : a)
REGRAIN_OPERATOR(greater, a < b ? b : a)
REGRAIN_OPERATOR(bit_and, a &b)
REGRAIN_OPERATOR(bit_or, a | b)
REGRAIN_OPERATOR(bit_xor, a ^ b)

#undef REGRAIN_OPERATOR

namespace detail {
/* Combines an atomic variable with a value; returns the value before. */
template <class Atomic, class T, class Operator>
__device__ inline auto update(Atomic &target, T value, Operator combine)
    -> decltype(target.load()) {
  auto before = target.load();
  while (!target.compare_exchange_weak(before, combine(before, value)))
    ;
  return before;
}
template <class Atomic, class T>
__device__ inline auto update(Atomic &target, T value, plus<T>) -> decltype(target.load()) {
  return target.fetch_add(value);
}
} // namespace detail

} // namespace cooperative_groups

#endif

#endif
