//===- regrain_fp16_device.h - Half precision across threads ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This header has the read-only loads, shuffles and atomic additions of half
// and half2.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_FP16_DEVICE_H
#define REGRAIN_FP16_DEVICE_H
#pragma GCC system_header

static __inline__ __device__ __half __ldg(const __half *p) {
  return __ushort_as_half(__ldg((const unsigned short *)p));
}
static __inline__ __device__ __half2 __ldg(const __half2 *p) {
  return __builtin_bit_cast(__half2_raw, __ldg((const unsigned int *)p));
}

/* __ldcs and the like move a half as its bits. */
template <> struct regrainAccess<__half, false> {
  typedef unsigned short type __attribute__((may_alias));
  static __inline__ __device__ __half unpack(type bits) { return __ushort_as_half(bits); }
  static __inline__ __device__ type pack(__half value) { return __half_as_ushort(value); }
};
template <> struct regrainAccess<__half2, false> {
  typedef unsigned int type __attribute__((may_alias));
  static __inline__ __device__ __half2 unpack(type bits) {
    return __half2_raw{(unsigned short)bits, (unsigned short)(bits >> 16)};
  }
  static __inline__ __device__ type pack(__half2 value) {
    return __half_as_ushort(value.x) | (unsigned int)__half_as_ushort(value.y) << 16;
  }
};

#define REGRAIN_HALF_SHUFFLE(NAME, LANE)                                         \
  static __inline__ __device__ __half NAME(unsigned int mask, __half value, LANE lane, \
                                           int width = 32) {                   \
    return __ushort_as_half((unsigned short)NAME(                              \
        mask, (unsigned int)__half_as_ushort(value), lane, width));            \
  }                                                                            \
  static __inline__ __device__ __half2 NAME(unsigned int mask, __half2 value,  \
                                            LANE lane, int width = 32) {       \
    unsigned int bits = __builtin_bit_cast(unsigned int, (__half2_raw)value);  \
    return __builtin_bit_cast(__half2_raw, NAME(mask, bits, lane, width));     \
  }
REGRAIN_HALF_SHUFFLE(__shfl_sync, int)
REGRAIN_HALF_SHUFFLE(__shfl_up_sync, unsigned int)
REGRAIN_HALF_SHUFFLE(__shfl_down_sync, unsigned int)
REGRAIN_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef REGRAIN_HALF_SHUFFLE

/* Each half is added atomically; so is the pair as a whole, which CUDA leaves open. */
static __inline__ __device__ __half2 atomicAdd(__half2 *p, __half2 value) {
  unsigned int *word = (unsigned int *)p;
  unsigned int seen = *(volatile unsigned int *)word, expected;
  do {
    expected = seen;
    __half2 sum = __hadd2(__builtin_bit_cast(__half2_raw, expected), value);
    seen = atomicCAS(word, expected, __builtin_bit_cast(unsigned int, (__half2_raw)sum));
  } while (seen != expected);
  return __builtin_bit_cast(__half2_raw, expected);
}

/* The addition works on the aligned word that contains the half. */
static __inline__ __device__ __half atomicAdd(__half *p, __half value) {
  unsigned long long address = (unsigned long long)p;
  unsigned int *word = (unsigned int *)(address & ~3ull);
  unsigned int shift = (address & 2) ? 16 : 0;
  unsigned int seen = *(volatile unsigned int *)word, expected;
  __half before;
  do {
    expected = seen;
    before = __ushort_as_half((unsigned short)(expected >> shift));
    unsigned int sum = __half_as_ushort(__hadd(before, value));
    seen = atomicCAS(word, expected, (expected & ~(0xffffu << shift)) | sum << shift);
  } while (seen != expected);
  return before;
}

#endif
