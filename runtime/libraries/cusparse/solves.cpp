//===- solves.cpp - Systems with sparse triangular matrices ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cusparse/work.h"

#include <new>

using namespace regrain::cusparse;

// An analysis keeps nothing: the work of a solution looks at the matrix itself.
struct cusparseSpSVDescr {};
struct cusparseSpSMDescr {};

namespace {

const char *address(const void *pointer) { return static_cast<const char *>(pointer); }

template <class Descriptor> cusparseStatus_t create(Descriptor **descriptor) {
  if (!descriptor)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *descriptor = new (std::nothrow) Descriptor();
  return *descriptor ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

/// The triangle of op(A), by rows.
template <class N> struct Triangle {
  struct Entry {
    int64_t col;
    N value;
  };
  std::vector<std::vector<Entry>> rows; ///< without the diagonal
  std::vector<N> diagonal;
  bool isLower;

  Triangle(const cusparseSpMatDescr &A, cusparseOperation_t op)
      : rows(A.rows), diagonal(A.rows, A.diagType == CUSPARSE_DIAG_TYPE_UNIT ? N(1) : N()),
        isLower((A.fillMode == CUSPARSE_FILL_MODE_LOWER) ==
                (op == CUSPARSE_OPERATION_NON_TRANSPOSE)) {
    forValues<N>(A, op, [&](int64_t row, int64_t col, N value) {
      if (row == col && A.diagType != CUSPARSE_DIAG_TYPE_UNIT)
        diagonal[row] += value;
      else if (isLower ? col < row : col > row)
        rows[row].push_back({col, value});
    });
  }

  /// Replaces `x`, the right-hand side, by the solution.
  void solve(std::vector<N> &x) const {
    int64_t n = int64_t(rows.size());
    for (int64_t step = 0; step < n; ++step) {
      int64_t row = isLower ? step : n - 1 - step;
      for (const Entry &entry : rows[row])
        x[row] -= entry.value * x[entry.col];
      x[row] /= diagonal[row];
    }
  }
};

bool isSquare(const cusparseSpMatDescr &A) { return A.rows == A.cols && A.blockRows == 1; }

} // namespace

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *descriptor) {
  return create(descriptor);
}
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descriptor) {
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *descriptor) {
  return create(descriptor);
}
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descriptor) {
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t, const void *,
                                         cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY,
                                         cudaDataType, cusparseSpSVAlg_t,
                                         cusparseSpSVDescr_t descriptor, size_t *bytes) {
  if (cusparseStatus_t status = checkGiven(handle, matA, vecX, vecY, descriptor, bytes))
    return status;
  *bytes = unusedBytes;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t, const void *,
                                       cusparseConstSpMatDescr_t matA,
                                       cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY,
                                       cudaDataType, cusparseSpSVAlg_t,
                                       cusparseSpSVDescr_t descriptor, void *) {
  return checkGiven(handle, matA, vecX, vecY, descriptor);
}

cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op,
                                    const void *alpha, cusparseConstSpMatDescr_t matA,
                                    cusparseConstDnVecDescr_t vecX, cusparseDnVecDescr_t vecY,
                                    cudaDataType computeType, cusparseSpSVAlg_t,
                                    cusparseSpSVDescr_t descriptor) {
  if (cusparseStatus_t status = checkGiven(handle, matA, vecX, vecY, descriptor, address(alpha)))
    return status;
  if (!isSquare(*matA) || vecX->size != matA->rows || vecY->size != matA->rows)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return inType(computeType, [&]<class N>(Tag<N>) {
    Scalar factor(handle, alpha, computeType);
    return run(handle, [=, A = *matA, in = *vecX, out = *vecY] {
      std::vector<N> x = loadMatrix<N>(in.values, in.type, 1, in.size, 1);
      for (N &element : x)
        element *= factor.get<N>();
      Triangle<N>(A, op).solve(x);
      storeMatrix(x, out.values, out.type, 1, out.size, 1);
    });
  });
}

cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
                                         cusparseOperation_t, const void *,
                                         cusparseConstSpMatDescr_t matA,
                                         cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
                                         cudaDataType, cusparseSpSMAlg_t,
                                         cusparseSpSMDescr_t descriptor, size_t *bytes) {
  if (cusparseStatus_t status = checkGiven(handle, matA, matB, matC, descriptor, bytes))
    return status;
  *bytes = unusedBytes;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t,
                                       cusparseOperation_t, const void *,
                                       cusparseConstSpMatDescr_t matA,
                                       cusparseConstDnMatDescr_t matB, cusparseDnMatDescr_t matC,
                                       cudaDataType, cusparseSpSMAlg_t,
                                       cusparseSpSMDescr_t descriptor, void *) {
  return checkGiven(handle, matA, matB, matC, descriptor);
}

cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opA,
                                    cusparseOperation_t opB, const void *alpha,
                                    cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                                    cusparseDnMatDescr_t matC, cudaDataType computeType,
                                    cusparseSpSMAlg_t, cusparseSpSMDescr_t descriptor) {
  if (cusparseStatus_t status = checkGiven(handle, matA, matB, matC, descriptor, address(alpha)))
    return status;
  if (!isSquare(*matA) || rowsOf(*matB, opB) != matA->rows || matC->rows != matA->rows ||
      matC->cols != colsOf(*matB, opB))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return inType(computeType, [&]<class N>(Tag<N>) {
    Scalar factor(handle, alpha, computeType);
    return run(handle, [=, A = *matA, B = *matB, C = *matC] {
      Triangle<N> triangle(A, opA);
      DenseView<N> right(B, opB);
      std::vector<N> x(C.rows);
      for (int64_t j = 0; j < C.cols; ++j) {
        for (int64_t i = 0; i < C.rows; ++i)
          x[i] = factor.get<N>() * right(i, j);
        triangle.solve(x);
        for (int64_t i = 0; i < C.rows; ++i)
          storeElement(x[i], C.values, C.type, placeOf(C, i, j));
      }
    });
  });
}
