//===- ex.h - Entries whose types are parameters ----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/libraries/cublas/level2.h"
#include "runtime/libraries/cublas/mixed.h"

namespace regrain::cublas {

inline const void *at(const void *base, long long elements, cudaDataType type) {
  return static_cast<const char *>(base) + elements * ptrdiff_t(sizeOf(type));
}
inline void *at(void *base, long long elements, cudaDataType type) {
  return static_cast<char *>(base) + elements * ptrdiff_t(sizeOf(type));
}

/// Calls `one(alpha, beta)` when the work runs.
template <class One>
cublasStatus_t runMixed(cublasHandle_t handle, const Product &product, const MixedTypes &types,
                        const void *alpha, const void *beta, int count, One one) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!isSupported(types))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  AnyScalar a(handle->pointerMode, alpha, types.scalar);
  AnyScalar b(handle->pointerMode, beta, types.scalar);
  bool isValid = product.isValid() && count >= 0 && a.isGiven() && b.isGiven();
  return run(handle, isValid, [=] {
    for (int i = 0; i < count; ++i)
      one(i, a.get(), b.get());
  });
}

inline cublasStatus_t gemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const void *alpha,
                             const void *A, cudaDataType typeA, int lda, const void *B,
                             cudaDataType typeB, int ldb, const void *beta, void *C,
                             cudaDataType typeC, int ldc, cublasComputeType_t compute,
                             cublasGemmAlgo_t = CUBLAS_GEMM_DEFAULT) {
  Product product = {transa, transb, m, n, k, lda, ldb, ldc};
  MixedTypes types = {typeA, typeB, typeC, scalarTypeFor(compute, typeC)};
  return runMixed(handle, product, types, alpha, beta, 1, [=](int, const void *a, const void *b) {
    multiplyMixed(product, types, a, A, B, b, C, ldc, C);
  });
}

/// cublasSgemmEx and cublasCgemmEx.
template <class T>
cublasStatus_t gemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                      int m, int n, int k, const T *alpha, const void *A, cudaDataType typeA,
                      int lda, const void *B, cudaDataType typeB, int ldb, const T *beta, void *C,
                      cudaDataType typeC, int ldc) {
  return gemmEx(handle, transa, transb, m, n, k, static_cast<const void *>(alpha), A, typeA, lda, B,
                typeB, ldb, static_cast<const void *>(beta), C, typeC, ldc, CUBLAS_COMPUTE_32F);
}

inline cublasStatus_t gemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                    cublasOperation_t transb, int m, int n, int k,
                                    const void *alpha, const void *const A[], cudaDataType typeA,
                                    int lda, const void *const B[], cudaDataType typeB, int ldb,
                                    const void *beta, void *const C[], cudaDataType typeC, int ldc,
                                    int count, cublasComputeType_t compute, cublasGemmAlgo_t) {
  Product product = {transa, transb, m, n, k, lda, ldb, ldc};
  MixedTypes types = {typeA, typeB, typeC, scalarTypeFor(compute, typeC)};
  return runMixed(handle, product, types, alpha, beta, count,
                  [=](int i, const void *a, const void *b) {
                    multiplyMixed(product, types, a, A[i], B[i], b, C[i], ldc, C[i]);
                  });
}

inline cublasStatus_t
gemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                     int m, int n, int k, const void *alpha, const void *A, cudaDataType typeA,
                     int lda, long long strideA, const void *B, cudaDataType typeB, int ldb,
                     long long strideB, const void *beta, void *C, cudaDataType typeC, int ldc,
                     long long strideC, int count, cublasComputeType_t compute, cublasGemmAlgo_t) {
  Product product = {transa, transb, m, n, k, lda, ldb, ldc};
  MixedTypes types = {typeA, typeB, typeC, scalarTypeFor(compute, typeC)};
  return runMixed(handle, product, types, alpha, beta, count,
                  [=](int i, const void *a, const void *b) {
                    void *out = at(C, i * strideC, typeC);
                    multiplyMixed(product, types, a, at(A, i * strideA, typeA),
                                  at(B, i * strideB, typeB), b, out, ldc, out);
                  });
}

