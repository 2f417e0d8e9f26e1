//===- sm_80_rt.hpp - Reductions over lanes of a warp -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's __clang_cuda_intrinsics.h defines these for sm_80 and newer, except the sum
// of signed values. The code for CPUs and AMD GPUs is compiled for an older
// architecture, where the reductions are made of one vote per bit. They are
// templates, so that the program may define a function of the same name for such
// GPUs, which is then preferred.
//
//===----------------------------------------------------------------------===//
#ifndef __SM_80_RT_HPP__
#define __SM_80_RT_HPP__
#pragma GCC system_header

#include "host_defines.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

static __inline__ __device__ int __reduce_add_sync(unsigned int mask, int value) {
  return static_cast<int>(__reduce_add_sync(mask, static_cast<unsigned int>(value)));
}

#else

#define REGRAIN_REDUCE(NAME, TYPE)                                                                 \
  template <int = 0>                                                                               \
  static __inline__ __device__ TYPE __reduce_##NAME##_sync(unsigned int mask, TYPE value)

/* The loop goes from the highest bit down; once a lane has a bit, the lanes without it are
   excluded. */
REGRAIN_REDUCE(max, unsigned int) {
  unsigned int result = 0, leading = mask;
  for (int bit = 31; bit >= 0; --bit) {
    unsigned int lanes = __ballot_sync(mask, value >> bit & 1) & leading;
    leading = lanes ? lanes : leading;
    result |= (lanes ? 1u : 0u) << bit;
  }
  return result;
}
REGRAIN_REDUCE(min, unsigned int) { return ~__reduce_max_sync(mask, ~value); }
REGRAIN_REDUCE(max, int) {
  constexpr unsigned int sign = 1u << 31;
  return static_cast<int>(__reduce_max_sync(mask, static_cast<unsigned int>(value) ^ sign) ^ sign);
}
REGRAIN_REDUCE(min, int) { return ~__reduce_max_sync(mask, ~value); }

#define REGRAIN_REDUCE_BITS(NAME, OPERATION, ONES)                                                 \
  REGRAIN_REDUCE(NAME, unsigned int) {                                                             \
    unsigned int result = 0;                                                                       \
    for (int bit = 0; bit < 32; ++bit) {                                                           \
      unsigned int lanes = __ballot_sync(mask, value >> bit & 1);                                  \
      result OPERATION static_cast<unsigned int>(ONES) << bit;                                     \
    }                                                                                              \
    return result;                                                                                 \
  }

REGRAIN_REDUCE_BITS(add, +=, __popc(lanes))
REGRAIN_REDUCE_BITS(or, |=, lanes != 0)
REGRAIN_REDUCE_BITS(xor, |=, __popc(lanes) & 1)

REGRAIN_REDUCE(and, unsigned int) { return ~__reduce_or_sync(mask, ~value); }
REGRAIN_REDUCE(add, int) {
  return static_cast<int>(__reduce_add_sync(mask, static_cast<unsigned int>(value)));
}

#undef REGRAIN_REDUCE_BITS
#undef REGRAIN_REDUCE

#endif

#endif
