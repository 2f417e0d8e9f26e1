//===- regrain_ordered_atomics.h - Atomics with an order --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions __nv_atomic_* take an order and a scope. Each is a relaxed atomic of the
// device or the system between fences of that scope, which order at least as much as
// the program asks for. Values have 4 or 8 bytes; loads and stores may have 1 or 2.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_ORDERED_ATOMICS_H
#define REGRAIN_ORDERED_ATOMICS_H
#pragma GCC system_header

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

#define REGRAIN_ORDERED static __inline__ __device__

REGRAIN_ORDERED void regrainFence(int scope) {
  if (scope == __NV_THREAD_SCOPE_SYSTEM)
    __threadfence_system();
  else if (scope == __NV_THREAD_SCOPE_DEVICE || scope == __NV_THREAD_SCOPE_CLUSTER)
    __threadfence();
  else if (scope == __NV_THREAD_SCOPE_BLOCK)
    __threadfence_block();
}
REGRAIN_ORDERED void regrainFenceBefore(int order, int scope) {
  if (order >= __NV_ATOMIC_RELEASE)
    regrainFence(scope);
}
REGRAIN_ORDERED void regrainFenceAfter(int order, int scope) {
  if (order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE)
    regrainFence(scope);
}
REGRAIN_ORDERED void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (order != __NV_ATOMIC_RELAXED)
    regrainFence(scope);
}

/* The integers of a value's size, to hold its bits. */
template <size_t BYTES> struct regrainAtomicBits;
template <> struct regrainAtomicBits<1> {
  typedef unsigned char type __attribute__((may_alias));
};
template <> struct regrainAtomicBits<2> {
  typedef unsigned short type __attribute__((may_alias));
};
template <> struct regrainAtomicBits<4> {
  typedef unsigned int type __attribute__((may_alias));
};
template <> struct regrainAtomicBits<8> {
  typedef unsigned long long type __attribute__((may_alias));
};

// Loads and stores
template <class T>
REGRAIN_ORDERED void __nv_atomic_load(T *p, T *value, int order,
                                      int scope = __NV_THREAD_SCOPE_SYSTEM) {
  typedef typename regrainAtomicBits<sizeof(T)>::type Bits;
  if (order == __NV_ATOMIC_SEQ_CST)
    regrainFence(scope);
  Bits bits = *(volatile Bits *)p;
  regrainFenceAfter(order, scope);
  *(Bits *)value = bits;
}
template <class T>
REGRAIN_ORDERED T __nv_atomic_load_n(T *p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  T value;
  __nv_atomic_load(p, &value, order, scope);
  return value;
}
template <class T>
REGRAIN_ORDERED void __nv_atomic_store(T *p, T *value, int order,
                                       int scope = __NV_THREAD_SCOPE_SYSTEM) {
  typedef typename regrainAtomicBits<sizeof(T)>::type Bits;
  regrainFenceBefore(order, scope);
  *(volatile Bits *)p = *(Bits *)value;
  if (order == __NV_ATOMIC_SEQ_CST)
    regrainFence(scope);
}
template <class T>
REGRAIN_ORDERED void __nv_atomic_store_n(T *p, T value, int order,
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store(p, &value, order, scope);
}

// Exchanges
template <class T>
REGRAIN_ORDERED void __nv_atomic_exchange(T *p, T *value, T *result, int order,
                                          int scope = __NV_THREAD_SCOPE_SYSTEM) {
  typedef typename regrainAtomicBits<sizeof(T)>::type Bits;
  regrainFenceBefore(order, scope);
  Bits bits = scope == __NV_THREAD_SCOPE_SYSTEM ? atomicExch_system((Bits *)p, *(Bits *)value)
                                                : atomicExch((Bits *)p, *(Bits *)value);
  regrainFenceAfter(order, scope);
  *(Bits *)result = bits;
}
template <class T>
REGRAIN_ORDERED T __nv_atomic_exchange_n(T *p, T value, int order,
                                         int scope = __NV_THREAD_SCOPE_SYSTEM) {
  T result;
  __nv_atomic_exchange(p, &value, &result, order, scope);
  return result;
}
template <class T>
REGRAIN_ORDERED bool __nv_atomic_compare_exchange(T *p, T *expected, T *desired, bool, int success,
                                                  int failure,
                                                  int scope = __NV_THREAD_SCOPE_SYSTEM) {
  typedef typename regrainAtomicBits<sizeof(T)>::type Bits;
  Bits wanted = *(Bits *)expected;
  int order = success == __NV_ATOMIC_RELEASE && failure != __NV_ATOMIC_RELAXED ? __NV_ATOMIC_ACQ_REL
              : success > failure                                              ? success
                                                                               : failure;
  regrainFenceBefore(order, scope);
  Bits seen = scope == __NV_THREAD_SCOPE_SYSTEM
                  ? atomicCAS_system((Bits *)p, wanted, *(Bits *)desired)
                  : atomicCAS((Bits *)p, wanted, *(Bits *)desired);
  regrainFenceAfter(order, scope);
  *(Bits *)expected = seen;
  return seen == wanted;
}
template <class T>
REGRAIN_ORDERED bool __nv_atomic_compare_exchange_n(T *p, T *expected, T desired, bool weak,
                                                    int success, int failure,
                                                    int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange(p, expected, &desired, weak, success, failure, scope);
}

// Operations, by exchanges of what they compute
template <class T, class Operation>
REGRAIN_ORDERED T regrainAtomicUpdate(T *p, int order, int scope, Operation operation) {
  typedef typename regrainAtomicBits<sizeof(T)>::type Bits;
  regrainFenceBefore(order, scope);
  Bits seen = *(volatile Bits *)p, expected;
  do {
    expected = seen;
    Bits desired = __builtin_bit_cast(Bits, operation(__builtin_bit_cast(T, expected)));
    seen = scope == __NV_THREAD_SCOPE_SYSTEM ? atomicCAS_system((Bits *)p, expected, desired)
                                             : atomicCAS((Bits *)p, expected, desired);
  } while (seen != expected);
  regrainFenceAfter(order, scope);
  return __builtin_bit_cast(T, expected);
}
#define REGRAIN_ORDERED_OPERATION(NAME, RESULT)                                                    \
  template <class T>                                                                               \
  REGRAIN_ORDERED T __nv_atomic_fetch_##NAME(T *p, T value, int order,                             \
                                             int scope = __NV_THREAD_SCOPE_SYSTEM) {               \
    return regrainAtomicUpdate(p, order, scope, [=](T seen) { return (T)(RESULT); });              \
  }                                                                                                \
  template <class T>                                                                               \
  REGRAIN_ORDERED void __nv_atomic_##NAME(T *p, T value, int order,                                \
                                          int scope = __NV_THREAD_SCOPE_SYSTEM) {                  \
    __nv_atomic_fetch_##NAME(p, value, order, scope);                                              \
  }
REGRAIN_ORDERED_OPERATION(add, seen + value)
REGRAIN_ORDERED_OPERATION(sub, seen - value)
REGRAIN_ORDERED_OPERATION(and, seen &value)
REGRAIN_ORDERED_OPERATION(or, seen | value)
REGRAIN_ORDERED_OPERATION(xor, seen ^ value)
REGRAIN_ORDERED_OPERATION(min, value < seen ? value : seen)
REGRAIN_ORDERED_OPERATION(max, value > seen ? value : seen)
#undef REGRAIN_ORDERED_OPERATION
#undef REGRAIN_ORDERED

#endif
