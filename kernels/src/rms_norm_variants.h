//===- rms_norm_variants.h - Variants of the norm for few rows -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where there are few rows, a row's time is that of its barriers. These variants keep the row
// in registers, and have two barriers in all. A thread has neighbouring columns, and adds up
// as as many threads of the original do, so that results have the same bits. They are for rows
// of a constant length.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "early_launch.h"
#include "numbers.h"
#include "trees.h"
#include <regrain/variants.h>

namespace regrain::kernels {

constexpr int threadsOfNorm = 1024;

/// A thread's part of a row: `rounds` times `count` neighbouring columns. All accesses of a row are
/// on their way before the first of them is waited for.
template <class T, bool hasResidual, int count, int rounds> class KeptRow {
public:
  static constexpr int threads = threadsOfNorm / count, columns = threadsOfNorm * rounds;
  using Columns = Neighbours<T, count>;

  __device__ static int columnOf(int round) {
    return round * threadsOfNorm + static_cast<int>(threadIdx.x) * count;
  }

  __device__ __forceinline__ void read(const T *input, const T *residual, const T *weight) {
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      kept[r].read(input + columnOf(r));
      if (hasResidual)
        added[r].read(residual + columnOf(r));
    }
#pragma unroll
    for (int r = 0; r < rounds; ++r)
      weights[r].read(weight + columnOf(r));
  }

  /// Adds the residual, and adds up the squares of as many threads of the original as there are
  /// neighbours.
  __device__ __forceinline__ void addUp(float (&sums)[count], T *residual) {
#pragma unroll
    for (int i = 0; i < count; ++i)
      sums[i] = 0;
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      if (hasResidual) {
#pragma unroll
        for (int i = 0; i < count; ++i)
          kept[r].at[i] = fromFloat<T>(toFloat(kept[r].at[i]) + toFloat(added[r].at[i]));
        kept[r].write(residual + columnOf(r));
      }
#pragma unroll
      for (int i = 0; i < count; ++i) {
        float z = toFloat(kept[r].at[i]);
        sums[i] += z * z;
      }
    }
  }

  /// Returns the factor of the row. All threads call it; `meanwhile` is as in sumAsTree.
  template <class Meanwhile>
  __device__ __forceinline__ static float factor(float *parts, const float (&sums)[count],
                                                 float epsilon, Meanwhile meanwhile) {
    return rsqrtf(sumAsTree<threads>(parts, sums, meanwhile) / columns + epsilon);
  }

  /// The products of a round with the weights.
  __device__ __forceinline__ void weighted(float (&y)[count], int round) const {
#pragma unroll
    for (int i = 0; i < count; ++i)
      y[i] = toFloat(kept[round].at[i]) * toFloat(weights[round].at[i]);
  }

  __device__ __forceinline__ void write(unsigned char *out, int round, float factor,
                                        float inverse) const {
    float y[count];
    weighted(y, round);
#pragma unroll
    for (int i = 0; i < count; ++i)
      y[i] = y[i] * factor * inverse;
    writeFp8(out + columnOf(round), y);
  }

private:
  Columns kept[rounds], added[rounds], weights[rounds];
};

template <class T, bool hasResidual, int count, int rounds>
__global__ void __launch_bounds__(threadsOfNorm / count)
    rmsNormTensorKept(unsigned char *__restrict__ out, const float *__restrict__ scales,
                      const T *__restrict__ input, T *__restrict__ residual,
                      const T *__restrict__ weight, int, float epsilon) {
  awaitLaunchInFront();
  using Row = KeptRow<T, hasResidual, count, rounds>;
  __shared__ float parts[threadsOfNorm];
  size_t begin = static_cast<size_t>(blockIdx.x) * Row::columns;
  T *residualOfRow = hasResidual ? residual + begin : nullptr;
  Row row;
  row.read(input + begin, residualOfRow, weight);
  float inverse = 1 / scales[0];
  float sums[count];
  row.addUp(sums, residualOfRow);
  float factor = Row::factor(parts, sums, epsilon, [] {});
#pragma unroll
  for (int r = 0; r < rounds; ++r)
    row.write(out + begin, r, factor, inverse);
}

template <class T, bool hasResidual, int count, int rounds>
__global__ void __launch_bounds__(threadsOfNorm / count)
    rmsNormTokenKept(unsigned char *__restrict__ out, float *__restrict__ scales,
                     const T *__restrict__ input, T *__restrict__ residual,
                     const T *__restrict__ weight, int, float epsilon) {
  awaitLaunchInFront();
  using Row = KeptRow<T, hasResidual, count, rounds>;
  __shared__ float parts[threadsOfNorm];
  __shared__ float largest[Row::threads / 32];
  size_t begin = static_cast<size_t>(blockIdx.x) * Row::columns;
  T *residualOfRow = hasResidual ? residual + begin : nullptr;
  Row row;
  row.read(input + begin, residualOfRow, weight);
  float sums[count], most = 0;
  row.addUp(sums, residualOfRow);
#pragma unroll
  for (int r = 0; r < rounds; ++r) {
    float y[count];
    row.weighted(y, r);
    most = fmaxf(most, largestOf(y));
  }
  float factor = Row::factor(parts, sums, epsilon, [&] { putLargestOfWarp(largest, most); });
  float scale = scaleFor(largestOf(largest) * factor);
  float inverse = 1 / scale;
  if (threadIdx.x == 0)
    scales[blockIdx.x] = scale;
#pragma unroll
  for (int r = 0; r < rounds; ++r)
    row.write(out + begin, r, factor, inverse);
}

