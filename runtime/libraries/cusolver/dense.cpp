//===- dense.cpp - Dense matrices over LAPACK -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LAPACK's memory for work is taken here: the program's is not needed.
//
//===----------------------------------------------------------------------===//
#include "include/cuda-libraries/cusolverDn.h"
#include "runtime/libraries/cublas/fortran.h"
#include "runtime/libraries/elements/version.h"
#include "runtime/libraries/stream/submit.h"

#include <new>
#include <vector>

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
};

using namespace regrain::cublas;

namespace {

REGRAIN_SUBROUTINE(Potrf, spotrf, dpotrf, cpotrf, zpotrf)
REGRAIN_SUBROUTINE(Potrs, spotrs, dpotrs, cpotrs, zpotrs)
REGRAIN_SUBROUTINE(Getrf, sgetrf, dgetrf, cgetrf, zgetrf)
REGRAIN_SUBROUTINE(Getrs, sgetrs, dgetrs, cgetrs, zgetrs)
REGRAIN_SUBROUTINE(Geqrf, sgeqrf, dgeqrf, cgeqrf, zgeqrf)
REGRAIN_SUBROUTINE(Orgqr, sorgqr, dorgqr, cungqr, zungqr)
REGRAIN_SUBROUTINE(Ormqr, sormqr, dormqr, cunmqr, zunmqr)
REGRAIN_SUBROUTINE(Syevd, ssyevd, dsyevd, cheevd, zheevd)
REGRAIN_SUBROUTINE(Gesvd, sgesvd, dgesvd, cgesvd, zgesvd)

cusolverStatus_t statusOf(cudaError_t error) {
  return error == cudaSuccess             ? CUSOLVER_STATUS_SUCCESS
         : error == cudaErrorNotSupported ? CUSOLVER_STATUS_NOT_SUPPORTED
                                          : CUSOLVER_STATUS_EXECUTION_FAILED;
}

template <class Work> cusolverStatus_t run(cusolverDnHandle_t handle, bool isValid, Work work) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!isValid)
    return CUSOLVER_STATUS_INVALID_VALUE;
  return statusOf(regrain::libraries::submit(handle->stream, work));
}

/// The program has to allocate something, as some check the pointer.
cusolverStatus_t giveSize(cusolverDnHandle_t handle, bool isValid, int *size) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!isValid || !size)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *size = 1;
  return CUSOLVER_STATUS_SUCCESS;
}

/// Calls a routine whose parameters end with `work, lwork, info`, with as much memory as it asks
/// for.
template <class T, class... Args>
void withWorkspace(Symbol routine, int *info, const Args &...args) {
  T wanted[2] = {};
  fortran(routine, args..., wanted + 0, -1, info);
  int size = std::max(1, int(std::real(*numbers(wanted + 0))));
  std::vector<T> work(size);
  fortran(routine, args..., work.data(), size, info);
}

char jobOf(cusolverEigMode_t mode) { return mode == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N'; }

/// The eigenvalues, and the vectors in the place of A. Complex matrices need one array more.
template <class T, class R>
void solveEigen(char job, char uplo, int n, T *A, int lda, R *W, int *info) {
  int size = std::max(1, 1 + 6 * n + 2 * n * n), integers = 3 + 5 * n;
  std::vector<T> work(size);
  std::vector<int> iwork(integers);
  if constexpr (isComplex<T>) {
    int reals = 1 + 5 * n + 2 * n * n;
    std::vector<R> rwork(reals);
    fortran(Syevd::of<T>, job, uplo, n, A, lda, W, work.data(), size, rwork.data(), reals,
            iwork.data(), integers, info);
  } else {
    fortran(Syevd::of<T>, job, uplo, n, A, lda, W, work.data(), size, iwork.data(), integers, info);
  }
}

template <class T, class R>
void decompose(char jobU, char jobVt, int m, int n, T *A, int lda, R *S, T *U, int ldu, T *VT,
               int ldvt, int *info) {
  int least = std::min(m, n), most = std::max(m, n);
  int size = std::max({1, 3 * least + most, 5 * least}) * 32;
  std::vector<T> work(size);
  if constexpr (isComplex<T>) {
    std::vector<R> rwork(std::max(1, 5 * least));
    fortran(Gesvd::of<T>, jobU, jobVt, m, n, A, lda, S, U, ldu, VT, ldvt, work.data(), size,
            rwork.data(), info);
  } else {
    fortran(Gesvd::of<T>, jobU, jobVt, m, n, A, lda, S, U, ldu, VT, ldvt, work.data(), size, info);
  }
}

bool isMatrix(int m, int n, int lda) { return areSizes({m, n}) && holdsRows(lda, m); }

} // namespace

cusolverStatus_t cusolverGetVersion(int *version) {
  if (!version)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value) {
  return regrain::libraries::getProperty(
      type, value, {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH},
      CUSOLVER_STATUS_INVALID_VALUE);
}

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) {
  if (!handle)
    return CUSOLVER_STATUS_INVALID_VALUE;
  if (cudaError_t error = regrain::libraries::checkDevice(); error != cudaSuccess)
    return statusOf(error);
  *handle = new (std::nothrow) cusolverDnContext();
  return *handle ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!stream)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *stream = handle->stream;
  return CUSOLVER_STATUS_SUCCESS;
}

