//===- extensions.h - What BLAS has not -------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/libraries/cublas/level2.h"
#include "runtime/libraries/cublas/level3.h"

namespace regrain::cublas {

/// Returns element (i, j) of op(A).
template <class N> N elementOf(cublasOperation_t op, const N *A, int lda, int i, int j) {
  if (op == CUBLAS_OP_N)
    return A[i + size_t(j) * lda];
  N element = A[j + size_t(i) * lda];
  if constexpr (!std::is_arithmetic_v<N>)
    if (op == CUBLAS_OP_C)
      element = std::conj(element);
  return element;
}

/// C = alpha op(A) + beta op(B). A matrix whose factor is 0 is not read. C may be A or B if that
/// is not transposed.
template <class T>
cublasStatus_t geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                    int m, int n, const T *alpha, const T *A, int lda, const T *beta, const T *B,
                    int ldb, T *C, int ldc) {
  Scalar a(handle, alpha), b(handle, beta);
  bool isValid = areKnown(transa, transb) && areSizes({m, n}) &&
                 holdsRows(lda, transa == CUBLAS_OP_N ? m : n) &&
                 holdsRows(ldb, transb == CUBLAS_OP_N ? m : n) && holdsRows(ldc, m) &&
                 a.isGiven() && b.isGiven() && (A != C || (transa == CUBLAS_OP_N && lda == ldc)) &&
                 (B != C || (transb == CUBLAS_OP_N && ldb == ldc));
  return run(handle, isValid, [=] {
    using N = Number<T>;
    N factorA = *numbers(a.get()), factorB = *numbers(b.get());
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        N value = {};
        if (factorA != N())
          value += factorA * elementOf(transa, numbers(A), lda, i, j);
        if (factorB != N())
          value += factorB * elementOf(transb, numbers(B), ldb, i, j);
        numbers(C)[i + size_t(j) * ldc] = value;
      }
  });
}

/// C = A diag(x), or diag(x) A.
template <class T>
cublasStatus_t dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T *A, int lda,
                    const T *x, int incx, T *C, int ldc) {
  bool isValid = isKnown(side) && areSizes({m, n}) && holdsRows(lda, m) && holdsRows(ldc, m);
  return run(handle, isValid, [=] {
    bool scalesRows = side == CUBLAS_SIDE_LEFT;
    int length = scalesRows ? m : n;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        numbers(C)[i + size_t(j) * ldc] = numbers(A)[i + size_t(j) * lda] *
                                          elementOf(numbers(x), length, incx, scalesRows ? i : j);
  });
}

/// Calls `visit(index in the packed triangle, row, column)`.
template <class Visit> void forPacked(cublasFillMode_t uplo, int n, Visit visit) {
  size_t packed = 0;
  bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  for (int j = 0; j < n; ++j)
    for (int i = upper ? 0 : j; i < (upper ? j + 1 : n); ++i)
      visit(packed++, i, j);
}

template <class T>
cublasStatus_t tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *packed, T *A,
                     int lda) {
  return run(handle, isKnown(uplo) && areSizes({n}) && holdsRows(lda, n), [=] {
    forPacked(uplo, n, [=](size_t at, int i, int j) {
      numbers(A)[i + size_t(j) * lda] = numbers(packed)[at];
    });
  });
}

template <class T>
cublasStatus_t trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *A, int lda,
                     T *packed) {
  return run(handle, isKnown(uplo) && areSizes({n}) && holdsRows(lda, n), [=] {
    forPacked(uplo, n, [=](size_t at, int i, int j) {
      numbers(packed)[at] = numbers(A)[i + size_t(j) * lda];
    });
  });
}

} // namespace regrain::cublas
