//===- activation_fp8.cu - Activation, product and fp8 -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread for each element. Where a row has a scale of its own, a block has a row and
// computes each product twice: first for the largest magnitude.
//
//===----------------------------------------------------------------------===//
#include "activation.h"
#include "early_launch.h"
#include "numbers.h"
#include "status.h"
#include "trees.h"

namespace regrain::kernels {

/// Returns the product of input[i] and what lies a row of the result behind it.
template <RegrainActivation activation, class T>
__device__ float product(const T *input, int i, int columns) {
  return activate<activation>(toFloat(input[i])) * toFloat(input[columns + i]);
}

template <RegrainActivation activation, class T>
__global__ void actAndMulTensor(unsigned char *__restrict__ out, const float *__restrict__ scales,
                                const T *__restrict__ input, int columns) {
  awaitLaunchInFront();
  int blocksForRow = (columns + threadsOfElements - 1) / threadsOfElements;
  int row = blockIdx.x / blocksForRow;
  int i = blockIdx.x % blocksForRow * threadsOfElements + threadIdx.x;
  const T *inputOfRow = input + static_cast<size_t>(row) * 2 * columns;
  if (i < columns)
    out[static_cast<size_t>(row) * columns + i] =
        toFp8(product<activation>(inputOfRow, i, columns) * (1 / scales[0]));
}

template <RegrainActivation activation, class T>
__global__ void actAndMulToken(unsigned char *__restrict__ out, float *__restrict__ scales,
                               const T *__restrict__ input, int columns) {
  awaitLaunchInFront();
  __shared__ float largest[threadsOfRow];
  const T *inputOfRow = input + static_cast<size_t>(blockIdx.x) * 2 * columns;
  unsigned char *outOfRow = out + static_cast<size_t>(blockIdx.x) * columns;
  float most = 0;
  for (int i = threadIdx.x; i < columns; i += threadsOfRow)
    most = fmaxf(most, fabsf(product<activation>(inputOfRow, i, columns)));
  float scale = scaleFor(largestOfGroup<threadsOfRow>(largest, most, threadIdx.x));
  float inverse = 1 / scale;
  if (threadIdx.x == 0)
    scales[blockIdx.x] = scale;
  for (int i = threadIdx.x; i < columns; i += threadsOfRow)
    outOfRow[i] = toFp8(product<activation>(inputOfRow, i, columns) * inverse);
}

/// A block has 128 columns of a row. Where all of them are there (`isWhole`), nothing is guarded.
template <RegrainActivation activation, bool isWhole, class T>
__global__ void actAndMulBlock(unsigned char *__restrict__ out, float *__restrict__ scales,
                               const T *__restrict__ input, int columns) {
  awaitLaunchInFront();
  __shared__ float largest[scaledColumns];
  int blocksForRow = isWhole ? columns / scaledColumns : columns / scaledColumns + 1;
  int row = blockIdx.x / blocksForRow, first = blockIdx.x % blocksForRow * scaledColumns;
  const T *inputOfBlock = input + static_cast<size_t>(row) * 2 * columns + first;
  unsigned char *outOfBlock = out + static_cast<size_t>(row) * columns + first;
  bool isInside = isWhole || first + static_cast<int>(threadIdx.x) < columns;
  float y = 0;
  if (isInside)
    y = product<activation>(inputOfBlock, threadIdx.x, columns);
  float scale = scaleFor(largestOfGroup<scaledColumns>(largest, fabsf(y), threadIdx.x));
  if (threadIdx.x == 0)
    scales[blockIdx.x] = scale;
  if (isInside)
    outOfBlock[threadIdx.x] = toFp8(y * (1 / scale));
}

} // namespace regrain::kernels

#if __has_include(<regrain/variants.h>)
#include "activation_variants.h"
#endif

namespace regrain::kernels {

template <RegrainActivation activation, class T>
static RegrainStatus actAndMul(void *to, float *scales, const void *from, int64_t rows,
                               int64_t columns, RegrainScaling scaling, cudaStream_t stream) {
  const char *function = "regrainActivationAndMulFp8";
  auto *out = static_cast<unsigned char *>(to);
  auto *input = static_cast<const T *>(from);
  int width = static_cast<int>(columns);
  unsigned blocks = static_cast<unsigned>(rows * blocksOfScales(columns));
  switch (scaling) {
  case REGRAIN_SCALE_TENSOR:
    REGRAIN_LAUNCH_EARLY(
        (actAndMulTensor<activation, T>),
        static_cast<unsigned>(rows * ((columns + threadsOfElements - 1) / threadsOfElements)),
        threadsOfElements, 0, stream, out, scales, input, width);
    break;
  case REGRAIN_SCALE_TOKEN:
    REGRAIN_LAUNCH_EARLY((actAndMulToken<activation, T>), static_cast<unsigned>(rows), threadsOfRow,
                         0, stream, out, scales, input, width);
    break;
  case REGRAIN_SCALE_BLOCK: {
    auto *kernel = width % scaledColumns == 0 ? actAndMulBlock<activation, true, T>
                                              : actAndMulBlock<activation, false, T>;
    REGRAIN_LAUNCH_EARLY(kernel, blocks, scaledColumns, 0, stream, out, scales, input, width);
    break;
  }
  default:
    return fail(REGRAIN_INVALID_VALUE, "%s: scaling is %d", function, scaling);
  }
  return launched(function);
}

} // namespace regrain::kernels

using namespace regrain::kernels;

extern "C" RegrainStatus regrainActivationAndMulFp8(void *out, float *scales, const void *input,
                                                    int64_t rows, int64_t columns,
                                                    RegrainActivation activation, RegrainType type,
                                                    RegrainScaling scaling, RegrainStream stream) {
  RowsToFp8 all{"regrainActivationAndMulFp8", out, scales, input, rows, columns,
                blocksOfScales(columns),      type};
  REGRAIN_CHECK(checkRows(all));
  if (activation != REGRAIN_SILU && activation != REGRAIN_GELU_TANH)
    return fail(REGRAIN_INVALID_VALUE, "%s: activation is %d, which is not SiLU or GELU by tanh",
                all.function, activation);
  if (all.areEmpty())
    return REGRAIN_SUCCESS;
  bool isHalf = type == REGRAIN_FLOAT16;
  auto launch =
      activation == REGRAIN_SILU
          ? (isHalf ? actAndMul<REGRAIN_SILU, __half> : actAndMul<REGRAIN_SILU, __nv_bfloat16>)
          : (isHalf ? actAndMul<REGRAIN_GELU_TANH, __half>
                    : actAndMul<REGRAIN_GELU_TANH, __nv_bfloat16>);
  return launch(out, scales, input, rows, columns, scaling, static_cast<cudaStream_t>(stream));
}