#define REGRAIN_DENSE(P, T, R, ORGQR, ORMQR, SYEVD)                                                \
  cusolverStatus_t cusolverDn##P##potrf_bufferSize(                                                \
      cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *, int lda, int *size) {          \
    return giveSize(handle, isKnown(uplo) && isMatrix(n, n, lda), size);                           \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,   \
                                        T *A, int lda, T *, int, int *info) {                      \
    return run(handle, isKnown(uplo) && isMatrix(n, n, lda) && info,                               \
               [=] { fortran(Potrf::of<T>, flag(uplo), n, A, lda, info); });                       \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n,   \
                                        int nrhs, const T *A, int lda, T *B, int ldb, int *info) { \
    bool isValid = isKnown(uplo) && isMatrix(n, n, lda) && isMatrix(n, nrhs, ldb) && info;         \
    return run(handle, isValid,                                                                    \
               [=] { fortran(Potrs::of<T>, flag(uplo), n, nrhs, A, lda, B, ldb, info); });         \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *,   \
                                                   int lda, int *size) {                           \
    return giveSize(handle, isMatrix(m, n, lda), size);                                            \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##getrf(cusolverDnHandle_t handle, int m, int n, T *A, int lda,    \
                                        T *, int *pivots, int *info) {                             \
    /* Without pivots no rows are to be exchanged, for which LAPACK has no routine. */             \
    if (handle && !pivots)                                                                         \
      return CUSOLVER_STATUS_NOT_SUPPORTED;                                                        \
    return run(handle, isMatrix(m, n, lda) && info,                                                \
               [=] { fortran(Getrf::of<T>, m, n, A, lda, pivots, info); });                        \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, \
                                        int nrhs, const T *A, int lda, const int *pivots, T *B,    \
                                        int ldb, int *info) {                                      \
    if (handle && !pivots)                                                                         \
      return CUSOLVER_STATUS_NOT_SUPPORTED;                                                        \
    bool isValid = isKnown(trans) && isMatrix(n, n, lda) && isMatrix(n, nrhs, ldb) && info;        \
    return run(handle, isValid, [=] {                                                              \
      fortran(Getrs::of<T>, flag<T>(trans), n, nrhs, A, lda, pivots, B, ldb, info);                \
    });                                                                                            \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *,   \
                                                   int lda, int *size) {                           \
    return giveSize(handle, isMatrix(m, n, lda), size);                                            \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##geqrf(cusolverDnHandle_t handle, int m, int n, T *A, int lda,    \
                                        T *tau, T *, int, int *info) {                             \
    return run(handle, isMatrix(m, n, lda) && info,                                                \
               [=] { withWorkspace<T>(Geqrf::of<T>, info, m, n, A, lda, tau); });                  \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##ORGQR##_bufferSize(                                              \
      cusolverDnHandle_t handle, int m, int n, int k, const T *, int lda, const T *, int *size) {  \
    return giveSize(handle, isMatrix(m, n, lda) && k >= 0 && k <= n, size);                        \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##ORGQR(cusolverDnHandle_t handle, int m, int n, int k, T *A,      \
                                        int lda, const T *tau, T *, int, int *info) {              \
    return run(handle, isMatrix(m, n, lda) && k >= 0 && k <= n && info,                            \
               [=] { withWorkspace<T>(Orgqr::of<T>, info, m, n, k, A, lda, tau); });               \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##ORMQR##_bufferSize(                                              \
      cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n,     \
      int k, const T *, int lda, const T *, const T *, int ldc, int *size) {                       \
    return giveSize(handle, areKnown(side, trans) && isMatrix(m, n, ldc) && k >= 0, size);         \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##ORMQR(                                                           \
      cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n,     \
      int k, const T *A, int lda, const T *tau, T *C, int ldc, T *, int, int *info) {              \
    bool isValid = areKnown(side, trans) && isMatrix(m, n, ldc) && k >= 0 && info;                 \
    return run(handle, isValid, [=] {                                                              \
      withWorkspace<T>(Ormqr::of<T>, info, flag(side), flag<T>(trans), m, n, k, A, lda, tau, C,    \
                       ldc);                                                                       \
    });                                                                                            \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##SYEVD##_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t, \
                                                     cublasFillMode_t uplo, int n, const T *,      \
                                                     int lda, const R *, int *size) {              \
    return giveSize(handle, isKnown(uplo) && isMatrix(n, n, lda), size);                           \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##SYEVD(cusolverDnHandle_t handle, cusolverEigMode_t job,          \
                                        cublasFillMode_t uplo, int n, T *A, int lda, R *W, T *,    \
                                        int, int *info) {                                          \
    return run(handle, isKnown(uplo) && isMatrix(n, n, lda) && info,                               \
               [=] { solveEigen(jobOf(job), flag(uplo), n, A, lda, W, info); });                   \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n,        \
                                                   int *size) {                                    \
    return giveSize(handle, areSizes({m, n}), size);                                               \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##gesvd(                                                           \
      cusolverDnHandle_t handle, signed char jobU, signed char jobVt, int m, int n, T *A, int lda, \
      R *S, T *U, int ldu, T *VT, int ldvt, T *, int, R *, int *info) {                            \
    return run(handle, isMatrix(m, n, lda) && info, [=] {                                          \
      decompose(char(jobU), char(jobVt), m, n, A, lda, S, U, std::max(1, ldu), VT,                 \
                std::max(1, ldvt), info);                                                          \
    });                                                                                            \
  }

REGRAIN_DENSE(S, float, float, orgqr, ormqr, syevd)
REGRAIN_DENSE(D, double, double, orgqr, ormqr, syevd)
REGRAIN_DENSE(C, cuComplex, float, ungqr, unmqr, heevd)
REGRAIN_DENSE(Z, cuDoubleComplex, double, ungqr, unmqr, heevd)
