//===- silu_and_mul.cu - SiLU and product by hand -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread has eight neighbouring columns; sixteen lanes find the largest magnitude of the
// 128 that share a scale. Rows that have one scale each lie in the registers of a block.
//
//===----------------------------------------------------------------------===//
#include "../src/activation.h"
#include "../src/status.h"
#include "by_hand.h"
#include "vectors.h"

namespace regrain::by_hand {

/// Eight products of a row's columns from i on.
__device__ inline void products(float *y, const __half *inputOfRow, int i, int columns) {
  Halves gate = loadOnce(inputOfRow + i), up = loadOnce(inputOfRow + columns + i);
#pragma unroll
  for (int e = 0; e < 8; ++e)
    y[e] = kernels::activate<REGRAIN_SILU>(__half2float(gate.at[e])) * __half2float(up.at[e]);
}

__device__ inline float largestOf(const float *y) {
  float most = 0;
#pragma unroll
  for (int e = 0; e < 8; ++e)
    most = fmaxf(most, fabsf(y[e]));
  return most;
}

__device__ inline void storeScaled(unsigned char *to, float *y, float scale) {
  float inverse = 1 / scale;
#pragma unroll
  for (int e = 0; e < 8; ++e)
    y[e] *= inverse;
  storeFp8(to, y);
}

/// `groups` are the 128 columns that share a scale, of all rows.
template <bool scaleForTensor>
__global__ void siluAndMul(unsigned char *__restrict__ out, float *__restrict__ scales,
                           const __half *__restrict__ input, int columns, int groups) {
  int group = blockIdx.x * (blockDim.x / 16) + threadIdx.x / 16;
  bool isInside = group < groups;
  int groupsOfRow = columns / scaledColumns, row = group / groupsOfRow;
  int i = group % groupsOfRow * scaledColumns + threadIdx.x % 16 * 8;
  float y[8] = {};
  if (isInside)
    products(y, input + static_cast<size_t>(row) * 2 * columns, i, columns);
  float scale;
  if (scaleForTensor) {
    scale = scales[0];
  } else {
    scale = scaleFor(overLanes(largestOf(y), 16, Most()));
    if (isInside && threadIdx.x % 16 == 0)
      scales[group] = scale;
  }
  if (isInside)
    storeScaled(out + static_cast<size_t>(row) * columns + i, y, scale);
}

template <int threads, int steps>
__global__ void __launch_bounds__(threads)
    siluAndMulToken(unsigned char *__restrict__ out, float *__restrict__ scales,
                    const __half *__restrict__ input, int columns) {
  __shared__ float largest[32];
  const __half *inputOfRow = input + static_cast<size_t>(blockIdx.x) * 2 * columns;
  float y[steps][8], most = 0;
#pragma unroll
  for (int n = 0; n < steps; ++n) {
    int i = (n * threads + threadIdx.x) * 8;
    if (i >= columns)
      break;
    products(y[n], inputOfRow, i, columns);
    most = fmaxf(most, largestOf(y[n]));
  }
  float scale = scaleFor(overBlock(most, largest, Most()));
  if (threadIdx.x == 0)
    scales[blockIdx.x] = scale;
#pragma unroll
  for (int n = 0; n < steps; ++n) {
    int i = (n * threads + threadIdx.x) * 8;
    if (i >= columns)
      break;
    storeScaled(out + static_cast<size_t>(blockIdx.x) * columns + i, y[n], scale);
  }
}

} // namespace regrain::by_hand

using namespace regrain::by_hand;
using regrain::kernels::fail;

RegrainStatus regrainByHandSiluAndMulFp8(void *out, float *scales, const void *input, int64_t rows,
                                         int64_t columns, RegrainScaling scaling,
                                         RegrainStream stream) {
  if (rows < 0 || columns < 0 || columns > 16384 || columns % scaledColumns)
    return fail(REGRAIN_INVALID_VALUE, "regrainByHandSiluAndMulFp8: %lld columns",
                static_cast<long long>(columns));
  if (rows == 0 || columns == 0)
    return REGRAIN_SUCCESS;
  auto *codes = static_cast<unsigned char *>(out);
  auto *x = static_cast<const __half *>(input);
  auto *queue = static_cast<cudaStream_t>(stream);
  int width = static_cast<int>(columns);
  if (scaling == REGRAIN_SCALE_TOKEN) {
    siluAndMulToken<1024, 2>
        <<<static_cast<unsigned>(rows), 1024, 0, queue>>>(codes, scales, x, width);
  } else {
    constexpr int threads = 128, groupsOfBlock = threads / 16;
    int groups = static_cast<int>(rows * (columns / scaledColumns));
    auto *kernel = scaling == REGRAIN_SCALE_TENSOR ? siluAndMul<true> : siluAndMul<false>;
    kernel<<<(groups + groupsOfBlock - 1) / groupsOfBlock, threads, 0, queue>>>(codes, scales, x,
                                                                                width, groups);
  }
  return regrain::kernels::launched("regrainByHandSiluAndMulFp8");
}
