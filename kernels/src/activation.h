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

/// The quotient is formed by the device's reciprocal: for large denominators it is 0, as it should
/// be.
__device__ inline float logistic(float x) { return __fdividef(1, 1 + __expf(-x)); }

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
