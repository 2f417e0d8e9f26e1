//===- level3.h - Matrices --------------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/libraries/cublas/fortran.h"
#include "runtime/libraries/cublas/handle.h"

#include <vector>

namespace regrain::cublas {

REGRAIN_SUBROUTINE(Gemm, sgemm, dgemm, cgemm, zgemm)
REGRAIN_SUBROUTINE(Symm, ssymm, dsymm, csymm, zsymm)
REGRAIN_SUBROUTINE(Hemm, ssymm, dsymm, chemm, zhemm)
REGRAIN_SUBROUTINE(Syrk, ssyrk, dsyrk, csyrk, zsyrk)
REGRAIN_SUBROUTINE(Herk, ssyrk, dsyrk, cherk, zherk)
REGRAIN_SUBROUTINE(Syr2k, ssyr2k, dsyr2k, csyr2k, zsyr2k)
REGRAIN_SUBROUTINE(Her2k, ssyr2k, dsyr2k, cher2k, zher2k)
REGRAIN_SUBROUTINE(Trmm, strmm, dtrmm, ctrmm, ztrmm)
REGRAIN_SUBROUTINE(Trsm, strsm, dtrsm, ctrsm, ztrsm)

/// The sizes and flags of C = alpha op(A) op(B) + beta C.
struct Product {
  cublasOperation_t transa, transb;
  int m, n, k, lda, ldb, ldc;

  int rowsOfA() const { return transa == CUBLAS_OP_N ? m : k; }
  int colsOfA() const { return transa == CUBLAS_OP_N ? k : m; }
  int rowsOfB() const { return transb == CUBLAS_OP_N ? k : n; }
  int colsOfB() const { return transb == CUBLAS_OP_N ? n : k; }
  bool isValid() const {
    return areKnown(transa, transb) && areSizes({m, n, k}) && holdsRows(lda, rowsOfA()) &&
           holdsRows(ldb, rowsOfB()) && holdsRows(ldc, m);
  }
};

template <class T>
void multiply(const Product &p, const T *alpha, const T *A, const T *B, const T *beta, T *C) {
  fortran(Gemm::of<T>, flag<T>(p.transa), flag<T>(p.transb), p.m, p.n, p.k, alpha, A, p.lda, B,
          p.ldb, beta, C, p.ldc);
}
/// Half precision is converted, and accumulated in single precision.
void multiply(const Product &p, const __half *alpha, const __half *A, const __half *B,
              const __half *beta, __half *C);

template <class T>
cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                    int m, int n, int k, const T *alpha, const T *A, int lda, const T *B, int ldb,
                    const T *beta, T *C, int ldc) {
  Product product = {transa, transb, m, n, k, lda, ldb, ldc};
  Scalar a(handle, alpha), b(handle, beta);
  return run(handle, product.isValid() && a.isGiven() && b.isGiven(),
             [=] { multiply(product, a.get(), A, B, b.get(), C); });
}

/// A product with a symmetric or Hermitian matrix.
template <class Routine, class T>
cublasStatus_t symmetricProduct(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                                int m, int n, const T *alpha, const T *A, int lda, const T *B,
                                int ldb, const T *beta, T *C, int ldc) {
  Scalar a(handle, alpha), b(handle, beta);
  bool isValid = areKnown(side, uplo) && areSizes({m, n}) &&
                 holdsRows(lda, side == CUBLAS_SIDE_LEFT ? m : n) && holdsRows(ldb, m) &&
                 holdsRows(ldc, m) && a.isGiven() && b.isGiven();
  return run(handle, isValid, [=] {
    fortran(Routine::template of<T>, flag(side), flag(uplo), m, n, a.get(), A, lda, B, ldb, b.get(),
            C, ldc);
  });
}

template <class... Args> cublasStatus_t symm(Args... args) {
  return symmetricProduct<Symm>(args...);
}
template <class... Args> cublasStatus_t hemm(Args... args) {
  return symmetricProduct<Hemm>(args...);
}

/// Returns whether a symmetric (Hermitian) update knows the operation: a complex matrix can only be
/// transposed (conjugated).
template <class T> bool isUpdateOperation(cublasOperation_t trans, bool hermitian) {
  if (!isComplex<T> || trans == CUBLAS_OP_N)
    return isKnown(trans);
  return trans == (hermitian ? CUBLAS_OP_C : CUBLAS_OP_T);
}

/// C = alpha A A' + beta C for a symmetric or Hermitian C.
template <class Routine, bool hermitian, class T, class Factor>
cublasStatus_t rankK(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,
                     int k, const Factor *alpha, const T *A, int lda, const Factor *beta, T *C,
                     int ldc) {
  Scalar a(handle, alpha), b(handle, beta);
  bool isValid = isKnown(uplo) && isUpdateOperation<T>(trans, hermitian) && areSizes({n, k}) &&
                 holdsRows(lda, trans == CUBLAS_OP_N ? n : k) && holdsRows(ldc, n) && a.isGiven() &&
                 b.isGiven();
  return run(handle, isValid, [=] {
    fortran(Routine::template of<T>, flag(uplo), flag<T>(trans), n, k, a.get(), A, lda, b.get(), C,
            ldc);
  });
}

template <class... Args> cublasStatus_t syrk(Args... args) { return rankK<Syrk, false>(args...); }
template <class... Args> cublasStatus_t herk(Args... args) { return rankK<Herk, true>(args...); }

