//===- cusolverDn.h - cuSOLVER for dense matrices ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUSOLVERDN_H_
#define CUSOLVERDN_H_
#pragma GCC system_header

#include "cuComplex.h"
#include "cublas_v2.h"
#include "cusolver_common.h"
#include "library_types.h"

struct cusolverDnContext;
typedef struct cusolverDnContext *cusolverDnHandle_t;

#ifdef __cplusplus
extern "C" {
#endif

cusolverStatus_t CUSOLVERAPI cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t CUSOLVERAPI cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t CUSOLVERAPI cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t streamId);
cusolverStatus_t CUSOLVERAPI cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *streamId);

cusolverStatus_t CUSOLVERAPI cusolverDnSpotrf_bufferSize(cusolverDnHandle_t handle,
                                                         cublasFillMode_t uplo, int n, float *A,
                                                         int lda, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnSpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                              int n, float *A, int lda, float *Workspace, int Lwork,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnSpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                              int n, int nrhs, const float *A, int lda, float *B,
                                              int ldb, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnSgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                                         float *A, int lda, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnSgetrf(cusolverDnHandle_t handle, int m, int n, float *A,
                                              int lda, float *Workspace, int *devIpiv,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnSgetrs(cusolverDnHandle_t handle, cublasOperation_t trans,
                                              int n, int nrhs, const float *A, int lda,
                                              const int *devIpiv, float *B, int ldb, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnSgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                                         float *A, int lda, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnSgeqrf(cusolverDnHandle_t handle, int m, int n, float *A,
                                              int lda, float *TAU, float *Workspace, int Lwork,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnSorgqr_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                                         int k, const float *A, int lda,
                                                         const float *tau, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnSorgqr(cusolverDnHandle_t handle, int m, int n, int k,
                                              float *A, int lda, const float *tau, float *Workspace,
                                              int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnSormqr_bufferSize(
    cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k,
    const float *A, int lda, const float *tau, const float *C, int ldc, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnSormqr(cusolverDnHandle_t handle, cublasSideMode_t side,
                                              cublasOperation_t trans, int m, int n, int k,
                                              const float *A, int lda, const float *tau, float *C,
                                              int ldc, float *Workspace, int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnSsyevd_bufferSize(cusolverDnHandle_t handle,
                                                         cusolverEigMode_t jobz,
                                                         cublasFillMode_t uplo, int n,
                                                         const float *A, int lda, const float *W,
                                                         int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnSsyevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                              cublasFillMode_t uplo, int n, float *A, int lda,
                                              float *W, float *Workspace, int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnSgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                                         int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnSgesvd(cusolverDnHandle_t handle, signed char jobu,
                                              signed char jobvt, int m, int n, float *A, int lda,
                                              float *S, float *U, int ldu, float *VT, int ldvt,
                                              float *Workspace, int Lwork, float *rwork,
                                              int *devInfo);

cusolverStatus_t CUSOLVERAPI cusolverDnDpotrf_bufferSize(cusolverDnHandle_t handle,
                                                         cublasFillMode_t uplo, int n, double *A,
                                                         int lda, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnDpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                              int n, double *A, int lda, double *Workspace,
                                              int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnDpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                              int n, int nrhs, const double *A, int lda, double *B,
                                              int ldb, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnDgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                                         double *A, int lda, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnDgetrf(cusolverDnHandle_t handle, int m, int n, double *A,
                                              int lda, double *Workspace, int *devIpiv,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnDgetrs(cusolverDnHandle_t handle, cublasOperation_t trans,
                                              int n, int nrhs, const double *A, int lda,
                                              const int *devIpiv, double *B, int ldb, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnDgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                                         double *A, int lda, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnDgeqrf(cusolverDnHandle_t handle, int m, int n, double *A,
                                              int lda, double *TAU, double *Workspace, int Lwork,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnDorgqr_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                                         int k, const double *A, int lda,
                                                         const double *tau, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnDorgqr(cusolverDnHandle_t handle, int m, int n, int k,
                                              double *A, int lda, const double *tau,
                                              double *Workspace, int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnDormqr_bufferSize(
    cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k,
    const double *A, int lda, const double *tau, const double *C, int ldc, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnDormqr(cusolverDnHandle_t handle, cublasSideMode_t side,
                                              cublasOperation_t trans, int m, int n, int k,
                                              const double *A, int lda, const double *tau,
                                              double *C, int ldc, double *Workspace, int Lwork,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnDsyevd_bufferSize(cusolverDnHandle_t handle,
                                                         cusolverEigMode_t jobz,
                                                         cublasFillMode_t uplo, int n,
                                                         const double *A, int lda, const double *W,
                                                         int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnDsyevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                              cublasFillMode_t uplo, int n, double *A, int lda,
                                              double *W, double *Workspace, int Lwork,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnDgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                                         int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnDgesvd(cusolverDnHandle_t handle, signed char jobu,
                                              signed char jobvt, int m, int n, double *A, int lda,
                                              double *S, double *U, int ldu, double *VT, int ldvt,
                                              double *Workspace, int Lwork, double *rwork,
                                              int *devInfo);

cusolverStatus_t CUSOLVERAPI cusolverDnCpotrf_bufferSize(cusolverDnHandle_t handle,
                                                         cublasFillMode_t uplo, int n, cuComplex *A,
                                                         int lda, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnCpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                              int n, cuComplex *A, int lda, cuComplex *Workspace,
                                              int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnCpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                              int n, int nrhs, const cuComplex *A, int lda,
                                              cuComplex *B, int ldb, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnCgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                                         cuComplex *A, int lda, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnCgetrf(cusolverDnHandle_t handle, int m, int n, cuComplex *A,
                                              int lda, cuComplex *Workspace, int *devIpiv,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnCgetrs(cusolverDnHandle_t handle, cublasOperation_t trans,
                                              int n, int nrhs, const cuComplex *A, int lda,
                                              const int *devIpiv, cuComplex *B, int ldb,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnCgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                                         cuComplex *A, int lda, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnCgeqrf(cusolverDnHandle_t handle, int m, int n, cuComplex *A,
                                              int lda, cuComplex *TAU, cuComplex *Workspace,
                                              int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnCungqr_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                                         int k, const cuComplex *A, int lda,
                                                         const cuComplex *tau, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnCungqr(cusolverDnHandle_t handle, int m, int n, int k,
                                              cuComplex *A, int lda, const cuComplex *tau,
                                              cuComplex *Workspace, int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnCunmqr_bufferSize(
    cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k,
    const cuComplex *A, int lda, const cuComplex *tau, const cuComplex *C, int ldc, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnCunmqr(cusolverDnHandle_t handle, cublasSideMode_t side,
                                              cublasOperation_t trans, int m, int n, int k,
                                              const cuComplex *A, int lda, const cuComplex *tau,
                                              cuComplex *C, int ldc, cuComplex *Workspace,
                                              int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnCheevd_bufferSize(cusolverDnHandle_t handle,
                                                         cusolverEigMode_t jobz,
                                                         cublasFillMode_t uplo, int n,
                                                         const cuComplex *A, int lda,
                                                         const float *W, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnCheevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                              cublasFillMode_t uplo, int n, cuComplex *A, int lda,
                                              float *W, cuComplex *Workspace, int Lwork,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnCgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                                         int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnCgesvd(cusolverDnHandle_t handle, signed char jobu,
                                              signed char jobvt, int m, int n, cuComplex *A,
                                              int lda, float *S, cuComplex *U, int ldu,
                                              cuComplex *VT, int ldvt, cuComplex *Workspace,
                                              int Lwork, float *rwork, int *devInfo);

cusolverStatus_t CUSOLVERAPI cusolverDnZpotrf_bufferSize(cusolverDnHandle_t handle,
                                                         cublasFillMode_t uplo, int n,
                                                         cuDoubleComplex *A, int lda, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnZpotrf(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                              int n, cuDoubleComplex *A, int lda,
                                              cuDoubleComplex *Workspace, int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnZpotrs(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                              int n, int nrhs, const cuDoubleComplex *A, int lda,
                                              cuDoubleComplex *B, int ldb, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnZgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                                         cuDoubleComplex *A, int lda, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnZgetrf(cusolverDnHandle_t handle, int m, int n,
                                              cuDoubleComplex *A, int lda,
                                              cuDoubleComplex *Workspace, int *devIpiv,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnZgetrs(cusolverDnHandle_t handle, cublasOperation_t trans,
                                              int n, int nrhs, const cuDoubleComplex *A, int lda,
                                              const int *devIpiv, cuDoubleComplex *B, int ldb,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnZgeqrf_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                                         cuDoubleComplex *A, int lda, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnZgeqrf(cusolverDnHandle_t handle, int m, int n,
                                              cuDoubleComplex *A, int lda, cuDoubleComplex *TAU,
                                              cuDoubleComplex *Workspace, int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnZungqr_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                                         int k, const cuDoubleComplex *A, int lda,
                                                         const cuDoubleComplex *tau, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnZungqr(cusolverDnHandle_t handle, int m, int n, int k,
                                              cuDoubleComplex *A, int lda,
                                              const cuDoubleComplex *tau,
                                              cuDoubleComplex *Workspace, int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnZunmqr_bufferSize(
    cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k,
    const cuDoubleComplex *A, int lda, const cuDoubleComplex *tau, const cuDoubleComplex *C,
    int ldc, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnZunmqr(cusolverDnHandle_t handle, cublasSideMode_t side,
                                              cublasOperation_t trans, int m, int n, int k,
                                              const cuDoubleComplex *A, int lda,
                                              const cuDoubleComplex *tau, cuDoubleComplex *C,
                                              int ldc, cuDoubleComplex *Workspace, int Lwork,
                                              int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnZheevd_bufferSize(cusolverDnHandle_t handle,
                                                         cusolverEigMode_t jobz,
                                                         cublasFillMode_t uplo, int n,
                                                         const cuDoubleComplex *A, int lda,
                                                         const double *W, int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnZheevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,
                                              cublasFillMode_t uplo, int n, cuDoubleComplex *A,
                                              int lda, double *W, cuDoubleComplex *Workspace,
                                              int Lwork, int *devInfo);
cusolverStatus_t CUSOLVERAPI cusolverDnZgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n,
                                                         int *Lwork);
cusolverStatus_t CUSOLVERAPI cusolverDnZgesvd(cusolverDnHandle_t handle, signed char jobu,
                                              signed char jobvt, int m, int n, cuDoubleComplex *A,
                                              int lda, double *S, cuDoubleComplex *U, int ldu,
                                              cuDoubleComplex *VT, int ldvt,
                                              cuDoubleComplex *Workspace, int Lwork, double *rwork,
                                              int *devInfo);

#ifdef __cplusplus
}
#endif

#endif
