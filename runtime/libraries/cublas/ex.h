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
struct AnyVector {
  const void *data;
  cudaDataType type;
  int n, step;

  /// Calls `visit(place in memory, index)` for each element.
  template <class Visit> void forPlaces(Visit visit) const {
    ptrdiff_t first = step < 0 ? ptrdiff_t(1 - n) * step : 0;
    for (int i = 0; i < n; ++i)
      visit(first + ptrdiff_t(i) * step, i);
  }
  template <class N> std::vector<N> load() const {
    std::vector<N> out(std::max(n, 0));
    visitType(type, [&]<class T>(Tag<T>) {
      forPlaces(
          [&](ptrdiff_t at, int i) { out[i] = convert<N>(static_cast<const T *>(data)[at]); });
    });
    return out;
  }
  template <class N> void store(const std::vector<N> &from, void *to) const {
    visitType(type, [&]<class T>(Tag<T>) {
      forPlaces([&](ptrdiff_t at, int i) { static_cast<T *>(to)[at] = convert<T>(from[i]); });
    });
  }
};

/// Calls `compute(Tag<N>())` with a type that holds every element of these types.
template <class Compute>
void inWideType(std::initializer_list<cudaDataType> types, Compute compute) {
  if (std::any_of(types.begin(), types.end(), isComplexType))
    compute(Tag<std::complex<double>>());
  else
    compute(Tag<double>());
}

inline bool areSupported(std::initializer_list<cudaDataType> types) {
  return std::all_of(types.begin(), types.end(),
                     [](cudaDataType type) { return sizeOf(type) != 0; });
}

inline cublasStatus_t axpyEx(cublasHandle_t handle, int n, const void *alpha,
                             cudaDataType alphaType, const void *x, cudaDataType xType, int incx,
                             void *y, cudaDataType yType, int incy, cudaDataType) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!areSupported({alphaType, xType, yType}))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  AnyScalar factor(handle->pointerMode, alpha, alphaType);
  AnyVector from = {x, xType, n, incx}, to = {y, yType, n, incy};
  return run(handle, factor.isGiven(), [=] {
    inWideType({alphaType, xType, yType}, [&]<class N>(Tag<N>) {
      N a = loadElement<N>(factor.get(), alphaType);
      std::vector<N> added = from.load<N>(), sum = to.load<N>();
      for (size_t i = 0; i < sum.size(); ++i)
        sum[i] += a * added[i];
      to.store(sum, y);
    });
  });
}

inline cublasStatus_t scalEx(cublasHandle_t handle, int n, const void *alpha,
                             cudaDataType alphaType, void *x, cudaDataType xType, int incx,
                             cudaDataType) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!areSupported({alphaType, xType}))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  AnyScalar factor(handle->pointerMode, alpha, alphaType);
  AnyVector vector = {x, xType, n, incx};
  return run(handle, factor.isGiven(), [=] {
    inWideType({alphaType, xType}, [&]<class N>(Tag<N>) {
      N a = loadElement<N>(factor.get(), alphaType);
      std::vector<N> elements = vector.load<N>();
      for (N &element : elements)
        element *= a;
      vector.store(elements, x);
    });
  });
}

/// Computes the sum of the products of x, or its conjugate, and y.
template <bool conjugates>
cublasStatus_t dotOfTypes(cublasHandle_t handle, int n, const void *x, cudaDataType xType, int incx,
                          const void *y, cudaDataType yType, int incy, void *result,
                          cudaDataType resultType, cudaDataType) {
  if (handle && !areSupported({xType, yType, resultType}))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  AnyVector left = {x, xType, n, incx}, right = {y, yType, n, incy};
  return runForResult(handle, result, [=] {
    inWideType({xType, yType}, [&]<class N>(Tag<N>) {
      std::vector<N> a = left.load<N>(), b = right.load<N>();
      N sum = {};
      for (size_t i = 0; i < a.size(); ++i)
        if constexpr (conjugates && !std::is_arithmetic_v<N>)
          sum += std::conj(a[i]) * b[i];
        else
          sum += a[i] * b[i];
      storeElement(sum, result, resultType);
    });
  });
}

template <class... Args> cublasStatus_t dotEx(Args... args) { return dotOfTypes<false>(args...); }
template <class... Args> cublasStatus_t dotcEx(Args... args) { return dotOfTypes<true>(args...); }

inline cublasStatus_t nrm2Ex(cublasHandle_t handle, int n, const void *x, cudaDataType xType,
                             int incx, void *result, cudaDataType resultType, cudaDataType) {
  if (handle && !areSupported({xType, resultType}))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  AnyVector vector = {x, xType, incx > 0 ? n : 0, incx};
  return runForResult(handle, result, [=] {
    inWideType({xType}, [&]<class N>(Tag<N>) {
      double length = 0; // without overflow
      for (N element : vector.load<N>())
        length = std::hypot(length, std::abs(element));
      storeElement(length, result, resultType);
    });
  });
}

} // namespace regrain::cublas
