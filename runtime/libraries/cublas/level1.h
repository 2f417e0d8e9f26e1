//===- level1.h - Vectors ---------------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/libraries/cublas/fortran.h"
#include "runtime/libraries/cublas/handle.h"

#include <cblas.h>

namespace regrain::cublas {

REGRAIN_SUBROUTINE(Copy, scopy, dcopy, ccopy, zcopy)
REGRAIN_SUBROUTINE(Swap, sswap, dswap, cswap, zswap)
REGRAIN_SUBROUTINE(Axpy, saxpy, daxpy, caxpy, zaxpy)
REGRAIN_SUBROUTINE(Scal, sscal, dscal, cscal, zscal)
REGRAIN_SUBROUTINE(RealScal, sscal, dscal, csscal, zdscal)
REGRAIN_SUBROUTINE(Rot, srot, drot, crot, zrot)
REGRAIN_SUBROUTINE(RealRot, srot, drot, csrot, zdrot)
REGRAIN_SUBROUTINE(Rotg, srotg, drotg, crotg, zrotg)
REGRAIN_SUBROUTINE(Rotm, srotm, drotm, srotm, drotm)
REGRAIN_SUBROUTINE(Rotmg, srotmg, drotmg, srotmg, drotmg)

template <class T>
cublasStatus_t copy(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy) {
  return run(handle, true, [=] { fortran(Copy::of<T>, n, x, incx, y, incy); });
}

template <class T>
cublasStatus_t swap(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy) {
  return run(handle, true, [=] { fortran(Swap::of<T>, n, x, incx, y, incy); });
}

template <class T>
cublasStatus_t axpy(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *y,
                    int incy) {
  Scalar factor(handle, alpha);
  return run(handle, factor.isGiven(),
             [=] { fortran(Axpy::of<T>, n, factor.get(), x, incx, y, incy); });
}

template <class T, class Factor>
cublasStatus_t scal(cublasHandle_t handle, int n, const Factor *alpha, T *x, int incx) {
  constexpr Symbol routine = std::is_same_v<T, Factor> ? Scal::of<T> : RealScal::of<T>;
  Scalar factor(handle, alpha);
  return run(handle, factor.isGiven(), [=] { fortran(routine, n, factor.get(), x, incx); });
}

template <class T, class Real, class Sine>
cublasStatus_t rot(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, const Real *c,
                   const Sine *s) {
  constexpr Symbol routine = std::is_same_v<T, Sine> ? Rot::of<T> : RealRot::of<T>;
  Scalar cosine(handle, c);
  Scalar sine(handle, s);
  return run(handle, cosine.isGiven() && sine.isGiven(),
             [=] { fortran(routine, n, x, incx, y, incy, cosine.get(), sine.get()); });
}

template <class T, class Real>
cublasStatus_t rotg(cublasHandle_t handle, T *a, T *b, Real *c, T *s) {
  return runForResult(handle, a && b && c && s, [=] { fortran(Rotg::of<T>, a, b, c, s); });
}

template <class T> struct RotmParameters {
  T values[5];
};

template <class T>
cublasStatus_t rotm(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, const T *param) {
  Scalar parameters(handle, reinterpret_cast<const RotmParameters<T> *>(param));
  return run(handle, parameters.isGiven(),
             [=] { fortran(Rotm::of<T>, n, x, incx, y, incy, parameters.get()->values + 0); });
}

template <class T>
cublasStatus_t rotmg(cublasHandle_t handle, T *d1, T *d2, T *x1, const T *y1, T *param) {
  return runForResult(handle, d1 && d2 && x1 && y1 && param,
                      [=] { fortran(Rotmg::of<T>, d1, d2, x1, y1, param); });
}

inline void sumOfProducts(int n, const float *x, int incx, const float *y, int incy, bool,
                          float *result) {
  *result = cblas_sdot(n, x, incx, y, incy);
}
inline void sumOfProducts(int n, const double *x, int incx, const double *y, int incy, bool,
                          double *result) {
  *result = cblas_ddot(n, x, incx, y, incy);
}
inline void sumOfProducts(int n, const cuComplex *x, int incx, const cuComplex *y, int incy,
                          bool conjugates, cuComplex *result) {
  (conjugates ? cblas_cdotc_sub : cblas_cdotu_sub)(n, x, incx, y, incy, result);
}
inline void sumOfProducts(int n, const cuDoubleComplex *x, int incx, const cuDoubleComplex *y,
                          int incy, bool conjugates, cuDoubleComplex *result) {
  (conjugates ? cblas_zdotc_sub : cblas_zdotu_sub)(n, x, incx, y, incy, result);
}

template <class T>
cublasStatus_t dot(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy,
                   T *result) {
  return runForResult(handle, result, [=] {
    *numbers(result) = {};
    if (n > 0)
      sumOfProducts(n, x, incx, y, incy, /*conjugates=*/false, result);
  });
}

template <class T>
cublasStatus_t dotc(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy,
                    T *result) {
  return runForResult(handle, result, [=] {
    *numbers(result) = {};
    if (n > 0)
      sumOfProducts(n, x, incx, y, incy, /*conjugates=*/true, result);
  });
}

inline float lengthOf(int n, const float *x, int incx) { return cblas_snrm2(n, x, incx); }
inline double lengthOf(int n, const double *x, int incx) { return cblas_dnrm2(n, x, incx); }
inline float lengthOf(int n, const cuComplex *x, int incx) { return cblas_scnrm2(n, x, incx); }
inline double lengthOf(int n, const cuDoubleComplex *x, int incx) {
  return cblas_dznrm2(n, x, incx);
}

/// Returns |re| + |im|, by which BLAS measures elements.
template <class N> auto magnitude(N x) {
  if constexpr (std::is_arithmetic_v<N>)
    return std::abs(x);
  else
    return std::abs(x.real()) + std::abs(x.imag());
}

template <class T, class Real>
cublasStatus_t nrm2(cublasHandle_t handle, int n, const T *x, int incx, Real *result) {
  return runForResult(handle, result,
                      [=] { *result = n > 0 && incx > 0 ? lengthOf(n, x, incx) : Real(0); });
}

template <class T, class Real>
cublasStatus_t asum(cublasHandle_t handle, int n, const T *x, int incx, Real *result) {
  return runForResult(handle, result, [=] {
    Real sum = 0;
    if (incx > 0)
      for (int i = 0; i < n; ++i)
        sum += magnitude(numbers(x)[size_t(i) * incx]);
    *result = sum;
  });
}

/// Writes the first index, counted from 1, of which isBetter(its magnitude, that of others); 0 if
/// there is no element.
template <class T, class Int, class IsBetter>
cublasStatus_t bestIndex(cublasHandle_t handle, int n, const T *x, int incx, Int *result,
                         IsBetter isBetter) {
  return runForResult(handle, result, [=] {
    const Number<T> *elements = numbers(x);
    int best = 0;
    if (n < 1 || incx < 1) {
      *result = 0;
      return;
    }
    for (int i = 1; i < n; ++i)
      if (isBetter(magnitude(elements[size_t(i) * incx]), magnitude(elements[size_t(best) * incx])))
        best = i;
    *result = best + 1;
  });
}

template <class T, class Int>
cublasStatus_t iamax(cublasHandle_t handle, int n, const T *x, int incx, Int *result) {
  return bestIndex(handle, n, x, incx, result, [](auto a, auto b) { return a > b; });
}

template <class T, class Int>
cublasStatus_t iamin(cublasHandle_t handle, int n, const T *x, int incx, Int *result) {
  return bestIndex(handle, n, x, incx, result, [](auto a, auto b) { return a < b; });
}

} // namespace regrain::cublas
