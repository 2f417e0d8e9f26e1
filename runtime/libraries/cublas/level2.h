//===- level2.h - A matrix and vectors --------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/libraries/cublas/fortran.h"
#include "runtime/libraries/cublas/handle.h"

namespace regrain::cublas {

REGRAIN_SUBROUTINE(Gemv, sgemv, dgemv, cgemv, zgemv)
REGRAIN_SUBROUTINE(Gbmv, sgbmv, dgbmv, cgbmv, zgbmv)
REGRAIN_SUBROUTINE(Trmv, strmv, dtrmv, ctrmv, ztrmv)
REGRAIN_SUBROUTINE(Trsv, strsv, dtrsv, ctrsv, ztrsv)
REGRAIN_SUBROUTINE(Tbmv, stbmv, dtbmv, ctbmv, ztbmv)
REGRAIN_SUBROUTINE(Tbsv, stbsv, dtbsv, ctbsv, ztbsv)
REGRAIN_SUBROUTINE(Tpmv, stpmv, dtpmv, ctpmv, ztpmv)
REGRAIN_SUBROUTINE(Tpsv, stpsv, dtpsv, ctpsv, ztpsv)
REGRAIN_SUBROUTINE(Symv, ssymv, dsymv, csymv, zsymv)
REGRAIN_SUBROUTINE(Hemv, ssymv, dsymv, chemv, zhemv)
REGRAIN_SUBROUTINE(Hbmv, ssbmv, dsbmv, chbmv, zhbmv)
REGRAIN_SUBROUTINE(Hpmv, sspmv, dspmv, chpmv, zhpmv)
REGRAIN_SUBROUTINE(Ger, sger, dger, cgeru, zgeru)
REGRAIN_SUBROUTINE(Gerc, sger, dger, cgerc, zgerc)
REGRAIN_SUBROUTINE(Syr, ssyr, dsyr, csyr, zsyr)
REGRAIN_SUBROUTINE(Her, ssyr, dsyr, cher, zher)
REGRAIN_SUBROUTINE(Hpr, sspr, dspr, chpr, zhpr)
REGRAIN_SUBROUTINE(Her2, ssyr2, dsyr2, cher2, zher2)
REGRAIN_SUBROUTINE(Hpr2, sspr2, dspr2, chpr2, zhpr2)

template <class T>
cublasStatus_t gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T *alpha,
                    const T *A, int lda, const T *x, int incx, const T *beta, T *y, int incy) {
  Scalar a(handle, alpha), b(handle, beta);
  bool isValid = isKnown(trans) && areSizes({m, n}) && holdsRows(lda, m) &&
                 areSteps({incx, incy}) && a.isGiven() && b.isGiven();
  return run(handle, isValid, [=] {
    fortran(Gemv::of<T>, flag<T>(trans), m, n, a.get(), A, lda, x, incx, b.get(), y, incy);
  });
}

template <class T>
cublasStatus_t gbmv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int kl, int ku,
                    const T *alpha, const T *A, int lda, const T *x, int incx, const T *beta, T *y,
                    int incy) {
  Scalar a(handle, alpha), b(handle, beta);
  bool isValid = isKnown(trans) && areSizes({m, n, kl, ku}) && lda > kl + ku &&
                 areSteps({incx, incy}) && a.isGiven() && b.isGiven();
  return run(handle, isValid, [=] {
    fortran(Gbmv::of<T>, flag<T>(trans), m, n, kl, ku, a.get(), A, lda, x, incx, b.get(), y, incy);
  });
}

/// Triangular matrices: a product, or the solution of a system.
template <class Routine, class T>
cublasStatus_t triangular(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                          cublasDiagType_t diag, int n, const T *A, int lda, T *x, int incx) {
  bool isValid =
      areKnown(uplo, trans, diag) && areSizes({n}) && holdsRows(lda, n) && areSteps({incx});
  return run(handle, isValid, [=] {
    fortran(Routine::template of<T>, flag(uplo), flag<T>(trans), flag(diag), n, A, lda, x, incx);
  });
}

