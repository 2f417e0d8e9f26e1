//===- sparse.cpp - A libhipsparse.so on the CPU --------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles and descriptors are cuSPARSE's for the CPU.
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cusparse/descriptors.h"

namespace {

/// hipSPARSE of HIP 5 counts orders from the one by rows, and the others from the one by columns.
cusparseOrder_t orderOf(int number) {
  return number == (REGRAIN_STAND_IN_HIP == 5 ? 0 : 2) ? CUSPARSE_ORDER_ROW
         : number == 1                                 ? CUSPARSE_ORDER_COL
                                                       : cusparseOrder_t(9);
}

} // namespace

extern "C" {

int hipsparseCreate(cusparseHandle_t *handle) {
  *handle = new cusparseContext;
  return CUSPARSE_STATUS_SUCCESS;
}

int hipsparseDestroy(cusparseHandle_t handle) {
  delete handle;
  return CUSPARSE_STATUS_SUCCESS;
}

/// HIP does not know CUDA's handle of the legacy stream.
int hipsparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return stream == cudaStreamLegacy ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_SUCCESS;
}

int hipsparseSetPointerMode(cusparseHandle_t handle, int mode) {
  return cusparseSetPointerMode(handle, cusparsePointerMode_t(mode));
}

int hipsparseCreateDnVec(cusparseDnVecDescr_t *out, int64_t size, void *values, cudaDataType type) {
  return cusparseCreateDnVec(out, size, values, type);
}
int hipsparseCreateDnMat(cusparseDnMatDescr_t *out, int64_t rows, int64_t cols, int64_t ld,
                         void *values, cudaDataType type, int order) {
  return cusparseCreateDnMat(out, rows, cols, ld, values, type, orderOf(order));
}
int hipsparseCreateCsr(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t nnz,
                       void *rowOffsets, void *columns, void *values,
                       cusparseIndexType_t offsetType, cusparseIndexType_t columnType,
                       cusparseIndexBase_t base, cudaDataType type) {
  return cusparseCreateCsr(out, rows, cols, nnz, rowOffsets, columns, values, offsetType,
                           columnType, base, type);
}
int hipsparseCreateCsc(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t nnz,
                       void *columnOffsets, void *rowIndices, void *values,
                       cusparseIndexType_t offsetType, cusparseIndexType_t rowType,
                       cusparseIndexBase_t base, cudaDataType type) {
  return cusparseCreateCsc(out, rows, cols, nnz, columnOffsets, rowIndices, values, offsetType,
                           rowType, base, type);
}
int hipsparseCreateCoo(cusparseSpMatDescr_t *out, int64_t rows, int64_t cols, int64_t nnz,
                       void *rowIndices, void *columns, void *values, cusparseIndexType_t indexType,
                       cusparseIndexBase_t base, cudaDataType type) {
  return cusparseCreateCoo(out, rows, cols, nnz, rowIndices, columns, values, indexType, base,
                           type);
}
int hipsparseDestroyDnVec(cusparseDnVecDescr_t descriptor) {
  return cusparseDestroyDnVec(descriptor);
}
int hipsparseDestroyDnMat(cusparseDnMatDescr_t descriptor) {
  return cusparseDestroyDnMat(descriptor);
}
int hipsparseDestroySpMat(cusparseSpMatDescr_t descriptor) {
  return cusparseDestroySpMat(descriptor);
}

int hipsparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                             cusparseSpMatDescr_t A, cusparseDnVecDescr_t x, const void *beta,
                             cusparseDnVecDescr_t y, cudaDataType type, int, size_t *bytes) {
  return cusparseSpMV_bufferSize(handle, op, alpha, A, x, beta, y, type, CUSPARSE_SPMV_ALG_DEFAULT,
                                 bytes);
}
int hipsparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                  cusparseSpMatDescr_t A, cusparseDnVecDescr_t x, const void *beta,
                  cusparseDnVecDescr_t y, cudaDataType type, int, void *buffer) {
  return cusparseSpMV(handle, op, alpha, A, x, beta, y, type, CUSPARSE_SPMV_ALG_DEFAULT, buffer);
}
int hipsparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA,
                             cusparseOperation_t opB, const void *alpha, cusparseSpMatDescr_t A,
                             cusparseDnMatDescr_t B, const void *beta, cusparseDnMatDescr_t C,
                             cudaDataType type, int, size_t *bytes) {
  return cusparseSpMM_bufferSize(handle, opA, opB, alpha, A, B, beta, C, type,
                                 CUSPARSE_SPMM_ALG_DEFAULT, bytes);
}
int hipsparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                  const void *alpha, cusparseSpMatDescr_t A, cusparseDnMatDescr_t B,
                  const void *beta, cusparseDnMatDescr_t C, cudaDataType type, int, void *buffer) {
  return cusparseSpMM(handle, opA, opB, alpha, A, B, beta, C, type, CUSPARSE_SPMM_ALG_DEFAULT,
                      buffer);
}
}
