//===- work.h - Work of cuSPARSE --------------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/libraries/cusparse/descriptors.h"
#include "runtime/libraries/cusparse/hip.h"
#include "runtime/libraries/elements/elements.h"
#include "runtime/libraries/stream/submit.h"

#include <cstring>
#include <utility>

namespace regrain::cusparse {

using namespace libraries;

cusparseStatus_t statusOf(cudaError_t error);

/// Returns NOT_INITIALIZED without a handle, and INVALID_VALUE if a pointer is null.
template <class... Pointers>
cusparseStatus_t checkGiven(cusparseHandle_t handle, const Pointers *...pointers) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  return (pointers && ...) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}

/// Queues `work` for the CPU in the handle's stream. On an AMD GPU, it is refused.
template <class Work> cusparseStatus_t run(cusparseHandle_t handle, Work work) {
  return handle->hip ? hip::refuse() : statusOf(submit(handle->stream, std::move(work)));
}

/// Does the same, and returns when the work is done.
template <class Work> cusparseStatus_t runAndWait(cusparseHandle_t handle, Work work) {
  return handle->hip ? hip::refuse() : statusOf(submitAndWait(handle->stream, std::move(work)));
}

/// Does the same for work that writes a scalar where the handle's pointer mode says.
template <class Work> cusparseStatus_t runForResult(cusparseHandle_t handle, Work work) {
  return handle->pointerMode == CUSPARSE_POINTER_MODE_HOST ? runAndWait(handle, std::move(work))
                                                           : run(handle, std::move(work));
}

/// Calls `compute(Tag<N>())` with the type of arithmetic. Returns NOT_SUPPORTED for an unknown one.
template <class Compute> cusparseStatus_t inType(cudaDataType type, Compute compute) {
  switch (type) {
  case CUDA_R_16F:
  case CUDA_R_16BF:
  case CUDA_R_32F:
    return compute(Tag<float>());
  case CUDA_R_32I:
  case CUDA_R_64F:
    return compute(Tag<double>());
  case CUDA_C_32F:
    return compute(Tag<std::complex<float>>());
  case CUDA_C_64F:
    return compute(Tag<std::complex<double>>());
  default:
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  }
}

/// A scalar of the type of arithmetic. It is read at the call from host memory, and when the work
/// runs from device memory.
class Scalar {
public:
  Scalar(cusparseHandle_t handle, const void *pointer, cudaDataType type)
      : pointer(pointer), type(type) {
    isHost = handle->pointerMode == CUSPARSE_POINTER_MODE_HOST;
    if (isHost)
      std::memcpy(value, pointer, sizeOf(type));
  }
  template <class N> N get() const { return loadElement<N>(isHost ? value : pointer, type); }

private:
  alignas(16) char value[16] = {};
  const void *pointer;
  cudaDataType type;
  bool isHost;
};

inline int64_t indexAt(const void *indices, cusparseIndexType_t type, int64_t at) {
  return type == CUSPARSE_INDEX_64I ? static_cast<const int64_t *>(indices)[at]
                                    : static_cast<const int32_t *>(indices)[at];
}
inline void setIndex(void *indices, cusparseIndexType_t type, int64_t at, int64_t value) {
  if (type == CUSPARSE_INDEX_64I)
    static_cast<int64_t *>(indices)[at] = value;
  else
    static_cast<int32_t *>(indices)[at] = int32_t(value);
}

/// The values of an array as numbers of type N, which are converted if they have another type.
template <class N> class Values {
public:
  Values(const void *from, cudaDataType type, int64_t count) {
    constexpr cudaDataType same = std::is_same_v<N, float>                 ? CUDA_R_32F
                                  : std::is_same_v<N, double>              ? CUDA_R_64F
                                  : std::is_same_v<N, std::complex<float>> ? CUDA_C_32F
                                                                           : CUDA_C_64F;
    if (type == same) {
      numbers = static_cast<const N *>(from);
      return;
    }
    converted = loadMatrix<N>(from, type, 1, count, 1);
    numbers = converted.data();
  }
  const N &operator[](int64_t at) const { return numbers[at]; }

private:
  std::vector<N> converted;
  const N *numbers = nullptr;
};

template <class N> N conjugate(N x) {
  if constexpr (std::is_arithmetic_v<N>)
    return x;
  else
    return std::conj(x);
}

/// Returns the bytes that are `elements` elements after `base`.
inline void *advance(void *base, int64_t elements, cudaDataType type) {
  return static_cast<char *>(base) + elements * int64_t(sizeOf(type));
}

inline size_t indexBytes(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_64I ? sizeof(int64_t) : sizeof(int32_t);
}

/// Returns matrix `i` of a batch.
inline cusparseSpMatDescr batchMember(cusparseSpMatDescr matrix, int i) {
  matrix.outer =
      static_cast<char *>(matrix.outer) + i * matrix.outerStride * indexBytes(matrix.outerType);
  matrix.inner =
      static_cast<char *>(matrix.inner) + i * matrix.innerStride * indexBytes(matrix.innerType);
  matrix.values = advance(matrix.values, i * matrix.innerStride, matrix.type);
  return matrix;
}
inline cusparseDnMatDescr batchMember(cusparseDnMatDescr matrix, int i) {
  matrix.values = advance(matrix.values, i * matrix.batchStride, matrix.type);
  return matrix;
}

