//===- descriptors.h - What the handles of cuSPARSE stand for ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda-libraries/cusparse.h"

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointerMode = CUSPARSE_POINTER_MODE_HOST;
  void *hip = nullptr; ///< the handle of hipSPARSE, if the work runs on an AMD GPU
};

struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fillMode = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagType = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t indexBase = CUSPARSE_INDEX_BASE_ZERO;
};

struct cusparseSpVecDescr {
  int64_t size, nnz;
  void *indices, *values;
  cusparseIndexType_t indexType;
  cusparseIndexBase_t base;
  cudaDataType type;
};

struct cusparseDnVecDescr {
  int64_t size;
  void *values;
  cudaDataType type;
};

/// A matrix in one of the formats. A batch has one matrix after the other.
struct cusparseSpMatDescr {
  cusparseFormat_t format;
  int64_t rows, cols, nnz;
  void *outer; ///< offsets of rows (CSR, BSR) or columns (CSC), or the rows (COO)
  void *inner; ///< the columns, or the rows (CSC)
  void *values;
  cusparseIndexType_t outerType, innerType;
  cusparseIndexBase_t base;
  cudaDataType type;
  /// BSR counts rows, columns and nonzeros in blocks; otherwise a block is an element.
  int64_t blockRows = 1, blockCols = 1;
  cusparseOrder_t blockOrder = CUSPARSE_ORDER_ROW;
  cusparseFillMode_t fillMode = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagType = CUSPARSE_DIAG_TYPE_NON_UNIT;
  int batchCount = 1;
  int64_t outerStride = 0, innerStride = 0;
};

struct cusparseDnMatDescr {
  int64_t rows, cols, ld;
  void *values;
  cudaDataType type;
  cusparseOrder_t order;
  int batchCount = 1;
  int64_t batchStride = 0;
};
