//===- regrain_cache_hints.h - __ldcg, __stcs and the like ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores with cache hints are expressed in terms that every target has:
// streaming (cs, lu) is a nontemporal access; bypassing the first-level cache (cg,
// cv, wt) is a volatile one, since programs use it to see what other multiprocessors
// wrote; the rest (ca, wb, cg stores) is a plain access.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_CACHE_HINTS_H
#define REGRAIN_CACHE_HINTS_H
#pragma GCC system_header

#include "crt/host_defines.h"

/* Gives the type as which a T is moved in one access, and the conversions: T itself, or a vector
   of its elements. A conversion through memory would let the optimiser split the access and lose
   the hint. */
template <class T, bool Scalar = __is_scalar(T)> struct regrainAccess {
  typedef T type;
  static __inline__ __device__ T unpack(type value) { return value; }
  static __inline__ __device__ type pack(T value) { return value; }
};

template <class T, unsigned int Count = sizeof(T) / sizeof(T::x)> struct regrainVector;
template <class T> struct regrainVector<T, 2> {
  typedef __typeof__(T::x) type __attribute__((ext_vector_type(2), may_alias));
  static __inline__ __device__ T unpack(type v) { return {v[0], v[1]}; }
  static __inline__ __device__ type pack(T v) { return {v.x, v.y}; }
};
template <class T> struct regrainVector<T, 4> {
  typedef __typeof__(T::x) type __attribute__((ext_vector_type(4), may_alias));
  static __inline__ __device__ T unpack(type v) { return {v[0], v[1], v[2], v[3]}; }
  static __inline__ __device__ type pack(T v) { return {v.x, v.y, v.z, v.w}; }
};
template <class T> struct regrainAccess<T, false> : regrainVector<T> {};

/* The address decides the type of what is stored, to which the datum is converted. */
template <class T> struct regrainStored {
  typedef T type;
};

#define REGRAIN_LOAD(NAME, EXPRESSION)                                           \
  template <class T> static __inline__ __device__ T NAME(const T *address) {   \
    typedef typename regrainAccess<T>::type Access;                            \
    const Access *p = (const Access *)address;                                 \
    return regrainAccess<T>::unpack(EXPRESSION);                               \
  }
#define REGRAIN_STORE(NAME, STATEMENT)                                           \
  template <class T>                                                           \
  static __inline__ __device__ void NAME(T *address,                           \
                                         typename regrainStored<T>::type datum) { \
    typedef typename regrainAccess<T>::type Access;                            \
    Access *p = (Access *)address;                                             \
    Access value = regrainAccess<T>::pack(datum);                              \
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
