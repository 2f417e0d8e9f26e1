//===- batched.h - Many small problems in one call --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A batch is a list of addresses, which are read when the work runs, or one address and a distance.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/libraries/cublas/level2.h"
#include "runtime/libraries/cublas/level3.h"
#include "runtime/libraries/stream/parallel.h"

namespace regrain::cublas {

/// Calls `one(i)` for each product of a batch. BLAS uses threads for large ones.
template <class One> void forProducts(const Product &p, int count, One one) {
  constexpr double largest = 1 << 18;
  double operations = double(p.m) * p.n * p.k;
  if (operations < largest) {
    libraries::forEach(count, operations, one);
    return;
  }
  for (int i = 0; i < count; ++i)
    one(i);
}

template <class T>
cublasStatus_t gemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const T *alpha,
                           const T *const A[], int lda, const T *const B[], int ldb, const T *beta,
                           T *const C[], int ldc, int count) {
  Product product = {transa, transb, m, n, k, lda, ldb, ldc};
  Scalar a(handle, alpha), b(handle, beta);
  bool isValid = product.isValid() && count >= 0 && a.isGiven() && b.isGiven();
  return run(handle, isValid, [=] {
    forProducts(product, count,
                [=](int i) { multiply(product, a.get(), A[i], B[i], b.get(), C[i]); });
  });
}

template <class T>
cublasStatus_t gemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k, const T *alpha,
                                  const T *A, int lda, long long strideA, const T *B, int ldb,
                                  long long strideB, const T *beta, T *C, int ldc,
                                  long long strideC, int count) {
  Product product = {transa, transb, m, n, k, lda, ldb, ldc};
  Scalar a(handle, alpha), b(handle, beta);
  bool isValid = product.isValid() && count >= 0 && a.isGiven() && b.isGiven();
  return run(handle, isValid, [=] {
    forProducts(product, count, [=](int i) {
      multiply(product, a.get(), A + i * strideA, B + i * strideB, b.get(), C + i * strideC);
    });
  });
}

/// Calls `multiplyOne(i)` for each matrix of a batch.
template <class T, class One>
cublasStatus_t runGemvs(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int lda,
                        int incx, int incy, const Scalar<T> &alpha, const Scalar<T> &beta,
                        int count, One multiplyOne) {
  bool isValid = isKnown(trans) && areSizes({m, n, count}) && holdsRows(lda, m) &&
                 areSteps({incx, incy}) && alpha.isGiven() && beta.isGiven();
  return run(handle, isValid, [=] {
    for (int i = 0; i < count; ++i)
      multiplyOne(i);
  });
}

template <class T>
cublasStatus_t gemvBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                           const T *alpha, const T *const A[], int lda, const T *const x[],
                           int incx, const T *beta, T *const y[], int incy, int count) {
  Scalar a(handle, alpha), b(handle, beta);
  return runGemvs(handle, trans, m, n, lda, incx, incy, a, b, count, [=](int i) {
    fortran(Gemv::of<T>, flag<T>(trans), m, n, a.get(), A[i], lda, x[i], incx, b.get(), y[i], incy);
  });
}

template <class T>
cublasStatus_t gemvStridedBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                                  const T *alpha, const T *A, int lda, long long strideA,
                                  const T *x, int incx, long long strideX, const T *beta, T *y,
                                  int incy, long long strideY, int count) {
  Scalar a(handle, alpha), b(handle, beta);
  return runGemvs(handle, trans, m, n, lda, incx, incy, a, b, count, [=](int i) {
    fortran(Gemv::of<T>, flag<T>(trans), m, n, a.get(), A + i * strideA, lda, x + i * strideX, incx,
            b.get(), y + i * strideY, incy);
  });
}

template <class T>
cublasStatus_t trsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                           cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                           const T *alpha, const T *const A[], int lda, T *const B[], int ldb,
                           int count) {
  Scalar a(handle, alpha);
  bool isValid =
      isTriangularProduct(side, uplo, trans, diag, m, n, lda, ldb) && count >= 0 && a.isGiven();
  return run(handle, isValid, [=] {
    for (int i = 0; i < count; ++i)
      solveTriangular(side, uplo, trans, diag, m, n, a.get(), A[i], lda, B[i], ldb);
  });
}

} // namespace regrain::cublas
