//===- activation_variants.h - Variants of activations in fp8 -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread has neighbouring columns. Where a row has one scale, its products
// stay in registers, and one barrier is enough; where 128 columns have one,
// lanes of a warp find it without any. The largest magnitude does not depend on
// the order, so that results have the same bits. A block's row is its y: with
// few rows, a division in front of the first access would be a tenth of the
// time.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "activation.h"
#include "early_launch.h"
#include "numbers.h"
#include "trees.h"
#include <regrain/variants.h>

namespace regrain::kernels {

/// Neighbouring products of a row.
template <RegrainActivation activation, class T, int count> class Products {
public:
  __device__ __forceinline__ void read(const T *inputOfRow, int i, int columns) {
    gate.read(inputOfRow + i);
    up.read(inputOfRow + columns + i);
  }
  __device__ __forceinline__ void compute() {
#pragma unroll
    for (int e = 0; e < count; ++e)
      at[e] = activate<activation>(toFloat(gate.at[e])) * toFloat(up.at[e]);
  }
  __device__ __forceinline__ float largest() const { return largestOf(at); }
  __device__ __forceinline__ void write(unsigned char *to, float inverse) const {
    float y[count];
#pragma unroll
    for (int e = 0; e < count; ++e)
      y[e] = at[e] * inverse;
    writeFp8(to, y);
  }

private:
  Neighbours<T, count> gate, up;
  float at[count] = {};
};

/// A row has at most threads * count columns.
template <RegrainActivation activation, class T, int threads, int count>
__global__ void __launch_bounds__(threads)
    actAndMulTokenKept(unsigned char *__restrict__ out, float *__restrict__ scales,
                       const T *__restrict__ input, int columns) {
  awaitLaunchInFront();
  __shared__ float largest[threads / 32];
  int i = threadIdx.x * count;
  Products<activation, T, count> y;
  if (i < columns) {
    y.read(input + static_cast<size_t>(blockIdx.x) * 2 * columns, i, columns);
    y.compute();
  }
  float scale = scaleFor(largestOfBlock<threads>(largest, y.largest()));
  if (threadIdx.x == 0)
    scales[blockIdx.x] = scale;
  if (i < columns)
    y.write(out + static_cast<size_t>(blockIdx.x) * columns + i, 1 / scale);
}

template <int threads, int count, class T>
constexpr regrain::launch rowsInBlocks(regrain::launch given, const unsigned char *out,
                                       const float *, const T *input, int columns) {
  if (columns % count != 0 || columns > threads * count || !areAligned<count>(out) ||
      !areAligned<sizeof(T) * count>(input))
    return regrain::not_offered();
  return {given.grid, dim3(threads), 0};
}

/// Returns how many rows a launch has, or 0 if the y of a grid cannot number them.
constexpr unsigned rowsOfLaunch(unsigned blocks, unsigned blocksOfRow) {
  constexpr unsigned mostRows = 65535;
  unsigned rows = blocks / blocksOfRow;
  return blocks % blocksOfRow == 0 && rows <= mostRows ? rows : 0;
}

/// A block has the columns of `groups` scales.
template <RegrainActivation activation, class T, int groups, int count>
__global__ void actAndMulBlockByLanes(unsigned char *__restrict__ out, float *__restrict__ scales,
                                      const T *__restrict__ input, int columns) {
  awaitLaunchInFront();
  constexpr int lanes = scaledColumns / count;
  int group = static_cast<int>(blockIdx.x * groups + threadIdx.x / lanes);
  size_t row = blockIdx.y;
  int i = group * scaledColumns + static_cast<int>(threadIdx.x) % lanes * count;
  Products<activation, T, count> y;
  y.read(input + row * 2 * columns, i, columns);
  y.compute();
  float scale = scaleFor(largestOfLanes<lanes>(y.largest()));
  if (threadIdx.x % lanes == 0)
    scales[row * gridDim.x * groups + group] = scale;
  y.write(out + row * columns + i, 1 / scale);
}

template <int groups, int count, class T>
constexpr regrain::launch groupsInBlocks(regrain::launch given, const unsigned char *out,
                                         const float *, const T *input, int columns) {
  if (columns < scaledColumns || columns % (groups * scaledColumns) != 0 ||
      !areAligned<count>(out) || !areAligned<sizeof(T) * count>(input))
    return regrain::not_offered();
  unsigned groupsOfRow = static_cast<unsigned>(columns) / scaledColumns;
  unsigned rows = rowsOfLaunch(given.grid.x, groupsOfRow);
  if (rows == 0)
    return regrain::not_offered();
  return {dim3(groupsOfRow / groups, rows), dim3(groups * scaledColumns / count), 0};
}

/// The scale is waited for when the columns are on their way, too, and its reciprocal stands behind
/// all that does not need it. If blocks cover a row exactly (`isWhole`), nothing is guarded: a load
/// behind a guard begins later by a tenth of the time of a few rows.
template <RegrainActivation activation, class T, int threads, int count, bool isWhole>
__global__ void __launch_bounds__(threads)
    actAndMulTensorByNeighbours(unsigned char *__restrict__ out, const float *__restrict__ scales,
                                const T *__restrict__ input, int columns) {
  awaitLaunchInFront();
  unsigned i = (blockIdx.x * threads + threadIdx.x) * count, firstOfRow = blockIdx.y * columns;
  if (!isWhole && i >= static_cast<unsigned>(columns))
    return;
  Products<activation, T, count> y;
  y.read(input + (2 * firstOfRow + i), 0, columns);
  float scale = scales[0];
  y.compute();
  y.write(out + (firstOfRow + i), reciprocalOf(scale));
}

/// The elements of all rows have numbers of 31 bits.
template <int threads, int count, bool isWhole, class T>
constexpr regrain::launch elementsInBlocks(regrain::launch given, const unsigned char *out,
                                           const float *, const T *input, int columns) {
  if (columns < 1 || columns % (isWhole ? threads * count : count) != 0 ||
      !areAligned<count>(out) || !areAligned<sizeof(T) * count>(input))
    return regrain::not_offered();
  auto width = static_cast<unsigned>(columns);
  unsigned rows = rowsOfLaunch(given.grid.x, (width + threadsOfElements - 1) / threadsOfElements);
  if (rows == 0 || rows > INT32_MAX / 2 / width)
    return regrain::not_offered();
  return {dim3((width + threads * count - 1) / (threads * count), rows), dim3(threads), 0};
}

#define REGRAIN_OFFER_NEIGHBOURS(ACTIVATION, T, THREADS, COUNT, IS_WHOLE)                          \
  REGRAIN_VARIANT((actAndMulTensor<ACTIVATION, T>),                                                \
                  (actAndMulTensorByNeighbours<ACTIVATION, T, THREADS, COUNT, IS_WHOLE>),          \
                  (elementsInBlocks<THREADS, COUNT, IS_WHOLE, T>))
#define REGRAIN_OFFER_LANES(ACTIVATION, T, GROUPS, COUNT)                                          \
  REGRAIN_VARIANT((actAndMulBlock<ACTIVATION, true, T>),                                           \
                  (actAndMulBlockByLanes<ACTIVATION, T, GROUPS, COUNT>),                           \
                  (groupsInBlocks<GROUPS, COUNT, T>))
#define REGRAIN_OFFER_ACTIVATIONS(ACTIVATION, T)                                                   \
  REGRAIN_OFFER_NEIGHBOURS(ACTIVATION, T, 256, 2, true);                                           \
  REGRAIN_OFFER_NEIGHBOURS(ACTIVATION, T, 256, 4, false);                                          \
  REGRAIN_OFFER_NEIGHBOURS(ACTIVATION, T, 128, 4, true);                                           \
  REGRAIN_OFFER_NEIGHBOURS(ACTIVATION, T, 128, 8, false);                                          \
  REGRAIN_VARIANT((actAndMulToken<ACTIVATION, T>), (actAndMulTokenKept<ACTIVATION, T, 1024, 8>),   \
                  (rowsInBlocks<1024, 8, T>));                                                     \
  REGRAIN_OFFER_LANES(ACTIVATION, T, 1, 4);                                                        \
  REGRAIN_OFFER_LANES(ACTIVATION, T, 4, 4);                                                        \
  REGRAIN_OFFER_LANES(ACTIVATION, T, 4, 8)

REGRAIN_OFFER_ACTIVATIONS(REGRAIN_SILU, __half);
REGRAIN_OFFER_ACTIVATIONS(REGRAIN_SILU, __nv_bfloat16);
REGRAIN_OFFER_ACTIVATIONS(REGRAIN_GELU_TANH, __half);
REGRAIN_OFFER_ACTIVATIONS(REGRAIN_GELU_TANH, __nv_bfloat16);

#undef REGRAIN_OFFER_ACTIVATIONS
#undef REGRAIN_OFFER_LANES
#undef REGRAIN_OFFER_NEIGHBOURS

} // namespace regrain::kernels
