//===- device_atomic_functions.h - Atomic operations ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicAdd and the other atomic functions call clang's typed builtins, in the
// scopes of the device, the block and the system. All are relaxed: they order no
// other accesses.
//
//===----------------------------------------------------------------------===//
#ifndef __DEVICE_ATOMIC_FUNCTIONS_H__
#define __DEVICE_ATOMIC_FUNCTIONS_H__
#pragma GCC system_header

#include "crt/host_defines.h"
#include "vector_types.h"

#if defined(__cplusplus) && defined(__CUDACC__)

#define REGRAIN_ATOMIC(NAME, SCOPE, TYPE, PREFIX)                                \
  static __inline__ __device__ TYPE atomic##NAME##SCOPE(TYPE *p, TYPE value) {  \
    return __##PREFIX##Atomic##NAME##SCOPE(p, value);                          \
  }
#define REGRAIN_ATOMIC_CAS(SCOPE, TYPE, PREFIX)                                  \
  static __inline__ __device__ TYPE atomicCAS##SCOPE(TYPE *p, TYPE compare,     \
                                                     TYPE value) {             \
    return __##PREFIX##AtomicCAS##SCOPE(p, compare, value);                    \
  }
#define REGRAIN_ATOMIC_SUB(SCOPE, TYPE, PREFIX)                                  \
  static __inline__ __device__ TYPE atomicSub##SCOPE(TYPE *p, TYPE value) {     \
    return __##PREFIX##AtomicAdd##SCOPE(p, 0u - (unsigned int)value);          \
  }
#define REGRAIN_ATOMIC_BITS(SCOPE, TYPE, PREFIX)                                 \
  REGRAIN_ATOMIC(And, SCOPE, TYPE, PREFIX)                                     \
  REGRAIN_ATOMIC(Or, SCOPE, TYPE, PREFIX)                                      \
  REGRAIN_ATOMIC(Xor, SCOPE, TYPE, PREFIX)
#define REGRAIN_ATOMICS(SCOPE)                                                   \
  REGRAIN_ATOMIC(Add, SCOPE, int, i)                                           \
  REGRAIN_ATOMIC(Add, SCOPE, unsigned int, u)                                  \
  REGRAIN_ATOMIC(Add, SCOPE, unsigned long long, ull)                          \
  REGRAIN_ATOMIC(Add, SCOPE, float, f)                                         \
  REGRAIN_ATOMIC_SUB(SCOPE, int, i)                                            \
  REGRAIN_ATOMIC_SUB(SCOPE, unsigned int, u)                                   \
  REGRAIN_ATOMIC(Exch, SCOPE, int, i)                                          \
  REGRAIN_ATOMIC(Exch, SCOPE, unsigned int, u)                                 \
  REGRAIN_ATOMIC(Exch, SCOPE, unsigned long long, ull)                         \
  REGRAIN_ATOMIC(Exch, SCOPE, float, f)                                        \
  REGRAIN_ATOMIC(Min, SCOPE, int, i)                                           \
  REGRAIN_ATOMIC(Min, SCOPE, long long, ill)                                   \
  REGRAIN_ATOMIC(Max, SCOPE, int, i)                                           \
  REGRAIN_ATOMIC(Max, SCOPE, long long, ill)                                   \
  REGRAIN_ATOMIC(Inc, SCOPE, unsigned int, u)                                  \
  REGRAIN_ATOMIC(Dec, SCOPE, unsigned int, u)                                  \
  REGRAIN_ATOMIC_BITS(SCOPE, int, i)                                           \
  REGRAIN_ATOMIC_BITS(SCOPE, unsigned int, u)                                  \
  REGRAIN_ATOMIC_BITS(SCOPE, unsigned long long, ull)                          \
  REGRAIN_ATOMIC_BITS(SCOPE, long long, ll)                                    \
  REGRAIN_ATOMIC_CAS(SCOPE, int, i)                                            \
  REGRAIN_ATOMIC_CAS(SCOPE, unsigned int, u)                                   \
  REGRAIN_ATOMIC_CAS(SCOPE, unsigned long long, ull)

/* clang has no builtin for 16 bits. The compiler recognises these functions as relaxed by their
   names (compiler/Frontend/AtomicScopes.h). */