template <class Routine, class T>
cublasStatus_t triangularBand(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                              cublasDiagType_t diag, int n, int k, const T *A, int lda, T *x,
                              int incx) {
  bool isValid = areKnown(uplo, trans, diag) && areSizes({n, k}) && lda > k && areSteps({incx});
  return run(handle, isValid, [=] {
    fortran(Routine::template of<T>, flag(uplo), flag<T>(trans), flag(diag), n, k, A, lda, x, incx);
  });
}

template <class Routine, class T>
cublasStatus_t triangularPacked(cublasHandle_t handle, cublasFillMode_t uplo,
                                cublasOperation_t trans, cublasDiagType_t diag, int n, const T *A,
                                T *x, int incx) {
  bool isValid = areKnown(uplo, trans, diag) && areSizes({n}) && areSteps({incx});
  return run(handle, isValid, [=] {
    fortran(Routine::template of<T>, flag(uplo), flag<T>(trans), flag(diag), n, A, x, incx);
  });
}

template <class... Args> cublasStatus_t trmv(Args... args) { return triangular<Trmv>(args...); }
template <class... Args> cublasStatus_t trsv(Args... args) { return triangular<Trsv>(args...); }
template <class... Args> cublasStatus_t tbmv(Args... args) { return triangularBand<Tbmv>(args...); }
template <class... Args> cublasStatus_t tbsv(Args... args) { return triangularBand<Tbsv>(args...); }
template <class... Args> cublasStatus_t tpmv(Args... args) {
  return triangularPacked<Tpmv>(args...);
}
template <class... Args> cublasStatus_t tpsv(Args... args) {
  return triangularPacked<Tpsv>(args...);
}

/// The product of a symmetric or Hermitian matrix and a vector.
template <class Routine, class T>
cublasStatus_t symmetric(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *alpha,
                         const T *A, int lda, const T *x, int incx, const T *beta, T *y, int incy) {
  Scalar a(handle, alpha), b(handle, beta);
  bool isValid = isKnown(uplo) && areSizes({n}) && holdsRows(lda, n) && areSteps({incx, incy}) &&
                 a.isGiven() && b.isGiven();
  return run(handle, isValid, [=] {
    fortran(Routine::template of<T>, flag(uplo), n, a.get(), A, lda, x, incx, b.get(), y, incy);
  });
}

template <class... Args> cublasStatus_t symv(Args... args) { return symmetric<Symv>(args...); }
template <class... Args> cublasStatus_t hemv(Args... args) { return symmetric<Hemv>(args...); }

template <class T>
cublasStatus_t hbmv(cublasHandle_t handle, cublasFillMode_t uplo, int n, int k, const T *alpha,
                    const T *A, int lda, const T *x, int incx, const T *beta, T *y, int incy) {
  Scalar a(handle, alpha), b(handle, beta);
  bool isValid = isKnown(uplo) && areSizes({n, k}) && lda > k && areSteps({incx, incy}) &&
                 a.isGiven() && b.isGiven();
  return run(handle, isValid, [=] {
    fortran(Hbmv::of<T>, flag(uplo), n, k, a.get(), A, lda, x, incx, b.get(), y, incy);
  });
}

template <class T>
cublasStatus_t hpmv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *alpha, const T *A,
                    const T *x, int incx, const T *beta, T *y, int incy) {
  Scalar a(handle, alpha), b(handle, beta);
  bool isValid =
      isKnown(uplo) && areSizes({n}) && areSteps({incx, incy}) && a.isGiven() && b.isGiven();
  return run(handle, isValid,
             [=] { fortran(Hpmv::of<T>, flag(uplo), n, a.get(), A, x, incx, b.get(), y, incy); });
}

/// A += alpha x y' for a general matrix.
template <class Routine, class T>
cublasStatus_t update(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx,
                      const T *y, int incy, T *A, int lda) {
  Scalar a(handle, alpha);
  bool isValid = areSizes({m, n}) && holdsRows(lda, m) && areSteps({incx, incy}) && a.isGiven();
  return run(handle, isValid,
             [=] { fortran(Routine::template of<T>, m, n, a.get(), x, incx, y, incy, A, lda); });
}

