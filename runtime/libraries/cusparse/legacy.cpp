//===- legacy.cpp - Incomplete factors, and counts ------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cusparse/work.h"
#include "runtime/libraries/elements/numbers.h"

#include <memory>
#include <new>

using namespace regrain::cusparse;

struct csrilu02Info {
  /// The row of the first pivot that is missing or zero, with the base of the indices; -1: none.
  std::shared_ptr<int> zeroPivot = std::make_shared<int>(-1);
};

namespace {

/// A = L U at the entries of A, whose columns are sorted in each row. Returns the first zero pivot.
template <class N> int factor(int m, N *values, const int *offsets, const int *cols, int base) {
  std::vector<int> place(m, -1), diagonal(m, -1); // places of values
  int firstZero = -1;
  for (int row = 0; row < m; ++row) {
    int begin = offsets[row] - base, end = offsets[row + 1] - base;
    for (int at = begin; at < end; ++at)
      place[cols[at] - base] = at;
    diagonal[row] = place[row];
    for (int at = begin; at < end && cols[at] - base < row; ++at) {
      int pivot = cols[at] - base;
      if (diagonal[pivot] < 0)
        continue;
      values[at] /= values[diagonal[pivot]];
      for (int of = diagonal[pivot] + 1; of < offsets[pivot + 1] - base; ++of)
        if (int to = place[cols[of] - base]; to >= 0)
          values[to] -= values[at] * values[of];
    }
    if (firstZero < 0 && (diagonal[row] < 0 || values[diagonal[row]] == N()))
      firstZero = row + base;
    for (int at = begin; at < end; ++at)
      place[cols[at] - base] = -1;
  }
  return firstZero;
}

template <class T>
cusparseStatus_t factorIncompletely(cusparseHandle_t handle, int m, int nnz,
                                    cusparseMatDescr_t descriptor, T *values, const int *offsets,
                                    const int *cols, csrilu02Info_t info) {
  if (cusparseStatus_t status = checkGiven(handle, descriptor, offsets, info))
    return status;
  if (m < 0 || nnz < 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  int base = descriptor->indexBase;
  return run(handle, [=, result = info->zeroPivot] {
    *result =
        factor(m, reinterpret_cast<regrain::libraries::Number<T> *>(values), offsets, cols, base);
  });
}

template <class T>
cusparseStatus_t count(cusparseHandle_t handle, cusparseDirection_t direction, int m, int n,
                       cusparseMatDescr_t descriptor, const T *A, int lda, int *counts,
                       int *total) {
  if (cusparseStatus_t status = checkGiven(handle, descriptor, A, counts, total))
    return status;
  if (m < 0 || n < 0 || lda < m)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return runForResult(handle, [=] {
    using N = regrain::libraries::Number<T>;
    bool byRows = direction == CUSPARSE_DIRECTION_ROW;
    std::fill(counts, counts + (byRows ? m : n), 0);
    *total = 0;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        if (reinterpret_cast<const N *>(A)[i + int64_t(j) * lda] != N()) {
          ++counts[byRows ? i : j];
          ++*total;
        }
  });
}

} // namespace

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info) {
  if (!info)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *info = new (std::nothrow) csrilu02Info();
  return *info ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) {
  delete info;
  return CUSPARSE_STATUS_SUCCESS;
}

/// This waits for the factorisation.
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                             int *position) {
  if (cusparseStatus_t status = checkGiven(handle, info, position))
    return status;
  if (cudaError_t error = cudaStreamSynchronize(handle->stream); error != cudaSuccess)
    return statusOf(error);
  *position = *info->zeroPivot;
  return *position < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

#define REGRAIN_TYPED(P, T)                                                                        \
  cusparseStatus_t cusparse##P##nnz(cusparseHandle_t handle, cusparseDirection_t direction, int m, \
                                    int n, const cusparseMatDescr_t descriptor, const T *A,        \
                                    int lda, int *counts, int *total) {                            \
    return count(handle, direction, m, n, descriptor, A, lda, counts, total);                      \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csrilu02_bufferSize(                                               \
      cusparseHandle_t handle, int, int, const cusparseMatDescr_t descriptor, T *, const int *,    \
      const int *, csrilu02Info_t info, int *bytes) {                                              \
    if (cusparseStatus_t status = checkGiven(handle, descriptor, info, bytes))                     \
      return status;                                                                               \
    *bytes = int(unusedBytes);                                                                     \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csrilu02_analysis(                                                 \
      cusparseHandle_t handle, int, int, const cusparseMatDescr_t descriptor, const T *,           \
      const int *, const int *, csrilu02Info_t info, cusparseSolvePolicy_t, void *) {              \
    return checkGiven(handle, descriptor, info);                                                   \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csrilu02(                                                          \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descriptor, T *values,     \
      const int *offsets, const int *cols, csrilu02Info_t info, cusparseSolvePolicy_t, void *) {   \
    return factorIncompletely(handle, m, nnz, descriptor, values, offsets, cols, info);            \
  }

REGRAIN_TYPED(S, float)
REGRAIN_TYPED(D, double)
REGRAIN_TYPED(C, cuComplex)
REGRAIN_TYPED(Z, cuDoubleComplex)
