//===- copies.cpp - Copies of vectors and matrices ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cublas/handle.h"

#include <algorithm>

using regrain::cublas::statusOf;

namespace {

/// A vector is a matrix with one row, whose columns are `step` elements apart.
cudaError_t copy(int64_t rows, int64_t cols, int64_t bytes, const void *from, int64_t fromStep,
                 void *to, int64_t toStep, cudaMemcpyKind kind, bool isAsync, cudaStream_t stream) {
  if (rows < 0 || cols < 0 || bytes <= 0 || fromStep < std::max<int64_t>(1, rows) ||
      toStep < std::max<int64_t>(1, rows))
    return cudaErrorInvalidValue;
  if (rows == 0 || cols == 0)
    return cudaSuccess;
  return isAsync
             ? cudaMemcpy2DAsync(to, toStep * bytes, from, fromStep * bytes, rows * bytes, cols,
                                 kind, stream)
             : cudaMemcpy2D(to, toStep * bytes, from, fromStep * bytes, rows * bytes, cols, kind);
}

} // namespace

#define REGRAIN_COPIES(DIRECTION, KIND, INT, SUFFIX)                                               \
  cublasStatus_t cublas##DIRECTION##Vector##SUFFIX(INT n, INT elemSize, const void *x, INT incx,   \
                                                   void *y, INT incy) {                            \
    return statusOf(copy(1, n, elemSize, x, incx, y, incy, KIND, false, nullptr));                 \
  }                                                                                                \
  cublasStatus_t cublas##DIRECTION##VectorAsync##SUFFIX(                                           \
      INT n, INT elemSize, const void *x, INT incx, void *y, INT incy, cudaStream_t stream) {      \
    return statusOf(copy(1, n, elemSize, x, incx, y, incy, KIND, true, stream));                   \
  }                                                                                                \
  cublasStatus_t cublas##DIRECTION##Matrix##SUFFIX(INT rows, INT cols, INT elemSize,               \
                                                   const void *A, INT lda, void *B, INT ldb) {     \
    return statusOf(copy(rows, cols, elemSize, A, lda, B, ldb, KIND, false, nullptr));             \
  }                                                                                                \
  cublasStatus_t cublas##DIRECTION##MatrixAsync##SUFFIX(INT rows, INT cols, INT elemSize,          \
                                                        const void *A, INT lda, void *B, INT ldb,  \
                                                        cudaStream_t stream) {                     \
    return statusOf(copy(rows, cols, elemSize, A, lda, B, ldb, KIND, true, stream));               \
  }

REGRAIN_COPIES(Set, cudaMemcpyHostToDevice, int, )
REGRAIN_COPIES(Get, cudaMemcpyDeviceToHost, int, )
REGRAIN_COPIES(Set, cudaMemcpyHostToDevice, int64_t, _64)
REGRAIN_COPIES(Get, cudaMemcpyDeviceToHost, int64_t, _64)
