//===- matrix_cores_by_shuffles.h - Matrix units, imitated -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included before the sources of the product, it makes them take the code for matrix units.
// The lanes hold what matrix_cores.h says.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cuda_fp8.h>
#include <cuda_runtime.h>

#define REGRAIN_FP8_MATRIX_CORES

namespace regrain::kernels {

__device__ inline float dot(unsigned a, unsigned b) {
  float sum = 0;
#pragma unroll 1
  for (int byte = 0; byte < 32; byte += 8) {
    __nv_fp8_e4m3 x, y;
    x.__x = static_cast<unsigned char>(a >> byte);
    y.__x = static_cast<unsigned char>(b >> byte);
    sum += static_cast<float>(x) * static_cast<float>(y);
  }
  return sum;
}

__device__ inline void multiplyAdd(float (&sums)[4], const uint4 &low, const uint4 &high,
                                   const uint4 &tokens) {
  const unsigned words[3][4] = {{low.x, low.y, low.z, low.w},
                                {high.x, high.y, high.z, high.w},
                                {tokens.x, tokens.y, tokens.z, tokens.w}};
  int lane = threadIdx.x % 32;
#pragma unroll 1
  for (int q = 0; q < 4; ++q)
#pragma unroll 1
    for (int w = 0; w < 4; ++w)
#pragma unroll 1
      for (int e = 0; e < 4; ++e)
        sums[e] += dot(__shfl_sync(~0u, words[e / 2][w], lane / 4 * 4 + q),
                       __shfl_sync(~0u, words[2][w], (lane % 4 * 2 + e % 2) * 4 + q));
}

} // namespace regrain::kernels
