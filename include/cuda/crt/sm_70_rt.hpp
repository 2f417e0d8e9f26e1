//===- sm_70_rt.hpp - Matching lanes of a warp ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's __clang_cuda_intrinsics.h defines the 32- and 64-bit forms and includes
// this file for the typed ones.
//
//===----------------------------------------------------------------------===//
#ifndef __SM_70_RT_HPP__
#define __SM_70_RT_HPP__
#pragma GCC system_header

#include "host_defines.h"

#define REGRAIN_MATCH(TYPE, BITS, WORD)                                          \
  static __inline__ __device__ unsigned int __match_any_sync(unsigned int mask, \
                                                             TYPE value) {     \
    return __match##BITS##_any_sync(mask, __builtin_bit_cast(WORD, value));    \
  }                                                                            \
  static __inline__ __device__ unsigned int __match_all_sync(                  \
      unsigned int mask, TYPE value, int *predicate) {                         \
    return __match##BITS##_all_sync(mask, __builtin_bit_cast(WORD, value),     \
                                    predicate);                                \
  }

REGRAIN_MATCH(int, 32, unsigned int)
REGRAIN_MATCH(unsigned int, 32, unsigned int)
REGRAIN_MATCH(float, 32, unsigned int)
REGRAIN_MATCH(long, 64, unsigned long long)
REGRAIN_MATCH(unsigned long, 64, unsigned long long)
REGRAIN_MATCH(long long, 64, unsigned long long)
REGRAIN_MATCH(unsigned long long, 64, unsigned long long)
REGRAIN_MATCH(double, 64, unsigned long long)

#undef REGRAIN_MATCH

#endif