/// A vector of a type that is known when the program runs.
template <class Pointer> struct AnyVector {
  Pointer *data;
  cudaDataType type;
  int n, step;

  ptrdiff_t place(int i) const { return (step < 0 ? ptrdiff_t(i) - n + 1 : ptrdiff_t(i)) * step; }
  std::complex<double> load(int i) const {
    return loadElement<std::complex<double>>(data, type, place(i));
  }
  void store(int i, std::complex<double> value) const { storeElement(value, data, type, place(i)); }
};

inline cublasStatus_t axpyEx(cublasHandle_t handle, int n, const void *alpha,
                             cudaDataType alphaType, const void *x, cudaDataType xType, int incx,
                             void *y, cudaDataType yType, int incy, cudaDataType) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!sizeOf(alphaType) || !sizeOf(xType) || !sizeOf(yType))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  AnyScalar factor(handle->pointerMode, alpha, alphaType);
  AnyVector<const void> from = {x, xType, n, incx};
  AnyVector<void> to = {y, yType, n, incy};
  return run(handle, factor.isGiven(), [=] {
    auto a = loadElement<std::complex<double>>(factor.get(), alphaType);
    for (int i = 0; i < n; ++i)
      to.store(i, a * from.load(i) + AnyVector<const void>{y, yType, n, incy}.load(i));
  });
}

inline cublasStatus_t scalEx(cublasHandle_t handle, int n, const void *alpha,
                             cudaDataType alphaType, void *x, cudaDataType xType, int incx,
                             cudaDataType) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!sizeOf(alphaType) || !sizeOf(xType))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  AnyScalar factor(handle->pointerMode, alpha, alphaType);
  AnyVector<void> vector = {x, xType, n, incx};
  return run(handle, factor.isGiven(), [=] {
    auto a = loadElement<std::complex<double>>(factor.get(), alphaType);
    for (int i = 0; i < n; ++i)
      vector.store(i, a * vector.load(i));
  });
}

/// Writes the sum of `term(i)` as an element of `type`.
template <class Term>
cublasStatus_t sumEx(cublasHandle_t handle, int n, void *result, cudaDataType type, bool areTypes,
                     Term term) {
  if (handle && !(areTypes && sizeOf(type)))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return runForResult(handle, result, [=] {
    std::complex<double> sum = 0;
    for (int i = 0; i < n; ++i)
      sum += term(i);
    storeElement(sum, result, type);
  });
}

inline cublasStatus_t dotEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType,
                            int incx, const void *y, cudaDataType yType, int incy, void *result,
                            cudaDataType resultType, cudaDataType) {
  AnyVector<const void> left = {x, xType, n, incx}, right = {y, yType, n, incy};
  return sumEx(handle, n, result, resultType, sizeOf(xType) && sizeOf(yType),
               [=](int i) { return left.load(i) * right.load(i); });
}

inline cublasStatus_t dotcEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType,
                             int incx, const void *y, cudaDataType yType, int incy, void *result,
                             cudaDataType resultType, cudaDataType) {
  AnyVector<const void> left = {x, xType, n, incx}, right = {y, yType, n, incy};
  return sumEx(handle, n, result, resultType, sizeOf(xType) && sizeOf(yType),
               [=](int i) { return std::conj(left.load(i)) * right.load(i); });
}

inline cublasStatus_t nrm2Ex(cublasHandle_t handle, int n, const void *x, cudaDataType xType,
                             int incx, void *result, cudaDataType resultType, cudaDataType) {
  if (handle && !(sizeOf(xType) && sizeOf(resultType)))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  AnyVector<const void> vector = {x, xType, n, incx};
  return runForResult(handle, result, [=] {
    double length = 0;
    for (int i = 0; i < n && incx > 0; ++i)
      length = std::hypot(length, std::abs(vector.load(i)));
    storeElement(std::complex<double>(length), result, resultType);
  });
}

} // namespace regrain::cublas