template <class... Args> cublasStatus_t ger(Args... args) { return update<Ger>(args...); }
template <class... Args> cublasStatus_t gerc(Args... args) { return update<Gerc>(args...); }

/// A += alpha x x' for a symmetric or Hermitian matrix.
template <class Routine, class T, class Factor>
cublasStatus_t rank1(cublasHandle_t handle, cublasFillMode_t uplo, int n, const Factor *alpha,
                     const T *x, int incx, T *A, int lda) {
  Scalar a(handle, alpha);
  bool isValid =
      isKnown(uplo) && areSizes({n}) && holdsRows(lda, n) && areSteps({incx}) && a.isGiven();
  return run(handle, isValid,
             [=] { fortran(Routine::template of<T>, flag(uplo), n, a.get(), x, incx, A, lda); });
}

template <class... Args> cublasStatus_t syr(Args... args) { return rank1<Syr>(args...); }
template <class... Args> cublasStatus_t her(Args... args) { return rank1<Her>(args...); }

template <class T, class Factor>
cublasStatus_t hpr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const Factor *alpha,
                   const T *x, int incx, T *A) {
  Scalar a(handle, alpha);
  bool isValid = isKnown(uplo) && areSizes({n}) && areSteps({incx}) && a.isGiven();
  return run(handle, isValid, [=] { fortran(Hpr::of<T>, flag(uplo), n, a.get(), x, incx, A); });
}

template <class T>
cublasStatus_t her2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *alpha, const T *x,
                    int incx, const T *y, int incy, T *A, int lda) {
  Scalar a(handle, alpha);
  bool isValid =
      isKnown(uplo) && areSizes({n}) && holdsRows(lda, n) && areSteps({incx, incy}) && a.isGiven();
  return run(handle, isValid,
             [=] { fortran(Her2::of<T>, flag(uplo), n, a.get(), x, incx, y, incy, A, lda); });
}

/// Returns element `i` of a vector of n elements, which begins at its end if the step is negative.
template <class T> const T &elementOf(const T *x, int n, int step, int i) {
  return x[(step < 0 ? ptrdiff_t(i) - n + 1 : ptrdiff_t(i)) * step];
}

/// BLAS has no complex symmetric form.
template <class T>
void addBothProducts(bool upper, int n, Number<T> factor, const T *x, int incx, const T *y,
                     int incy, T *A, int lda) {
  const Number<T> *xs = numbers(x), *ys = numbers(y);
  for (int j = 0; j < n; ++j)
    for (int i = upper ? 0 : j; i < (upper ? j + 1 : n); ++i)
      numbers(A)[i + size_t(j) * lda] +=
          factor * (elementOf(xs, n, incx, i) * elementOf(ys, n, incy, j) +
                    elementOf(ys, n, incy, i) * elementOf(xs, n, incx, j));
}

template <class T>
cublasStatus_t syr2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *alpha, const T *x,
                    int incx, const T *y, int incy, T *A, int lda) {
  if constexpr (!isComplex<T>) {
    return her2(handle, uplo, n, alpha, x, incx, y, incy, A, lda);
  } else {
    Scalar a(handle, alpha);
    bool isValid = isKnown(uplo) && areSizes({n}) && holdsRows(lda, n) && areSteps({incx, incy}) &&
                   a.isGiven();
    return run(handle, isValid, [=] {
      addBothProducts(uplo == CUBLAS_FILL_MODE_UPPER, n, *numbers(a.get()), x, incx, y, incy, A,
                      lda);
    });
  }
}

template <class T>
cublasStatus_t hpr2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *alpha, const T *x,
                    int incx, const T *y, int incy, T *A) {
  Scalar a(handle, alpha);
  bool isValid = isKnown(uplo) && areSizes({n}) && areSteps({incx, incy}) && a.isGiven();
  return run(handle, isValid,
             [=] { fortran(Hpr2::of<T>, flag(uplo), n, a.get(), x, incx, y, incy, A); });
}

} // namespace regrain::cublas
