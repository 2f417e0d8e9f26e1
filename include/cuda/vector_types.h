//===- vector_types.h - char1 to double4, dim3 ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes and alignments are those of the CUDA C++ Programming Guide, table
// "Alignment Requirements".
//
//===----------------------------------------------------------------------===//
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__
#pragma GCC system_header

#include "crt/host_defines.h"

/* This defines NAME1 to NAME4 with elements of TYPE. ALIGN2 and ALIGN4 are in bytes; vectors of
   one and three elements have their element's alignment. */
#define REGRAIN_VECTOR_TYPES(NAME, TYPE, ALIGN2, ALIGN4)                         \
  struct NAME##1 {                                                             \
    TYPE x;                                                                    \
  };                                                                           \
  struct __align__(ALIGN2) NAME##2 {                                           \
    TYPE x, y;                                                                 \
  };                                                                           \
  struct NAME##3 {                                                             \
    TYPE x, y, z;                                                              \
  };                                                                           \
  struct __align__(ALIGN4) NAME##4 {                                           \
    TYPE x, y, z, w;                                                           \
  };                                                                           \
  typedef struct NAME##1 NAME##1;                                              \
  typedef struct NAME##2 NAME##2;                                              \
  typedef struct NAME##3 NAME##3;                                              \
  typedef struct NAME##4 NAME##4;

REGRAIN_VECTOR_TYPES(char, signed char, 2, 4)
REGRAIN_VECTOR_TYPES(uchar, unsigned char, 2, 4)
REGRAIN_VECTOR_TYPES(short, short, 4, 8)
REGRAIN_VECTOR_TYPES(ushort, unsigned short, 4, 8)
REGRAIN_VECTOR_TYPES(int, int, 8, 16)
REGRAIN_VECTOR_TYPES(uint, unsigned int, 8, 16)
REGRAIN_VECTOR_TYPES(long, long, 16, 16)
REGRAIN_VECTOR_TYPES(ulong, unsigned long, 16, 16)
REGRAIN_VECTOR_TYPES(longlong, long long, 16, 16)
REGRAIN_VECTOR_TYPES(ulonglong, unsigned long long, 16, 16)
REGRAIN_VECTOR_TYPES(float, float, 8, 16)
REGRAIN_VECTOR_TYPES(double, double, 16, 16)

#undef REGRAIN_VECTOR_TYPES

/* CUDA 13 names the alignment of vectors that have 32 bytes. */
#define REGRAIN_ALIGNED_TYPES(NAME, TYPE)                                                \
  struct __align__(16) NAME##4_16a {                                                     \
    TYPE x, y, z, w;                                                                     \
  };                                                                                     \
  struct __align__(32) NAME##4_32a {                                                     \
    TYPE x, y, z, w;                                                                     \
  };                                                                                     \
  typedef struct NAME##4_16a NAME##4_16a;                                                \
  typedef struct NAME##4_32a NAME##4_32a;

REGRAIN_ALIGNED_TYPES(long, long)
REGRAIN_ALIGNED_TYPES(ulong, unsigned long)
REGRAIN_ALIGNED_TYPES(longlong, long long)
REGRAIN_ALIGNED_TYPES(ulonglong, unsigned long long)
REGRAIN_ALIGNED_TYPES(double, double)

#undef REGRAIN_ALIGNED_TYPES

struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
#if __cplusplus >= 201103L
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1,
                                     unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#else
  __host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ operator uint3() const {
    uint3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
  }
#endif
#endif
};
typedef struct dim3 dim3;

#endif