/// C = alpha A B' + alpha' B A' + beta C.
template <class Routine, bool hermitian, class T, class Factor>
cublasStatus_t rank2K(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,
                      int k, const T *alpha, const T *A, int lda, const T *B, int ldb,
                      const Factor *beta, T *C, int ldc) {
  Scalar a(handle, alpha);
  Scalar b(handle, beta);
  int rows = trans == CUBLAS_OP_N ? n : k;
  bool isValid = isKnown(uplo) && isUpdateOperation<T>(trans, hermitian) && areSizes({n, k}) &&
                 holdsRows(lda, rows) && holdsRows(ldb, rows) && holdsRows(ldc, n) && a.isGiven() &&
                 b.isGiven();
  return run(handle, isValid, [=] {
    fortran(Routine::template of<T>, flag(uplo), flag<T>(trans), n, k, a.get(), A, lda, B, ldb,
            b.get(), C, ldc);
  });
}

template <class... Args> cublasStatus_t syr2k(Args... args) {
  return rank2K<Syr2k, false>(args...);
}
template <class... Args> cublasStatus_t her2k(Args... args) { return rank2K<Her2k, true>(args...); }

/// Computes C = alpha A B' + beta C in the triangle of C, by way of the whole product.
template <bool hermitian, class T, class Factor>
void multiplyTriangle(cublasFillMode_t uplo, const Product &whole, const T *alpha, const T *A,
                      const T *B, Factor beta, T *C, int ldc) {
  int n = whole.n;
  std::vector<T> product(size_t(n) * n);
  const T zero = {};
  multiply(whole, alpha, A, B, &zero, product.data());
  bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  for (int j = 0; j < n; ++j)
    for (int i = upper ? 0 : j; i < (upper ? j + 1 : n); ++i) {
      Number<T> value = numbers(product.data())[i + size_t(j) * n];
      Number<T> &out = numbers(C)[i + size_t(j) * ldc];
      if (beta != Factor())
        value += beta * out;
      if constexpr (hermitian)
        if (i == j)
          value = value.real();
      out = value;
    }
}

template <bool hermitian, class T, class Factor>
cublasStatus_t rankKTwoMatrices(cublasHandle_t handle, cublasFillMode_t uplo,
                                cublasOperation_t trans, int n, int k, const T *alpha, const T *A,
                                int lda, const T *B, int ldb, const Factor *beta, T *C, int ldc) {
  Scalar a(handle, alpha);
  Scalar b(handle, beta);
  constexpr cublasOperation_t transposed = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
  bool isPlain = trans == CUBLAS_OP_N;
  Product whole = {isPlain ? CUBLAS_OP_N : transposed,
                   isPlain ? transposed : CUBLAS_OP_N,
                   n,
                   n,
                   k,
                   lda,
                   ldb,
                   std::max(1, n)};
  bool isValid = isKnown(uplo) && isUpdateOperation<T>(trans, hermitian) && whole.isValid() &&
                 holdsRows(ldc, n) && a.isGiven() && b.isGiven();
  return run(handle, isValid, [=] {
    multiplyTriangle<hermitian>(uplo, whole, a.get(), A, B, *numbers(b.get()), C, ldc);
  });
}

template <class... Args> cublasStatus_t syrkx(Args... args) {
  return rankKTwoMatrices<false>(args...);
}
template <class... Args> cublasStatus_t herkx(Args... args) {
  return rankKTwoMatrices<true>(args...);
}

template <class T> void copyMatrix(int rows, int cols, const T *from, int ldFrom, T *to, int ldTo) {
  for (int j = 0; j < cols; ++j)
    std::copy_n(numbers(from) + size_t(j) * ldFrom, rows, numbers(to) + size_t(j) * ldTo);
}

inline bool isTriangularProduct(cublasSideMode_t side, cublasFillMode_t uplo,
                                cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                                int lda, int ldb) {
  return areKnown(side, uplo, trans, diag) && areSizes({m, n}) &&
         holdsRows(lda, side == CUBLAS_SIDE_LEFT ? m : n) && holdsRows(ldb, m);
}

/// C may be B.
template <class T>
cublasStatus_t trmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T *alpha,
                    const T *A, int lda, const T *B, int ldb, T *C, int ldc) {
  Scalar a(handle, alpha);
  bool isValid = isTriangularProduct(side, uplo, trans, diag, m, n, lda, ldb) &&
                 holdsRows(ldc, m) && a.isGiven() && (B != C || ldb == ldc);
  return run(handle, isValid, [=] {
    if (B != C)
      copyMatrix(m, n, B, ldb, C, ldc);
    fortran(Trmm::of<T>, flag(side), flag(uplo), flag<T>(trans), flag(diag), m, n, a.get(), A, lda,
            C, ldc);
  });
}

template <class T>
void solveTriangular(cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
                     cublasDiagType_t diag, int m, int n, const T *alpha, const T *A, int lda, T *B,
                     int ldb) {
  fortran(Trsm::of<T>, flag(side), flag(uplo), flag<T>(trans), flag(diag), m, n, alpha, A, lda, B,
          ldb);
}

template <class T>
cublasStatus_t trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T *alpha,
                    const T *A, int lda, T *B, int ldb) {
  Scalar a(handle, alpha);
  bool isValid = isTriangularProduct(side, uplo, trans, diag, m, n, lda, ldb) && a.isGiven();
  return run(handle, isValid,
             [=] { solveTriangular(side, uplo, trans, diag, m, n, a.get(), A, lda, B, ldb); });
}

} // namespace regrain::cublas
