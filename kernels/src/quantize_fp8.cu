//===- quantize_fp8.cu - Short numbers to fp8 -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread for each element, or a block for each row that has a scale of its own.
//
//===----------------------------------------------------------------------===//
#include "early_launch.h"
#include "numbers.h"
#include "status.h"
#include "trees.h"

namespace regrain::kernels {

template <class T>
__global__ void quantizeTensor(unsigned char *__restrict__ out, const float *__restrict__ scales,
                               const T *__restrict__ input, size_t count) {
  awaitLaunchInFront();
  size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = toFp8(toFloat(input[i]) * (1 / scales[0]));
}

template <class T>
__global__ void quantizeToken(unsigned char *__restrict__ out, float *__restrict__ scales,
                              const T *__restrict__ input, int columns) {
  awaitLaunchInFront();
  __shared__ float largest[threadsOfRow];
  size_t row = static_cast<size_t>(blockIdx.x) * columns;
  float most = 0;
  for (int i = threadIdx.x; i < columns; i += threadsOfRow)
    most = fmaxf(most, fabsf(toFloat(input[row + i])));
  float scale = scaleFor(largestOfGroup<threadsOfRow>(largest, most, threadIdx.x));
  float inverse = 1 / scale;
  if (threadIdx.x == 0)
    scales[blockIdx.x] = scale;
  for (int i = threadIdx.x; i < columns; i += threadsOfRow)
    out[row + i] = toFp8(toFloat(input[row + i]) * inverse);
}

/// A block has 128 columns of a row. Where all of them are there (`isWhole`), nothing is guarded.
template <bool isWhole, class T>
__global__ void quantizeBlock(unsigned char *__restrict__ out, float *__restrict__ scales,
                              const T *__restrict__ input, int columns) {
  awaitLaunchInFront();
  __shared__ float largest[scaledColumns];
  int blocksForRow = isWhole ? columns / scaledColumns : columns / scaledColumns + 1;
  int row = blockIdx.x / blocksForRow, first = blockIdx.x % blocksForRow * scaledColumns;
  size_t begin = static_cast<size_t>(row) * columns + first;
  bool isInside = isWhole || first + static_cast<int>(threadIdx.x) < columns;
  float x = 0;
  if (isInside)
    x = toFloat(input[begin + threadIdx.x]);
  float scale = scaleFor(largestOfGroup<scaledColumns>(largest, fabsf(x), threadIdx.x));
  if (threadIdx.x == 0)
    scales[blockIdx.x] = scale;
  if (isInside)
    out[begin + threadIdx.x] = toFp8(x * (1 / scale));
}

template <class T>
static RegrainStatus quantize(void *to, float *scales, const void *from, int64_t rows,
                              int64_t columns, RegrainScaling scaling, cudaStream_t stream) {
  const char *function = "regrainQuantizeFp8";
  auto *out = static_cast<unsigned char *>(to);
  auto *input = static_cast<const T *>(from);
  int width = static_cast<int>(columns);
  int64_t count = rows * columns;
  switch (scaling) {
  case REGRAIN_SCALE_TENSOR:
    REGRAIN_LAUNCH_EARLY(quantizeTensor<T>,
                         static_cast<unsigned>((count + threadsOfElements - 1) / threadsOfElements),
                         threadsOfElements, 0, stream, out, scales, input,
                         static_cast<size_t>(count));
    break;
  case REGRAIN_SCALE_TOKEN:
    REGRAIN_LAUNCH_EARLY(quantizeToken<T>, static_cast<unsigned>(rows), threadsOfRow, 0, stream,
                         out, scales, input, width);
    break;
  case REGRAIN_SCALE_BLOCK: {
    auto *kernel = width % scaledColumns == 0 ? quantizeBlock<true, T> : quantizeBlock<false, T>;
    REGRAIN_LAUNCH_EARLY(kernel, static_cast<unsigned>(rows * blocksOfScales(columns)),
                         scaledColumns, 0, stream, out, scales, input, width);
    break;
  }
  default:
    return fail(REGRAIN_INVALID_VALUE, "%s: scaling is %d", function, scaling);
  }
  return launched(function);
}

} // namespace regrain::kernels

using namespace regrain::kernels;

extern "C" RegrainStatus regrainQuantizeFp8(void *out, float *scales, const void *input,
                                            int64_t rows, int64_t columns, RegrainType type,
                                            RegrainScaling scaling, RegrainStream stream) {
  RowsToFp8 all{"regrainQuantizeFp8",    out, scales, input, rows, columns,
                blocksOfScales(columns), type};
  REGRAIN_CHECK(checkRows(all));
  if (all.areEmpty())
    return REGRAIN_SUCCESS;
  auto launch = type == REGRAIN_FLOAT16 ? quantize<__half> : quantize<__nv_bfloat16>;
  return launch(out, scales, input, rows, columns, scaling, static_cast<cudaStream_t>(stream));
}
