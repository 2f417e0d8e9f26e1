//===- activation.h - Activation functions -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "regrain/kernels.h"
#include <cuda_runtime.h>

namespace regrain::kernels {

/// The power and the quotient are formed by the device's own instructions, without subnormal
/// numbers: next to 1, a subnormal power is nothing, and for large denominators the quotient is 0,
/// as it should be.
__device__ inline float logistic(float x) {
  float power, quotient;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x * -1.442695041f));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(quotient) : "f"(1 + power));
  return quotient;
}

template <RegrainActivation activation> __device__ float activate(float x);
template <> __device__ inline float activate<REGRAIN_SILU>(float x) { return x * logistic(x); }
template <> __device__ inline float activate<REGRAIN_GELU>(float x) {
  return 0.5f * x * (1 + erff(x * 0.707106781f));
}
/// (1 + tanh(u)) / 2 is the logistic function of 2 u.
template <> __device__ inline float activate<REGRAIN_GELU_TANH>(float x) {
  return x * logistic(1.595769122f * (x + 0.044715f * x * x * x));
}
template <> __device__ inline float activate<REGRAIN_RELU>(float x) { return x < 0 ? 0 : x; }
template <> __device__ inline float activate<REGRAIN_SQUARED_RELU>(float x) {
  return x < 0 ? 0 : x * x;
}

} // namespace regrain::kernels
