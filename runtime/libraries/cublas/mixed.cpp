//===- mixed.cpp - Products of matrices of any types ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cublas/mixed.h"

namespace regrain::cublas {
namespace {

template <class N>
void multiplyIn(const Product &p, const MixedTypes &types, const void *alpha, const void *A,
                const void *B, const void *beta, const void *D, int ldd, void *C) {
  N a = loadElement<N>(alpha, types.scalar), b = loadElement<N>(beta, types.scalar);
  std::vector<N> left = loadMatrix<N>(A, types.a, p.rowsOfA(), p.colsOfA(), p.lda);
  std::vector<N> right = loadMatrix<N>(B, types.b, p.rowsOfB(), p.colsOfB(), p.ldb);
  std::vector<N> out(size_t(p.m) * p.n);
  if (b != N())
    out = loadMatrix<N>(D, types.c, p.m, p.n, ldd);
  Product packed = {
      p.transa,        p.transb, p.m, p.n, p.k, std::max(1, p.rowsOfA()), std::max(1, p.rowsOfB()),
      std::max(1, p.m)};
  multiply(packed, elements(&a), elements(left.data()), elements(right.data()), elements(&b),
           elements(out.data()));
  storeMatrix(out, C, types.c, p.m, p.n, p.ldc);
}

} // namespace

cudaDataType scalarTypeFor(cublasComputeType_t compute, cudaDataType c) {
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return CUDA_R_16F;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return CUDA_R_32I;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
  case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
    return isComplexType(c) ? CUDA_C_64F : CUDA_R_64F;
  default:
    return isComplexType(c) ? CUDA_C_32F : CUDA_R_32F;
  }
}

bool isSupported(const MixedTypes &types) {
  bool isComplex = isComplexType(types.c);
  if (!sizeOf(types.a) || !sizeOf(types.b) || !sizeOf(types.c) ||
      isComplexType(types.a) != isComplex || isComplexType(types.b) != isComplex)
    return false;
  bool isInteger = types.scalar == CUDA_R_32I;
  if (isInteger != (types.c == CUDA_R_32I) || types.a == CUDA_R_32I || types.b == CUDA_R_32I)
    return false;
  return !isInteger || (types.a == CUDA_R_8I && types.b == CUDA_R_8I);
}

void multiplyMixed(const Product &product, const MixedTypes &types, const void *alpha,
                   const void *A, const void *B, const void *beta, const void *D, int ldd,
                   void *C) {
  // A double holds every sum of products of bytes.
  bool isWide = types.scalar == CUDA_R_64F || types.scalar == CUDA_C_64F ||
                types.scalar == CUDA_R_32I || types.c == CUDA_R_64F || types.c == CUDA_C_64F;
  auto compute = [&]<class N>(Tag<N>) {
    multiplyIn<N>(product, types, alpha, A, B, beta, D, ldd, C);
  };
  if (isComplexType(types.c))
    isWide ? compute(Tag<std::complex<double>>()) : compute(Tag<std::complex<float>>());
  else
    isWide ? compute(Tag<double>()) : compute(Tag<float>());
}

void multiply(const Product &p, const __half *alpha, const __half *A, const __half *B,
              const __half *beta, __half *C) {
  multiplyMixed(p, {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F}, alpha, A, B, beta, C, p.ldc,
                C);
}

} // namespace regrain::cublas
