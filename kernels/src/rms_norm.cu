//===- rms_norm.cu - Residual, RMS norm, weight and fp8 -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block for each row. Its threads share the columns, add the squares in a tree in
// shared memory, and walk over the row once more. The row's sum with the residual is
// kept where the residual lies.
//
//===----------------------------------------------------------------------===//
#include "early_launch.h"
#include "numbers.h"
#include "status.h"
#include "trees.h"

namespace regrain::kernels {

constexpr int mostThreads = 1024;

/// Returns a column of the row, with the residual added and rounded, which becomes the residual.
template <class T, bool hasResidual>
__device__ float addResidual(const T *input, T *residual, size_t at) {
  if (!hasResidual)
    return toFloat(input[at]);
  T sum = fromFloat<T>(toFloat(input[at]) + toFloat(residual[at]));
  residual[at] = sum;
  return toFloat(sum);
}

/// Returns the same again.
template <class T, bool hasResidual>
__device__ float sumWithResidual(const T *input, const T *residual, size_t at) {
  return toFloat(hasResidual ? residual[at] : input[at]);
}

template <class T, bool hasResidual>
__global__ void rmsNormTensor(unsigned char *__restrict__ out, const float *__restrict__ scales,
                              const T *__restrict__ input, T *__restrict__ residual,
                              const T *__restrict__ weight, int columns, float epsilon) {
  awaitLaunchInFront();
  __shared__ float sums[mostThreads];
  size_t row = static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    float z = addResidual<T, hasResidual>(input, residual, row + i);
    sum += z * z;
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      sums[threadIdx.x] += sums[threadIdx.x + s];
    __syncthreads();
  }
  float factor = rsqrtf(sums[0] / columns + epsilon);
  float inverse = 1 / scales[0];
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    float z = sumWithResidual<T, hasResidual>(input, residual, row + i);
    out[row + i] = toFp8(z * toFloat(weight[i]) * factor * inverse);
  }
}

/// The largest magnitude is found with the sum: a common positive factor changes no order.
template <class T, bool hasResidual>
__global__ void rmsNormToken(unsigned char *__restrict__ out, float *__restrict__ scales,
                             const T *__restrict__ input, T *__restrict__ residual,
                             const T *__restrict__ weight, int columns, float epsilon) {
  awaitLaunchInFront();
  __shared__ float sums[mostThreads];
  __shared__ float largest[mostThreads];
  size_t row = static_cast<size_t>(blockIdx.x) * columns;
  float sum = 0, most = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    float z = addResidual<T, hasResidual>(input, residual, row + i);
    sum += z * z;
    most = fmaxf(most, fabsf(z * toFloat(weight[i])));
  }
  sums[threadIdx.x] = sum;
  largest[threadIdx.x] = most;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) {
      sums[threadIdx.x] += sums[threadIdx.x + s];
      largest[threadIdx.x] = fmaxf(largest[threadIdx.x], largest[threadIdx.x + s]);
    }
    __syncthreads();
  }
  float factor = rsqrtf(sums[0] / columns + epsilon);
  float scale = scaleFor(largest[0] * factor);
  float inverse = 1 / scale;
  if (threadIdx.x == 0)
    scales[blockIdx.x] = scale;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    float z = sumWithResidual<T, hasResidual>(input, residual, row + i);
    out[row + i] = toFp8(z * toFloat(weight[i]) * factor * inverse);
  }
}

