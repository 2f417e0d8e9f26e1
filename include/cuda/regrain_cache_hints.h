//===- regrain_cache_hints.h - __ldcg, __stcs and their like ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores with cache hints, in terms every target knows: streaming (cs, lu)
// is a nontemporal access; past the first-level cache (cg, cv, wt) is a volatile
// one, since programs use it to see what other multiprocessors wrote; the rest (ca,
// wb, cg stores) is how a plain access behaves.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_CACHE_HINTS_H
#define REGRAIN_CACHE_HINTS_H
#pragma GCC system_header

#include "crt/host_defines.h"

/* What T is moved as in one access: itself, or words where it is a vector. */
template <class T, bool Scalar, unsigned Bytes> struct regrainAccess {
  typedef T type;
};
template <class T> struct regrainAccess<T, false, 2> {
  typedef unsigned short __attribute__((may_alias)) type;
};
template <class T> struct regrainAccess<T, false, 4> {
  typedef unsigned int __attribute__((may_alias)) type;
};
template <class T> struct regrainAccess<T, false, 8> {
  typedef unsigned int __attribute__((ext_vector_type(2), may_alias)) type;
};
template <class T> struct regrainAccess<T, false, 16> {
  typedef unsigned int __attribute__((ext_vector_type(4), may_alias)) type;
};
template <class T>
using regrainAccessOf = typename regrainAccess<T, __is_scalar(T), sizeof(T)>::type;

#define REGRAIN_LOAD(NAME, EXPRESSION)                                           \
  template <class T> static __inline__ __device__ T NAME(const T *address) {   \
    typedef regrainAccessOf<T> Access;                                         \
    const Access *p = (const Access *)address;                                 \
    return __builtin_bit_cast(T, EXPRESSION);                                  \
  }
#define REGRAIN_STORE(NAME, STATEMENT)                                           \
  template <class T> static __inline__ __device__ void NAME(T *address, T datum) { \
    typedef regrainAccessOf<T> Access;                                         \
    Access *p = (Access *)address;                                             \
    Access value = __builtin_bit_cast(Access, datum);                          \
    STATEMENT;                                                                 \
  }

REGRAIN_LOAD(__ldca, *p)
REGRAIN_LOAD(__ldcg, *(const volatile Access *)p)
REGRAIN_LOAD(__ldcv, *(const volatile Access *)p)
REGRAIN_LOAD(__ldcs, __builtin_nontemporal_load(p))
REGRAIN_LOAD(__ldlu, __builtin_nontemporal_load(p))
REGRAIN_STORE(__stwb, *p = value)
REGRAIN_STORE(__stcg, *p = value)
REGRAIN_STORE(__stcs, __builtin_nontemporal_store(value, p))
REGRAIN_STORE(__stwt, *(volatile Access *)p = value)

#undef REGRAIN_LOAD
#undef REGRAIN_STORE

#endif
