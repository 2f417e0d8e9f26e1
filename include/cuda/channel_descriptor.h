//===- channel_descriptor.h - Formats of array elements ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__
#pragma GCC system_header

#include "cuda_runtime_api.h"

#if defined(__cplusplus)

/* Returns the format of T; for an element type without one, its kind is
   cudaChannelFormatKindNone. */
template <class T> static inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc() {
  return ::cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define REGRAIN_CHANNEL(TYPE, BITS, COUNT, KIND)                                 \
  template <> inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc<TYPE>() { \
    return ::cudaCreateChannelDesc(BITS, COUNT > 1 ? BITS : 0,                 \
                                   COUNT > 2 ? BITS : 0, COUNT > 3 ? BITS : 0, KIND); \
  }
#define REGRAIN_CHANNELS(TYPE, VECTOR, BITS, KIND)                               \
  REGRAIN_CHANNEL(TYPE, BITS, 1, KIND)                                         \
  REGRAIN_CHANNEL(VECTOR##1, BITS, 1, KIND)                                    \
  REGRAIN_CHANNEL(VECTOR##2, BITS, 2, KIND)                                    \
  REGRAIN_CHANNEL(VECTOR##4, BITS, 4, KIND)

REGRAIN_CHANNEL(char, 8, 1, cudaChannelFormatKindSigned)
REGRAIN_CHANNELS(signed char, char, 8, cudaChannelFormatKindSigned)
REGRAIN_CHANNELS(unsigned char, uchar, 8, cudaChannelFormatKindUnsigned)
REGRAIN_CHANNELS(short, short, 16, cudaChannelFormatKindSigned)
REGRAIN_CHANNELS(unsigned short, ushort, 16, cudaChannelFormatKindUnsigned)
REGRAIN_CHANNELS(int, int, 32, cudaChannelFormatKindSigned)
REGRAIN_CHANNELS(unsigned int, uint, 32, cudaChannelFormatKindUnsigned)
REGRAIN_CHANNELS(float, float, 32, cudaChannelFormatKindFloat)

/* Halves have formats of their own, whose elements are read as floats. */
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf(void) {
  return ::cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf1(void) {
  return cudaCreateChannelDescHalf();
}
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf2(void) {
  return ::cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf4(void) {
  return ::cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

#undef REGRAIN_CHANNELS
#undef REGRAIN_CHANNEL

#endif

#endif
