//===- matmul.h - What the products of fp8 matrices share -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a block writes its sums, and how the slices of k come together.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "matrix_cores.h"
#include "numbers.h"

namespace regrain::kernels {

constexpr int blockChannels = 64;
constexpr int mostTokens = 32;
/// So many blocks reside on a multiprocessor, by their registers.
constexpr int blocksOfProcessor = 4;

struct Product {
  const unsigned char *a, *b;
  const float *scaleA, *scaleB;
  float *partial;    ///< slices x m x n, if there are several slices
  unsigned *arrived; ///< for each block of channels; 0 between calls
  int m, n, k, slice;
  bool rowsHaveScales, channelsHaveScales;
};

template <class T>
__device__ void writeResult(T *out, const Product &p, int token, int channel, float sum) {
  float scale =
      p.scaleA[p.rowsHaveScales ? token : 0] * p.scaleB[p.channelsHaveScales ? channel : 0];
  out[static_cast<size_t>(token) * p.n + channel] = fromFloat<T>(sum * scale);
}

/// Writes the block's sums, or adds them to those of the other slices; all threads call it, and
/// sums[token * blockChannels + channel] are visible to them.
template <class T> __device__ void finishBlock(T *out, const Product &p, float *sums, int channel) {
  __shared__ unsigned before;
  if (gridDim.y > 1) {
    size_t size = static_cast<size_t>(p.m) * p.n;
    for (int i = threadIdx.x; i < blockChannels * p.m; i += blockDim.x) {
      int token = i / blockChannels, own = channel + i % blockChannels;
      if (own < p.n)
        p.partial[blockIdx.y * size + static_cast<size_t>(token) * p.n + own] = sums[i];
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
      before = atomicAdd(&p.arrived[blockIdx.x], 1);
      if (before == gridDim.y - 1)
        p.arrived[blockIdx.x] = 0;
    }
    __syncthreads();
    if (before != gridDim.y - 1)
      return;
    __threadfence();
    for (int i = threadIdx.x; i < blockChannels * p.m; i += blockDim.x) {
      int token = i / blockChannels, own = min(channel + i % blockChannels, p.n - 1);
      float sum = 0;
      for (unsigned s = 0; s < gridDim.y; ++s)
        sum += __ldcg(&p.partial[s * size + static_cast<size_t>(token) * p.n + own]);
      sums[i] = sum;
    }
  }
  for (int i = threadIdx.x; i < blockChannels * p.m; i += blockDim.x)
    if (int own = channel + i % blockChannels; own < p.n)
      writeResult(out, p, i / blockChannels, own, sums[i]);
}

__device__ inline float fromFp8(unsigned char code) {
  __nv_fp8_e4m3 x;
  x.__x = code;
  return static_cast<float>(x);
}

/// Adds the products of the block's channels and its slice [begin, end) without matrix units.
__device__ inline void sumPlainly(float *sums, const Product &p, int channel, int begin, int end) {
  for (int i = threadIdx.x; i < blockChannels * p.m; i += blockDim.x) {
    int token = i / blockChannels, own = min(channel + i % blockChannels, p.n - 1);
    const unsigned char *a = p.a + static_cast<size_t>(token) * p.k;
    const unsigned char *b = p.b + static_cast<size_t>(own) * p.k;
    float sum = 0;
    for (int j = begin; j < end; ++j)
      sum += fromFp8(a[j]) * fromFp8(b[j]);
    sums[i] = sum;
  }
  __syncthreads();
}

} // namespace regrain::kernels