/// Calls `visit(row, column, place of the value)` for each entry of the matrix.
template <class Visit> void forEntries(const cusparseSpMatDescr &m, Visit visit) {
  if (m.format == CUSPARSE_FORMAT_COO) {
    for (int64_t at = 0; at < m.nnz; ++at)
      visit(indexAt(m.outer, m.outerType, at) - m.base, indexAt(m.inner, m.innerType, at) - m.base,
            at);
    return;
  }
  bool isCsc = m.format == CUSPARSE_FORMAT_CSC;
  int64_t outerCount = isCsc ? m.cols : m.rows, size = m.blockRows * m.blockCols;
  bool byRows = m.blockOrder == CUSPARSE_ORDER_ROW;
  for (int64_t outer = 0; outer < outerCount; ++outer) {
    int64_t end = indexAt(m.outer, m.outerType, outer + 1) - m.base;
    for (int64_t at = indexAt(m.outer, m.outerType, outer) - m.base; at < end; ++at) {
      int64_t inner = indexAt(m.inner, m.innerType, at) - m.base;
      if (size == 1) {
        isCsc ? visit(inner, outer, at) : visit(outer, inner, at);
        continue;
      }
      for (int64_t i = 0; i < m.blockRows; ++i)
        for (int64_t j = 0; j < m.blockCols; ++j)
          visit(outer * m.blockRows + i, inner * m.blockCols + j,
                at * size + (byRows ? i * m.blockCols + j : i + j * m.blockRows));
    }
  }
}

inline int64_t rowsOf(const cusparseSpMatDescr &m) { return m.rows * m.blockRows; }
inline int64_t colsOf(const cusparseSpMatDescr &m) { return m.cols * m.blockCols; }
inline int64_t valuesOf(const cusparseSpMatDescr &m) { return m.nnz * m.blockRows * m.blockCols; }

/// Returns the place of an element in memory.
inline int64_t placeOf(const cusparseDnMatDescr &m, int64_t row, int64_t col) {
  return m.order == CUSPARSE_ORDER_COL ? row + col * m.ld : row * m.ld + col;
}

/// op(A) of a dense matrix, of numbers of type N.
template <class N> class DenseView {
public:
  DenseView(const cusparseDnMatDescr &m, cusparseOperation_t op)
      : matrix(m), op(op),
        values(m.values, m.type, m.ld * (m.order == CUSPARSE_ORDER_COL ? m.cols : m.rows)) {}
  int64_t rows() const {
    return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? matrix.rows : matrix.cols;
  }
  int64_t cols() const {
    return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? matrix.cols : matrix.rows;
  }
  N operator()(int64_t row, int64_t col) const {
    if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
      return values[placeOf(matrix, row, col)];
    N value = values[placeOf(matrix, col, row)];
    return op == CUSPARSE_OPERATION_TRANSPOSE ? value : conjugate(value);
  }

private:
  cusparseDnMatDescr matrix;
  cusparseOperation_t op;
  Values<N> values;
};

inline int64_t rowsOf(const cusparseSpMatDescr &m, cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? rowsOf(m) : colsOf(m);
}
inline int64_t colsOf(const cusparseSpMatDescr &m, cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? colsOf(m) : rowsOf(m);
}
inline int64_t rowsOf(const cusparseDnMatDescr &m, cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? m.rows : m.cols;
}
inline int64_t colsOf(const cusparseDnMatDescr &m, cusparseOperation_t op) {
  return op == CUSPARSE_OPERATION_NON_TRANSPOSE ? m.cols : m.rows;
}

/// Calls `visit(row, column, value)` for each entry of op(A).
template <class N, class Visit>
void forValues(const cusparseSpMatDescr &m, cusparseOperation_t op, Visit visit) {
  Values<N> values(m.values, m.type, valuesOf(m));
  forEntries(m, [&](int64_t row, int64_t col, int64_t at) {
    if (op == CUSPARSE_OPERATION_NON_TRANSPOSE)
      visit(row, col, values[at]);
    else
      visit(col, row, op == CUSPARSE_OPERATION_TRANSPOSE ? values[at] : conjugate(values[at]));
  });
}

/// Stores alpha sum + beta (the element), which is not read if beta is 0.
template <class N>
void combine(N alpha, N sum, N beta, void *values, cudaDataType type, int64_t at) {
  N result = alpha * sum;
  if (beta != N())
    result += beta * loadElement<N>(values, type, at);
  storeElement(result, values, type, at);
}

/// The size that programs are told for memory that no entry needs. It is not 0, so that the pointer
/// to that memory is not null, by which some entries know what is asked.
inline constexpr size_t unusedBytes = 16;

} // namespace regrain::cusparse
