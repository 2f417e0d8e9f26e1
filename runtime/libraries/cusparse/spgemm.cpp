//===- spgemm.cpp - Products of sparse matrices ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cusparse/work.h"

#include <map>
#include <memory>
#include <new>

using namespace regrain::cusparse;

namespace {

/// The product without its factor, by rows. Complex numbers of double precision hold every type.
struct Rows {
  std::vector<std::map<int64_t, std::complex<double>>> entries;
  int64_t nnz = 0, products = 0;
};

} // namespace

struct cusparseSpGEMMDescr {
  std::shared_ptr<Rows> result;
};

namespace {

std::shared_ptr<Rows> multiply(const cusparseSpMatDescr &A, const cusparseSpMatDescr &B) {
  using Complex = std::complex<double>;
  std::vector<std::vector<std::pair<int64_t, Complex>>> right(rowsOf(B));
  forValues<Complex>(B, CUSPARSE_OPERATION_NON_TRANSPOSE,
                     [&](int64_t row, int64_t col, Complex x) { right[row].emplace_back(col, x); });
  auto rows = std::make_shared<Rows>();
  rows->entries.resize(rowsOf(A));
  forValues<Complex>(A, CUSPARSE_OPERATION_NON_TRANSPOSE, [&](int64_t row, int64_t k, Complex x) {
    for (auto &[col, value] : right[k]) {
      rows->entries[row][col] += x * value;
      ++rows->products;
    }
  });
  for (auto &row : rows->entries)
    rows->nnz += int64_t(row.size());
  return rows;
}

cusparseStatus_t check(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                       const cusparseSpMatDescr *A, const cusparseSpMatDescr *B,
                       const cusparseSpMatDescr *C, const cusparseSpGEMMDescr *descriptor) {
  if (cusparseStatus_t status = checkGiven(handle, A, B, C, descriptor))
    return status;
  if (opA != CUSPARSE_OPERATION_NON_TRANSPOSE || opB != CUSPARSE_OPERATION_NON_TRANSPOSE ||
      C->format != CUSPARSE_FORMAT_CSR)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  bool fits = colsOf(*A) == rowsOf(*B) && rowsOf(*A) == C->rows && colsOf(*B) == C->cols;
  return fits ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

template <class N> void write(const Rows &rows, N alpha, const cusparseSpMatDescr &C) {
  int64_t at = 0;
  for (size_t row = 0; row < rows.entries.size(); ++row) {
    setIndex(C.outer, C.outerType, int64_t(row), at + C.base);
    for (auto &[col, value] : rows.entries[row]) {
      setIndex(C.inner, C.innerType, at, col + C.base);
      storeElement(alpha * convert<N>(value), C.values, C.type, at++);
    }
  }
  setIndex(C.outer, C.outerType, int64_t(rows.entries.size()), at + C.base);
}

} // namespace

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *descriptor) {
  if (!descriptor)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *descriptor = new (std::nothrow) cusparseSpGEMMDescr();
  return *descriptor ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descriptor) {
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}

/// Without memory the size is asked; with memory the product is computed, as its size has to be
/// known on return.
cusparseStatus_t
cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA,
                              cusparseOperation_t opB, const void *, cusparseConstSpMatDescr_t matA,
                              cusparseConstSpMatDescr_t matB, const void *,
                              cusparseSpMatDescr_t matC, cudaDataType, cusparseSpGEMMAlg_t,
                              cusparseSpGEMMDescr_t descriptor, size_t *bytes, void *buffer) {
  if (cusparseStatus_t status = check(handle, opA, opB, matA, matB, matC, descriptor))
    return status;
  if (!bytes)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *bytes = unusedBytes;
  if (!buffer)
    return CUSPARSE_STATUS_SUCCESS;
  return runAndWait(handle, [=, A = *matA, B = *matB] { descriptor->result = multiply(A, B); });
}

cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t descriptor,
                                               int64_t *products) {
  if (!descriptor || !products || !descriptor->result)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *products = descriptor->result->products;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_estimateMemory(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void *,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, const void *,
    cusparseSpMatDescr_t matC, cudaDataType, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descriptor,
    float, size_t *bytes3, void *, size_t *bytes2) {
  if (cusparseStatus_t status = check(handle, opA, opB, matA, matB, matC, descriptor))
    return status;
  if (bytes3)
    *bytes3 = unusedBytes;
  if (bytes2)
    *bytes2 = unusedBytes;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t
cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                       const void *, cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                       const void *, cusparseSpMatDescr_t matC, cudaDataType, cusparseSpGEMMAlg_t,
                       cusparseSpGEMMDescr_t descriptor, size_t *bytes, void *buffer) {
  if (cusparseStatus_t status = check(handle, opA, opB, matA, matB, matC, descriptor))
    return status;
  if (!bytes)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *bytes = unusedBytes;
  if (!buffer)
    return CUSPARSE_STATUS_SUCCESS;
  if (!descriptor->result)
    return CUSPARSE_STATUS_INVALID_VALUE;
  matC->nnz = descriptor->result->nnz;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                     cusparseOperation_t opB, const void *alpha,
                                     cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                     const void *beta, cusparseSpMatDescr_t matC,
                                     cudaDataType computeType, cusparseSpGEMMAlg_t,
                                     cusparseSpGEMMDescr_t descriptor) {
  if (cusparseStatus_t status = check(handle, opA, opB, matA, matB, matC, descriptor))
    return status;
  if (!alpha || !beta || !descriptor->result)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return inType(computeType, [&]<class N>(Tag<N>) {
    Scalar a(handle, alpha, computeType), b(handle, beta, computeType);
    // A sum with the old C would need its entries to be among those of the product. A factor in
    // device memory is known after the work before it.
    if (cudaError_t error = cudaStreamSynchronize(handle->stream); error != cudaSuccess)
      return statusOf(error);
    if (b.template get<N>() != N())
      return CUSPARSE_STATUS_NOT_SUPPORTED;
    return run(handle, [=, C = *matC, result = descriptor->result] {
      write(*result, a.template get<N>(), C);
    });
  });
}
