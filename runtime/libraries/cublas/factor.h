//===- factor.h - Factors of the matrices of a batch ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/libraries/cublas/level3.h"

namespace regrain::cublas {

REGRAIN_SUBROUTINE(Getrf, sgetrf, dgetrf, cgetrf, zgetrf)
REGRAIN_SUBROUTINE(Getri, sgetri, dgetri, cgetri, zgetri)
REGRAIN_SUBROUTINE(Getrs, sgetrs, dgetrs, cgetrs, zgetrs)
REGRAIN_SUBROUTINE(Geqrf, sgeqrf, dgeqrf, cgeqrf, zgeqrf)
REGRAIN_SUBROUTINE(Gels, sgels, dgels, cgels, zgels)

/// A = L U without exchange of rows. Returns 0, or the number of the first pivot that is zero.
template <class T> int factorWithoutPivots(int n, T *matrix, int lda) {
  Number<T> *A = numbers(matrix);
  int firstZero = 0;
  for (int k = 0; k < n; ++k) {
    Number<T> pivot = A[k + size_t(k) * lda];
    if (pivot == Number<T>()) {
      firstZero = firstZero ? firstZero : k + 1;
      continue;
    }
    for (int i = k + 1; i < n; ++i)
      A[i + size_t(k) * lda] /= pivot;
    for (int j = k + 1; j < n; ++j)
      for (int i = k + 1; i < n; ++i)
        A[i + size_t(j) * lda] -= A[i + size_t(k) * lda] * A[k + size_t(j) * lda];
  }
  return firstZero;
}

/// `pivots` has n rows for each matrix; null asks for factors without exchange of rows.
template <class T>
cublasStatus_t getrfBatched(cublasHandle_t handle, int n, T *const A[], int lda, int *pivots,
                            int *info, int count) {
  bool isValid = areSizes({n, count}) && holdsRows(lda, n);
  return run(handle, isValid, [=] {
    for (int i = 0; i < count; ++i)
      if (pivots)
        fortran(Getrf::of<T>, n, n, A[i], lda, pivots + size_t(i) * n, info + i);
      else
        info[i] = factorWithoutPivots(n, A[i], lda);
  });
}

/// C = inverse of the factored A. Returns 0, or the number of the pivot that is zero.
template <class T> int invert(int n, const T *A, int lda, const int *pivots, T *C, int ldc) {
  std::vector<int> identity(pivots ? 0 : n);
  for (int i = 0; i < int(identity.size()); ++i)
    identity[i] = i + 1;
  copyMatrix(n, n, A, lda, C, ldc);
  int info = 0, workSize = std::max(1, n * 32);
  std::vector<T> work(workSize);
  fortran(Getri::of<T>, n, C, ldc, pivots ? pivots : identity.data(), work.data(), workSize, &info);
  return info;
}

template <class T>
cublasStatus_t getriBatched(cublasHandle_t handle, int n, const T *const A[], int lda,
                            const int *pivots, T *const C[], int ldc, int *info, int count) {
  bool isValid = areSizes({n, count}) && holdsRows(lda, n) && holdsRows(ldc, n);
  return run(handle, isValid, [=] {
    for (int i = 0; i < count; ++i)
      info[i] = invert(n, A[i], lda, pivots ? pivots + size_t(i) * n : nullptr, C[i], ldc);
  });
}

/// Computes the inverse in C.
template <class T> int factorAndInvert(int n, const T *A, int lda, T *C, int ldc) {
  std::vector<T> factors(size_t(n) * n);
  std::vector<int> pivots(n);
  copyMatrix(n, n, A, lda, factors.data(), n);
  int info = 0, ld = std::max(1, n);
  fortran(Getrf::of<T>, n, n, factors.data(), ld, pivots.data(), &info);
  return info ? info : invert(n, factors.data(), ld, pivots.data(), C, ldc);
}

/// CUDA has this for matrices up to 32 x 32.
template <class T>
cublasStatus_t matinvBatched(cublasHandle_t handle, int n, const T *const A[], int lda,
                             T *const C[], int ldc, int *info, int count) {
  bool isValid = areSizes({n, count}) && n <= 32 && holdsRows(lda, n) && holdsRows(ldc, n);
  return run(handle, isValid, [=] {
    for (int i = 0; i < count; ++i)
      info[i] = factorAndInvert(n, A[i], lda, C[i], ldc);
  });
}

/// Solves with the factors of getrfBatched. `info` is in host memory.
template <class T>
cublasStatus_t getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                            const T *const A[], int lda, const int *pivots, T *const B[], int ldb,
                            int *info, int count) {
  bool isValid = isKnown(trans) && areSizes({n, nrhs, count}) && holdsRows(lda, n) &&
                 holdsRows(ldb, n) && info;
  if (info)
    *info = isValid ? 0 : -1;
  return run(handle, isValid, [=] {
    const Number<T> unit = 1;
    const T one = *reinterpret_cast<const T *>(&unit);
    for (int i = 0; i < count; ++i) {
      int status = 0;
      if (pivots) {
        fortran(Getrs::of<T>, flag<T>(trans), n, nrhs, A[i], lda, pivots + size_t(i) * n, B[i], ldb,
                &status);
        continue;
      }
      bool isPlain = trans == CUBLAS_OP_N;
      auto solve = [&](cublasFillMode_t uplo) {
        cublasDiagType_t diag =
            uplo == CUBLAS_FILL_MODE_LOWER ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
        solveTriangular(CUBLAS_SIDE_LEFT, uplo, trans, diag, n, nrhs, &one, A[i], lda, B[i], ldb);
      };
      solve(isPlain ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER);
      solve(isPlain ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER);
    }
  });
}

/// `info` is in host memory: 0, or minus the number of the parameter that is not valid.
template <class T>
cublasStatus_t geqrfBatched(cublasHandle_t handle, int m, int n, T *const A[], int lda,
                            T *const tau[], int *info, int count) {
  bool isValid = areSizes({m, n, count}) && holdsRows(lda, m) && info;
  if (info)
    *info = isValid ? 0 : m < 0 ? -1 : n < 0 ? -2 : lda < std::max(1, m) ? -4 : -7;
  return run(handle, isValid, [=] {
    int workSize = std::max(1, n * 32);
    std::vector<T> work(workSize);
    for (int i = 0; i < count; ++i) {
      int status = 0;
      fortran(Geqrf::of<T>, m, n, A[i], lda, tau[i], work.data(), workSize, &status);
    }
  });
}

/// Least squares for full rank, not transposed and with m >= n, as in CUDA. `info` is in host
/// memory; `infos` may be null.
template <class T>
cublasStatus_t gelsBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int nrhs,
                           T *const A[], int lda, T *const C[], int ldc, int *info, int *infos,
                           int count) {
  bool isValid = isKnown(trans) && areSizes({m, n, nrhs, count}) && holdsRows(lda, m) &&
                 holdsRows(ldc, m) && info;
  if (info)
    *info = isValid ? 0 : -1;
  if (isValid && (trans != CUBLAS_OP_N || m < n))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return run(handle, isValid, [=] {
    int workSize = std::max(1, std::min(m, n) + std::max({1, m, n, nrhs}) * 32);
    std::vector<T> work(workSize);
    for (int i = 0; i < count; ++i) {
      int status = 0;
      fortran(Gels::of<T>, 'N', m, n, nrhs, A[i], lda, C[i], ldc, work.data(), workSize, &status);
      if (infos)
        infos[i] = status;
    }
  });
}

} // namespace regrain::cublas
