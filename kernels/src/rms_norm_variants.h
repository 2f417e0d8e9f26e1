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

#include "numbers.h"
#include "trees.h"
#include <regrain/variants.h>

namespace regrain::kernels {

constexpr int threadsOfNorm = 1024;

/// A thread's part of a row: `rounds` times `count` neighbouring columns.
template <class T, bool hasResidual, int count, int rounds> class KeptRow {
public:
  static constexpr int threads = threadsOfNorm / count, columns = threadsOfNorm * rounds;
  using Columns = Neighbours<T, count>;

  __device__ static int columnOf(int round) {
    return round * threadsOfNorm + static_cast<int>(threadIdx.x) * count;
  }

  /// Reads the row, adds the residual, and adds up the squares of as many threads of the original
  /// as there are neighbours.
  __device__ __forceinline__ void read(float (&sums)[count], const T *input, T *residual) {
#pragma unroll
    for (int i = 0; i < count; ++i)
      sums[i] = 0;
#pragma unroll
    for (int r = 0; r < rounds; ++r)
      kept[r].read(input + columnOf(r));
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      if (hasResidual) {
        Columns added;
        added.read(residual + columnOf(r));
#pragma unroll
        for (int i = 0; i < count; ++i)
          kept[r].at[i] = fromFloat<T>(toFloat(kept[r].at[i]) + toFloat(added.at[i]));
        kept[r].write(residual + columnOf(r));
      }
#pragma unroll
      for (int i = 0; i < count; ++i) {
        float z = toFloat(kept[r].at[i]);
        sums[i] += z * z;
      }
    }
  }

  /// Returns the factor of the row. All threads call it; what was written to shared memory before
  /// can be read behind it.
  __device__ __forceinline__ static float factor(float *parts, const float (&sums)[count],
                                                 float epsilon) {
    return rsqrtf(sumAsTree<threads>(parts, sums) / columns + epsilon);
  }

  /// Returns the largest magnitude of the products with the weights.
  __device__ __forceinline__ float largest(const T *weight) const {
    float most = 0;
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      Columns w;
      w.read(weight + columnOf(r));
#pragma unroll
      for (int i = 0; i < count; ++i)
        most = fmaxf(most, fabsf(toFloat(kept[r].at[i]) * toFloat(w.at[i])));
    }
    return most;
  }

  /// The products of a round with the weights and the factor.
  __device__ __forceinline__ void scaled(float (&y)[count], int round, const T *weight,
                                         float factor) const {
    Columns w;
    w.read(weight + columnOf(round));
#pragma unroll
    for (int i = 0; i < count; ++i)
      y[i] = toFloat(kept[round].at[i]) * toFloat(w.at[i]) * factor;
  }

  __device__ __forceinline__ static void write(unsigned char *out, int round,
                                               const float (&y)[count], float inverse) {
    Neighbours<unsigned char, count> codes;
#pragma unroll
    for (int i = 0; i < count; ++i)
      codes.at[i] = toFp8(y[i] * inverse);
    codes.write(out + columnOf(round));
  }

private:
  Columns kept[rounds];
};

template <class T, bool hasResidual, int count, int rounds>
__global__ void __launch_bounds__(threadsOfNorm / count)
    rmsNormTensorKept(unsigned char *__restrict__ out, const float *__restrict__ scales,
                      const T *__restrict__ input, T *__restrict__ residual,
                      const T *__restrict__ weight, int, float epsilon) {
  using Row = KeptRow<T, hasResidual, count, rounds>;
  __shared__ float parts[threadsOfNorm];
  size_t begin = static_cast<size_t>(blockIdx.x) * Row::columns;
  float inverse = 1 / scales[0];
  Row row;
  float sums[count];
  row.read(sums, input + begin, hasResidual ? residual + begin : nullptr);
  float factor = Row::factor(parts, sums, epsilon);
#pragma unroll
  for (int r = 0; r < rounds; ++r) {
    float y[count];
    row.scaled(y, r, weight, factor);
    Row::write(out + begin, r, y, inverse);
  }
}

template <class T, bool hasResidual, int count, int rounds>
__global__ void __launch_bounds__(threadsOfNorm / count)
    rmsNormTokenKept(unsigned char *__restrict__ out, float *__restrict__ scales,
                     const T *__restrict__ input, T *__restrict__ residual,
                     const T *__restrict__ weight, int, float epsilon) {
  using Row = KeptRow<T, hasResidual, count, rounds>;
  __shared__ float parts[threadsOfNorm];
  __shared__ float largest[Row::threads / 32];
  size_t begin = static_cast<size_t>(blockIdx.x) * Row::columns;
  Row row;
  float sums[count];
  row.read(sums, input + begin, hasResidual ? residual + begin : nullptr);
  putLargestOfWarp(largest, row.largest(weight));
  float factor = Row::factor(parts, sums, epsilon);
  float scale = scaleFor(largestOfWarps<Row::threads>(largest) * factor);
  float inverse = 1 / scale;
  if (threadIdx.x == 0)
    scales[blockIdx.x] = scale;
#pragma unroll
  for (int r = 0; r < rounds; ++r) {
    float y[count];
    row.scaled(y, r, weight, factor);
    Row::write(out + begin, r, y, inverse);
  }
}

/// Neighbouring lanes of a warp have the 128 columns of a scale. Each of them forms the scale of
/// one round, since the divisions take longer than all else.
template <class T, bool hasResidual, int count, int rounds>
__global__ void __launch_bounds__(threadsOfNorm / count)
    rmsNormBlockKept(unsigned char *__restrict__ out, float *__restrict__ scales,
                     const T *__restrict__ input, T *__restrict__ residual,
                     const T *__restrict__ weight, int, float epsilon) {
  using Row = KeptRow<T, hasResidual, count, rounds>;
  constexpr int lanes = scaledColumns / count;
  static_assert(lanes <= 32 && rounds <= lanes);
  __shared__ float parts[threadsOfNorm];
  size_t begin = static_cast<size_t>(blockIdx.x) * Row::columns;
  Row row;
  float sums[count];
  row.read(sums, input + begin, hasResidual ? residual + begin : nullptr);
  float factor = Row::factor(parts, sums, epsilon);
  int lane = static_cast<int>(threadIdx.x) % lanes;
  float own = 0;
#pragma unroll
  for (int r = 0; r < rounds; ++r) {
    float y[count], most = 0;
    row.scaled(y, r, weight, factor);
#pragma unroll
    for (int i = 0; i < count; ++i)
      most = fmaxf(most, fabsf(y[i]));
    most = largestOfLanes<lanes>(most);
    own = lane == r ? most : own;
  }
  float scale = scaleFor(own), inverse = 1 / scale;
  if (lane < rounds)
    scales[(begin + Row::columnOf(lane)) / scaledColumns] = scale;
#pragma unroll
  for (int r = 0; r < rounds; ++r) {
    float y[count];
    row.scaled(y, r, weight, factor);
    Row::write(out + begin, r, y, __shfl_sync(~0u, inverse, r, lanes));
  }
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
  REGRAIN_OFFER_KEPT(rmsNormToken, T, HAS_RESIDUAL, 8, 16);                                        \
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
