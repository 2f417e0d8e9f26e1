//===- sm_100_rt.h - Arithmetic with pairs of floats ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA has these for compute capability 10.0 and newer, here every target has them. They are
// templates, so that the program may define a function of the same name for other GPUs, which is
// then preferred.
//
//===----------------------------------------------------------------------===//
#ifndef __SM_100_RT_H__
#define __SM_100_RT_H__
#pragma GCC system_header

#include "host_defines.h"

#define REGRAIN_FLOAT_PAIRS(MODE)                                                                  \
  template <int = 0>                                                                               \
  static __inline__ __device__ float2 __ffma2_##MODE(float2 x, float2 y, float2 z) {               \
    return make_float2(__fmaf_##MODE(x.x, y.x, z.x), __fmaf_##MODE(x.y, y.y, z.y));                \
  }                                                                                                \
  template <int = 0> static __inline__ __device__ float2 __fadd2_##MODE(float2 x, float2 y) {      \
    return make_float2(__fadd_##MODE(x.x, y.x), __fadd_##MODE(x.y, y.y));                          \
  }                                                                                                \
  template <int = 0> static __inline__ __device__ float2 __fmul2_##MODE(float2 x, float2 y) {      \
    return make_float2(__fmul_##MODE(x.x, y.x), __fmul_##MODE(x.y, y.y));                          \
  }
REGRAIN_FLOAT_PAIRS(rn)
REGRAIN_FLOAT_PAIRS(rz)
REGRAIN_FLOAT_PAIRS(rd)
REGRAIN_FLOAT_PAIRS(ru)
#undef REGRAIN_FLOAT_PAIRS

#endif