/// Neighbouring lanes of a warp have the 128 columns of a scale. Each of them forms the scale of
/// one round.
template <class T, bool hasResidual, int count, int rounds>
__global__ void __launch_bounds__(threadsOfNorm / count)
    rmsNormBlockKept(unsigned char *__restrict__ out, float *__restrict__ scales,
                     const T *__restrict__ input, T *__restrict__ residual,
                     const T *__restrict__ weight, int, float epsilon) {
  awaitLaunchInFront();
  using Row = KeptRow<T, hasResidual, count, rounds>;
  constexpr int lanes = scaledColumns / count;
  __shared__ float parts[threadsOfNorm];
  size_t begin = static_cast<size_t>(blockIdx.x) * Row::columns;
  T *residualOfRow = hasResidual ? residual + begin : nullptr;
  Row row;
  row.read(input + begin, residualOfRow, weight);
  float sums[count], most[rounds];
  row.addUp(sums, residualOfRow);
  int lane = static_cast<int>(threadIdx.x) % lanes;
#pragma unroll
  for (int r = 0; r < rounds; ++r) {
    float y[count];
    row.weighted(y, r);
    most[r] = largestOf(y);
  }
  float own;
  float factor = Row::factor(parts, sums, epsilon, [&] { own = largestOfEach<lanes>(most, lane); });
  float scale = scaleFor(own * factor), inverse = 1 / scale;
  if (lane < rounds)
    scales[(begin + Row::columnOf(lane)) / scaledColumns] = scale;
#pragma unroll
  for (int r = 0; r < rounds; ++r)
    row.write(out + begin, r, factor, __shfl_sync(~0u, inverse, r, lanes));
}

/// The launch of such a variant: a block for each row, if rows have its length and its alignment.
template <int count, int rounds, class T>
constexpr regrain::launch keptRows(regrain::launch given, const unsigned char *out, const float *,
                                   const T *input, const T *residual, const T *weight, int columns,
                                   float) {
  if (columns != threadsOfNorm * rounds || given.block.x != threadsOfNorm || given.block.y != 1 ||
      given.block.z != 1 || !areAligned<count>(out) ||
      !areAligned<sizeof(T) * count>(input, residual, weight))
    return regrain::not_offered();
  return {given.grid, dim3(threadsOfNorm / count), 0};
}

#define REGRAIN_OFFER_KEPT(KERNEL, T, HAS_RESIDUAL, COUNT, ROUNDS)                                 \
  REGRAIN_VARIANT((KERNEL<T, HAS_RESIDUAL>), (KERNEL##Kept<T, HAS_RESIDUAL, COUNT, ROUNDS>),       \
                  (keptRows<COUNT, ROUNDS, T>))
#define REGRAIN_OFFER_KEPT_ROWS(T, HAS_RESIDUAL)                                                   \
  REGRAIN_OFFER_KEPT(rmsNormTensor, T, HAS_RESIDUAL, 4, 4);                                        \
  REGRAIN_OFFER_KEPT(rmsNormTensor, T, HAS_RESIDUAL, 2, 16);                                       \
  REGRAIN_OFFER_KEPT(rmsNormTensor, T, HAS_RESIDUAL, 4, 16);                                       \
  REGRAIN_OFFER_KEPT(rmsNormToken, T, HAS_RESIDUAL, 4, 4);                                         \
  REGRAIN_OFFER_KEPT(rmsNormToken, T, HAS_RESIDUAL, 2, 16);                                        \
  REGRAIN_OFFER_KEPT(rmsNormToken, T, HAS_RESIDUAL, 4, 16);                                        \
  REGRAIN_OFFER_KEPT(rmsNormBlock, T, HAS_RESIDUAL, 4, 4);                                         \
  REGRAIN_OFFER_KEPT(rmsNormBlock, T, HAS_RESIDUAL, 4, 16);                                        \
  REGRAIN_OFFER_KEPT(rmsNormBlock, T, HAS_RESIDUAL, 8, 16)

REGRAIN_OFFER_KEPT_ROWS(__half, true);
REGRAIN_OFFER_KEPT_ROWS(__half, false);
REGRAIN_OFFER_KEPT_ROWS(__nv_bfloat16, true);
REGRAIN_OFFER_KEPT_ROWS(__nv_bfloat16, false);

#undef REGRAIN_OFFER_KEPT_ROWS
#undef REGRAIN_OFFER_KEPT

} // namespace regrain::kernels
