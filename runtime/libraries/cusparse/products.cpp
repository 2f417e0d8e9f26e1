//===- products.cpp - Products with sparse matrices -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cusparse/work.h"

using namespace regrain::cusparse;

namespace {

const char *address(const void *pointer) { return static_cast<const char *>(pointer); }

template <class N>
void multiplyVector(const cusparseSpMatDescr &A, cusparseOperation_t op, N alpha,
                    const cusparseDnVecDescr &x, N beta, const cusparseDnVecDescr &y) {
  Values<N> input(x.values, x.type, x.size);
  std::vector<N> sums(y.size);
  forValues<N>(A, op, [&](int64_t row, int64_t col, N value) { sums[row] += value * input[col]; });
  for (int64_t i = 0; i < y.size; ++i)
    combine(alpha, sums[i], beta, y.values, y.type, i);
}

template <class N>
void multiplyMatrix(const cusparseSpMatDescr &A, cusparseOperation_t opA, N alpha,
                    const cusparseDnMatDescr &B, cusparseOperation_t opB, N beta,
                    const cusparseDnMatDescr &C) {
  DenseView<N> input(B, opB);
  std::vector<N> sums(C.rows * C.cols);
  forValues<N>(A, opA, [&](int64_t row, int64_t k, N value) {
    for (int64_t j = 0; j < C.cols; ++j)
      sums[row * C.cols + j] += value * input(k, j);
  });
  for (int64_t i = 0; i < C.rows; ++i)
    for (int64_t j = 0; j < C.cols; ++j)
      combine(alpha, sums[i * C.cols + j], beta, C.values, C.type, placeOf(C, i, j));
}

/// Computes the product of dense matrices at the entries of C.
template <class N>
void sampleProduct(const cusparseDnMatDescr &A, cusparseOperation_t opA,
                   const cusparseDnMatDescr &B, cusparseOperation_t opB, N alpha, N beta,
                   const cusparseSpMatDescr &C) {
  DenseView<N> left(A, opA), right(B, opB);
  forEntries(C, [&](int64_t row, int64_t col, int64_t at) {
    N sum = {};
    for (int64_t k = 0; k < left.cols(); ++k)
      sum += left(row, k) * right(k, col);
    combine(alpha, sum, beta, C.values, C.type, at);
  });
}

} // namespace

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         const void *alpha, cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnVecDescr_t vecX, const void *beta,
                                         cusparseDnVecDescr_t vecY, cudaDataType computeType,
                                         cusparseSpMVAlg_t, size_t *bytes) {
  if (cusparseStatus_t status = checkGiven(handle, matA, vecX, vecY, bytes))
    return status;
  if (handle->hip)
    return hip::multiplyVector(handle->hip, op, alpha, *matA, *vecX, beta, *vecY, computeType,
                               bytes, /*asksSize=*/true);
  *bytes = unusedBytes;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t, const void *,
                                         cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnVecDescr_t vecX, const void *,
                                         cusparseDnVecDescr_t vecY, cudaDataType, cusparseSpMVAlg_t,
                                         void *) {
  return checkGiven(handle, matA, vecX, vecY);
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                              cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                              const void *beta, cusparseDnVecDescr_t vecY, cudaDataType computeType,
                              cusparseSpMVAlg_t, void *buffer) {
  if (cusparseStatus_t status = checkGiven(handle, matA, vecX, vecY, address(alpha), address(beta)))
    return status;
  if (colsOf(*matA, op) != vecX->size || rowsOf(*matA, op) != vecY->size)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (handle->hip)
    return hip::multiplyVector(handle->hip, op, alpha, *matA, *vecX, beta, *vecY, computeType,
                               buffer, /*asksSize=*/false);
  return inType(computeType, [&]<class N>(Tag<N>) {
    Scalar a(handle, alpha, computeType), b(handle, beta, computeType);
    return run(handle, [=, A = *matA, x = *vecX, y = *vecY] {
      multiplyVector(A, op, a.get<N>(), x, b.get<N>(), y);
    });
  });
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, const void *alpha,
                                         cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void *beta,
                                         cusparseDnMatDescr_t matC, cudaDataType computeType,
                                         cusparseSpMMAlg_t, size_t *bytes) {
  if (cusparseStatus_t status = checkGiven(handle, matA, matB, matC, bytes))
    return status;
  if (handle->hip)
    return hip::multiplyMatrix(handle->hip, opA, opB, alpha, *matA, *matB, beta, *matC, computeType,
                               bytes, /*asksSize=*/true);
  *bytes = unusedBytes;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t,
                                         cusparseOperation_t, const void *,
                                         cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, const void *,
                                         cusparseDnMatDescr_t matC, cudaDataType, cusparseSpMMAlg_t,
                                         void *) {
  return checkGiven(handle, matA, matB, matC);
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA,
                              cusparseOperation_t opB, const void *alpha,
                              cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                              const void *beta, cusparseDnMatDescr_t matC, cudaDataType computeType,
                              cusparseSpMMAlg_t, void *buffer) {
  if (cusparseStatus_t status = checkGiven(handle, matA, matB, matC, address(alpha), address(beta)))
    return status;
  if (colsOf(*matA, opA) != rowsOf(*matB, opB) || rowsOf(*matA, opA) != matC->rows ||
      colsOf(*matB, opB) != matC->cols)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (handle->hip)
    return hip::multiplyMatrix(handle->hip, opA, opB, alpha, *matA, *matB, beta, *matC, computeType,
                               buffer, /*asksSize=*/false);
  return inType(computeType, [&]<class N>(Tag<N>) {
    Scalar a(handle, alpha, computeType), b(handle, beta, computeType);
    return run(handle, [=, A = *matA, B = *matB, C = *matC] {
      // A matrix that is no batch is used for all of C.
      for (int i = 0; i < C.batchCount; ++i)
        multiplyMatrix(batchMember(A, A.batchCount > 1 ? i : 0), opA, a.get<N>(),
                       batchMember(B, B.batchCount > 1 ? i : 0), opB, b.get<N>(),
                       batchMember(C, i));
    });
  });
}

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
                                          cusparseOperation_t, const void *,
                                          cusparseConstDnMatDescr_t matA,
                                          cusparseConstDnMatDescr_t matB, const void *,
                                          cusparseSpMatDescr_t matC, cudaDataType,
                                          cusparseSDDMMAlg_t, size_t *bytes) {
  if (cusparseStatus_t status = checkGiven(handle, matA, matB, matC, bytes))
    return status;
  *bytes = unusedBytes;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t,
                                          cusparseOperation_t, const void *,
                                          cusparseConstDnMatDescr_t matA,
                                          cusparseConstDnMatDescr_t matB, const void *,
                                          cusparseSpMatDescr_t matC, cudaDataType,
                                          cusparseSDDMMAlg_t, void *) {
  return checkGiven(handle, matA, matB, matC);
}

cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA,
                               cusparseOperation_t opB, const void *alpha,
                               cusparseConstDnMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                               const void *beta, cusparseSpMatDescr_t matC,
                               cudaDataType computeType, cusparseSDDMMAlg_t, void *) {
  if (cusparseStatus_t status = checkGiven(handle, matA, matB, matC, address(alpha), address(beta)))
    return status;
  if (colsOf(*matA, opA) != rowsOf(*matB, opB) || rowsOf(*matA, opA) != rowsOf(*matC) ||
      colsOf(*matB, opB) != colsOf(*matC))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return inType(computeType, [&]<class N>(Tag<N>) {
    Scalar a(handle, alpha, computeType), b(handle, beta, computeType);
    return run(handle, [=, A = *matA, B = *matB, C = *matC] {
      sampleProduct(A, opA, B, opB, a.get<N>(), b.get<N>(), C);
    });
  });
}