#define REGRAIN_ATOMIC_CAS_16(SCOPE)                                             \
  static __inline__ __device__ unsigned short __usAtomicCAS##SCOPE(            \
      unsigned short *p, unsigned short compare, unsigned short value) {       \
    __atomic_compare_exchange_n(p, &compare, value, false, __ATOMIC_SEQ_CST,   \
                                __ATOMIC_SEQ_CST);                             \
    return compare;                                                            \
  }                                                                            \
  REGRAIN_ATOMIC_CAS(SCOPE, unsigned short, us)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
REGRAIN_ATOMIC_CAS_16()
REGRAIN_ATOMIC_CAS_16(_block)
REGRAIN_ATOMIC_CAS_16(_system)
#endif

/* clang's builtins in the scopes of the block and the system compare unsigned operands as signed
   numbers. The device scope is correct for a block, too. */
#define REGRAIN_ATOMIC_UNSIGNED(NAME, GOES_BEFORE, TYPE, PREFIX)                 \
  static __inline__ __device__ TYPE atomic##NAME##_block(TYPE *p, TYPE value) { \
    return __##PREFIX##Atomic##NAME(p, value);                                 \
  }                                                                            \
  static __inline__ __device__ TYPE atomic##NAME##_system(TYPE *p,              \
                                                          TYPE value) {        \
    TYPE seen = *(volatile TYPE *)p;                                           \
    while (value GOES_BEFORE seen) {                                           \
      TYPE expected = seen;                                                    \
      seen = __##PREFIX##AtomicCAS_system(p, expected, value);                 \
      if (seen == expected)                                                    \
        break;                                                                 \
    }                                                                          \
    return seen;                                                               \
  }

REGRAIN_ATOMICS()
REGRAIN_ATOMIC(Min, , unsigned int, u)
REGRAIN_ATOMIC(Min, , unsigned long long, ull)
REGRAIN_ATOMIC(Max, , unsigned int, u)
REGRAIN_ATOMIC(Max, , unsigned long long, ull)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
REGRAIN_ATOMIC(Add, , double, d)
REGRAIN_ATOMICS(_block)
REGRAIN_ATOMIC(Add, _block, double, d)
REGRAIN_ATOMICS(_system)
REGRAIN_ATOMIC(Add, _system, double, d)
REGRAIN_ATOMIC_UNSIGNED(Min, <, unsigned int, u)
REGRAIN_ATOMIC_UNSIGNED(Min, <, unsigned long long, ull)
REGRAIN_ATOMIC_UNSIGNED(Max, >, unsigned int, u)
REGRAIN_ATOMIC_UNSIGNED(Max, >, unsigned long long, ull)
#endif

/* Each element is added atomically, but not the vector as a whole. */
#define REGRAIN_ATOMIC_VECTORS(SCOPE)                                            \
  static __inline__ __device__ float2 atomicAdd##SCOPE(float2 *p,               \
                                                       float2 value) {         \
    value.x = atomicAdd##SCOPE(&p->x, value.x);                                \
    value.y = atomicAdd##SCOPE(&p->y, value.y);                                \
    return value;                                                              \
  }                                                                            \
  static __inline__ __device__ float4 atomicAdd##SCOPE(float4 *p,               \
                                                       float4 value) {         \
    value.x = atomicAdd##SCOPE(&p->x, value.x);                                \
    value.y = atomicAdd##SCOPE(&p->y, value.y);                                \
    value.z = atomicAdd##SCOPE(&p->z, value.z);                                \
    value.w = atomicAdd##SCOPE(&p->w, value.w);                                \
    return value;                                                              \
  }
REGRAIN_ATOMIC_VECTORS()
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
REGRAIN_ATOMIC_VECTORS(_block)
REGRAIN_ATOMIC_VECTORS(_system)
#endif

#include "regrain_wide_atomics.h"

#undef REGRAIN_ATOMICS
#undef REGRAIN_ATOMIC_VECTORS
#undef REGRAIN_ATOMIC_UNSIGNED
#undef REGRAIN_ATOMIC_CAS_16
#undef REGRAIN_ATOMIC_BITS
#undef REGRAIN_ATOMIC_SUB
#undef REGRAIN_ATOMIC_CAS
#undef REGRAIN_ATOMIC

/* The functions have scopes, which compute capability 6.0 has first. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#include "regrain_ordered_atomics.h"
#endif

#endif

#endif