/// 128 neighbouring threads find the largest magnitude of their 128 columns.
template <class T, bool hasResidual>
__global__ void rmsNormBlock(unsigned char *__restrict__ out, float *__restrict__ scales,
                             const T *__restrict__ input, T *__restrict__ residual,
                             const T *__restrict__ weight, int columns, float epsilon) {
  awaitLaunchInFront();
  __shared__ float sums[mostThreads];
  __shared__ float largest[mostThreads];
  size_t row = static_cast<size_t>(blockIdx.x) * columns;
  float *scalesOfRow =
      scales + static_cast<size_t>(blockIdx.x) * ((columns + scaledColumns - 1) / scaledColumns);
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    float z = addResidual<T, hasResidual>(input, residual, row + i);
    sum += z * z;
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      sums[threadIdx.x] += sums[threadIdx.x + s];
    __syncthreads();
  }
  float factor = rsqrtf(sums[0] / columns + epsilon);
  unsigned place = threadIdx.x % scaledColumns;
  for (int first = 0; first < columns; first += blockDim.x) {
    int i = first + threadIdx.x;
    float y = 0;
    if (i < columns)
      y = sumWithResidual<T, hasResidual>(input, residual, row + i) * toFloat(weight[i]) * factor;
    float scale = scaleFor(largestOfGroup<scaledColumns>(largest, fabsf(y), place));
    __syncthreads();
    if (i < columns) {
      if (place == 0)
        scalesOfRow[i / scaledColumns] = scale;
      out[row + i] = toFp8(y * (1 / scale));
    }
  }
}

} // namespace regrain::kernels

#if __has_include(<regrain/variants.h>)
#include "rms_norm_variants.h"
#endif

namespace regrain::kernels {

#define REGRAIN_LAUNCH(KERNEL, COLUMNS, THREADS)                                                   \
  REGRAIN_LAUNCH_EARLY((KERNEL<T, hasResidual>), static_cast<unsigned>(rows), THREADS, 0, stream,  \
                       out, scales, input, residual, weight, COLUMNS, epsilon)
/// The widths of common models appear as constants, so that a compiler can see them.
#define REGRAIN_LAUNCH_ROWS(KERNEL)                                                                \
  if (columns == 16384)                                                                            \
    REGRAIN_LAUNCH(KERNEL, 16384, 1024);                                                           \
  else if (columns == 4096)                                                                        \
    REGRAIN_LAUNCH(KERNEL, 4096, 1024);                                                            \
  else                                                                                             \
    REGRAIN_LAUNCH(KERNEL, static_cast<int>(columns), threadsForRow(columns, scaledColumns))

template <class T, bool hasResidual>
static RegrainStatus rmsNorm(void *to, float *scales, const void *from, void *added,
                             const void *weights, int64_t rows, int64_t columns, float epsilon,
                             RegrainScaling scaling, cudaStream_t stream) {
  const char *function = "regrainRmsNormFp8";
  auto *out = static_cast<unsigned char *>(to);
  auto *input = static_cast<const T *>(from), *weight = static_cast<const T *>(weights);
  auto *residual = static_cast<T *>(added);
  REGRAIN_CHECK(checkPointer(function, "weight", weight, sizeof(T)));
  if (hasResidual)
    REGRAIN_CHECK(checkPointer(function, "residual", residual, sizeof(T)));
  switch (scaling) {
  case REGRAIN_SCALE_TENSOR:
    REGRAIN_LAUNCH_ROWS(rmsNormTensor);
    break;
  case REGRAIN_SCALE_TOKEN:
    REGRAIN_LAUNCH_ROWS(rmsNormToken);
    break;
  case REGRAIN_SCALE_BLOCK:
    REGRAIN_LAUNCH_ROWS(rmsNormBlock);
    break;
  default:
    return fail(REGRAIN_INVALID_VALUE, "%s: scaling is %d", function, scaling);
  }
  return launched(function);
}

} // namespace regrain::kernels

using namespace regrain::kernels;

extern "C" RegrainStatus regrainRmsNormFp8(void *out, float *scales, const void *input,
                                           void *residual, const void *weight, int64_t rows,
                                           int64_t columns, float epsilon, RegrainType type,
                                           RegrainScaling scaling, RegrainStream stream) {
  RowsToFp8 all{"regrainRmsNormFp8", out, scales, input, rows, columns, 1, type};
  REGRAIN_CHECK(checkRows(all));
  if (all.areEmpty())
    return REGRAIN_SUCCESS;
  auto launch = type == REGRAIN_FLOAT16
                    ? (residual ? rmsNorm<__half, true> : rmsNorm<__half, false>)
                    : (residual ? rmsNorm<__nv_bfloat16, true> : rmsNorm<__nv_bfloat16, false>);
  return launch(out, scales, input, residual, weight, rows, columns, epsilon, scaling,
                static_cast<cudaStream_t>(stream));
}
