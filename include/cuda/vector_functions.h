//===- vector_functions.h - make_char1 to make_double4 ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__
#pragma GCC system_header
#define __VECTOR_FUNCTIONS_HPP__

#include "crt/host_defines.h"
#include "vector_types.h"

#define REGRAIN_MAKE_VECTOR(NAME, TYPE)                                          \
  static __inline__ __host__ __device__ NAME##1 make_##NAME##1(TYPE x) {       \
    NAME##1 v = {x};                                                           \
    return v;                                                                  \
  }                                                                            \
  static __inline__ __host__ __device__ NAME##2 make_##NAME##2(TYPE x, TYPE y) { \
    NAME##2 v = {x, y};                                                        \
    return v;                                                                  \
  }                                                                            \
  static __inline__ __host__ __device__ NAME##3 make_##NAME##3(TYPE x, TYPE y, \
                                                               TYPE z) {       \
    NAME##3 v = {x, y, z};                                                     \
    return v;                                                                  \
  }                                                                            \
  static __inline__ __host__ __device__ NAME##4 make_##NAME##4(                \
      TYPE x, TYPE y, TYPE z, TYPE w) {                                        \
    NAME##4 v = {x, y, z, w};                                                  \
    return v;                                                                  \
  }

REGRAIN_MAKE_VECTOR(char, signed char)
REGRAIN_MAKE_VECTOR(uchar, unsigned char)
REGRAIN_MAKE_VECTOR(short, short)
REGRAIN_MAKE_VECTOR(ushort, unsigned short)
REGRAIN_MAKE_VECTOR(int, int)
REGRAIN_MAKE_VECTOR(uint, unsigned int)
REGRAIN_MAKE_VECTOR(long, long)
REGRAIN_MAKE_VECTOR(ulong, unsigned long)
REGRAIN_MAKE_VECTOR(longlong, long long)
REGRAIN_MAKE_VECTOR(ulonglong, unsigned long long)
REGRAIN_MAKE_VECTOR(float, float)
REGRAIN_MAKE_VECTOR(double, double)

#undef REGRAIN_MAKE_VECTOR

#define REGRAIN_MAKE_ALIGNED(NAME, TYPE)                                                 \
  static __inline__ __host__ __device__ NAME make_##NAME(TYPE x, TYPE y, TYPE z, TYPE w) { \
    NAME v = {x, y, z, w};                                                               \
    return v;                                                                            \
  }

REGRAIN_MAKE_ALIGNED(long4_16a, long)
REGRAIN_MAKE_ALIGNED(long4_32a, long)
REGRAIN_MAKE_ALIGNED(ulong4_16a, unsigned long)
REGRAIN_MAKE_ALIGNED(ulong4_32a, unsigned long)
REGRAIN_MAKE_ALIGNED(longlong4_16a, long long)
REGRAIN_MAKE_ALIGNED(longlong4_32a, long long)
REGRAIN_MAKE_ALIGNED(ulonglong4_16a, unsigned long long)
REGRAIN_MAKE_ALIGNED(ulonglong4_32a, unsigned long long)
REGRAIN_MAKE_ALIGNED(double4_16a, double)
REGRAIN_MAKE_ALIGNED(double4_32a, double)

#undef REGRAIN_MAKE_ALIGNED

#endif
