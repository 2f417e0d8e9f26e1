//===- conversions.cpp - Conversions between formats ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cusparse/work.h"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace regrain::cusparse;

namespace {

cusparseStatus_t giveSize(cusparseHandle_t handle, size_t *bytes) {
  if (cusparseStatus_t status = checkGiven(handle, bytes))
    return status;
  *bytes = unusedBytes;
  return CUSPARSE_STATUS_SUCCESS;
}

/// Calls `visit(outer, inner, place)` for each element of `dense` that is not zero, in the order of
/// a sparse matrix of the format.
template <class Visit>
void forNonzeros(const cusparseDnMatDescr &dense, cusparseFormat_t format, Visit visit) {
  bool byColumns = format == CUSPARSE_FORMAT_CSC;
  int64_t outerCount = byColumns ? dense.cols : dense.rows;
  int64_t innerCount = byColumns ? dense.rows : dense.cols;
  for (int64_t outer = 0; outer < outerCount; ++outer)
    for (int64_t inner = 0; inner < innerCount; ++inner) {
      int64_t place = byColumns ? placeOf(dense, inner, outer) : placeOf(dense, outer, inner);
      if (loadElement<std::complex<double>>(dense.values, dense.type, place) != 0.0)
        visit(outer, inner, place);
    }
}

bool isConvertible(const cusparseDnMatDescr &dense, const cusparseSpMatDescr &sparse) {
  return dense.rows == sparse.rows && dense.cols == sparse.cols && dense.type == sparse.type;
}

bool isKnownFormat(const cusparseSpMatDescr &sparse) {
  return sparse.format == CUSPARSE_FORMAT_CSR || sparse.format == CUSPARSE_FORMAT_CSC ||
         sparse.format == CUSPARSE_FORMAT_COO;
}

/// Writes the offsets of CSR or CSC.
void writeOffsets(const cusparseDnMatDescr &dense, const cusparseSpMatDescr &sparse) {
  int64_t outerCount = sparse.format == CUSPARSE_FORMAT_CSC ? sparse.cols : sparse.rows;
  std::vector<int64_t> counts(outerCount + 1);
  forNonzeros(dense, sparse.format, [&](int64_t outer, int64_t, int64_t) { ++counts[outer + 1]; });
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
  for (int64_t outer = 0; outer <= outerCount; ++outer)
    setIndex(sparse.outer, sparse.outerType, outer, counts[outer] + sparse.base);
}

void writeEntries(const cusparseDnMatDescr &dense, const cusparseSpMatDescr &sparse) {
  int64_t at = 0;
  size_t bytes = sizeOf(sparse.type);
  forNonzeros(dense, sparse.format, [&](int64_t outer, int64_t inner, int64_t place) {
    if (sparse.format == CUSPARSE_FORMAT_COO)
      setIndex(sparse.outer, sparse.outerType, at, outer + sparse.base);
    setIndex(sparse.inner, sparse.innerType, at, inner + sparse.base);
    std::memcpy(advance(sparse.values, at, sparse.type), advance(dense.values, place, dense.type),
                bytes);
    ++at;
  });
}

/// Sorts entries first..last by `keys`, and the arrays beside them with them.
void sortTogether(std::vector<int *> arrays, int first, int last,
                  const std::function<bool(int, int)> &isBefore) {
  std::vector<int> order(last - first);
  std::iota(order.begin(), order.end(), first);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return isBefore(a, b) || (!isBefore(b, a) && a < b); // equal ones keep their order
  });
  std::vector<int> sorted(order.size());
  for (int *array : arrays) {
    if (!array)
      continue;
    for (size_t i = 0; i < order.size(); ++i)
      sorted[i] = array[order[i]];
    std::copy(sorted.begin(), sorted.end(), array + first);
  }
}

/// Sorts the inner indices of each row or column. `permutation` may be null.
cusparseStatus_t sortInner(cusparseHandle_t handle, int outerCount, int nnz,
                           cusparseMatDescr_t descriptor, const int *offsets, int *inner,
                           int *permutation) {
  if (cusparseStatus_t status = checkGiven(handle, descriptor, offsets))
    return status;
  if (outerCount < 0 || nnz < 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  int base = descriptor->indexBase;
  return run(handle, [=] {
    for (int outer = 0; outer < outerCount; ++outer)
      sortTogether({permutation, inner}, offsets[outer] - base, offsets[outer + 1] - base,
                   [=](int a, int b) { return inner[a] < inner[b]; });
  });
}

cusparseStatus_t sortCoo(cusparseHandle_t handle, int nnz, int *major, int *minor,
                         int *permutation) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (nnz < 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return run(handle, [=] {
    std::vector<int> first(major, major + nnz), second(minor, minor + nnz);
    sortTogether({major, minor, permutation}, 0, nnz, [&](int a, int b) {
      return std::pair(first[a], second[a]) < std::pair(first[b], second[b]);
    });
  });
}

} // namespace

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t, cusparseDnMatDescr_t,
                                                  cusparseSparseToDenseAlg_t, size_t *bytes) {
  return giveSize(handle, bytes);
}

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                       cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t,
                                       void *) {
  if (cusparseStatus_t status = checkGiven(handle, matA, matB))
    return status;
  if (matB->rows != rowsOf(*matA) || matB->cols != colsOf(*matA) || matA->type != matB->type)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return run(handle, [sparse = *matA, dense = *matB] {
    size_t bytes = sizeOf(dense.type);
    for (int64_t i = 0; i < dense.rows; ++i)
      for (int64_t j = 0; j < dense.cols; ++j)
        std::memset(advance(dense.values, placeOf(dense, i, j), dense.type), 0, bytes);
    forEntries(sparse, [&](int64_t row, int64_t col, int64_t at) {
      std::memcpy(advance(dense.values, placeOf(dense, row, col), dense.type),
                  advance(sparse.values, at, sparse.type), bytes);
    });
  });
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t, cusparseSpMatDescr_t,
                                                  cusparseDenseToSparseAlg_t, size_t *bytes) {
  return giveSize(handle, bytes);
}

/// The program asks for the number of entries afterwards.
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t matA,
                                                cusparseSpMatDescr_t matB,
                                                cusparseDenseToSparseAlg_t, void *) {
  if (cusparseStatus_t status = checkGiven(handle, matA, matB))
    return status;
  if (!isKnownFormat(*matB))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (!isConvertible(*matA, *matB))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return runAndWait(handle, [matB, dense = *matA] {
    matB->nnz = 0;
    forNonzeros(dense, matB->format, [&](int64_t, int64_t, int64_t) { ++matB->nnz; });
    if (matB->format != CUSPARSE_FORMAT_COO)
      writeOffsets(dense, *matB);
  });
}

cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle,
                                               cusparseConstDnMatDescr_t matA,
                                               cusparseSpMatDescr_t matB,
                                               cusparseDenseToSparseAlg_t, void *) {
  if (cusparseStatus_t status = checkGiven(handle, matA, matB))
    return status;
  if (!isKnownFormat(*matB))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (!isConvertible(*matA, *matB))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return run(handle, [dense = *matA, sparse = *matB] {
    if (sparse.format != CUSPARSE_FORMAT_COO)
      writeOffsets(dense, sparse);
    writeEntries(dense, sparse);
  });
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int nnz, int m,
                                  int *offsets, cusparseIndexBase_t base) {
  if (cusparseStatus_t status = checkGiven(handle, offsets))
    return status;
  if (nnz < 0 || m < 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return run(handle, [=] {
    std::fill(offsets, offsets + m + 1, 0);
    for (int i = 0; i < nnz; ++i)
      ++offsets[rows[i] - base + 1];
    offsets[0] = base;
    std::partial_sum(offsets, offsets + m + 1, offsets);
  });
}

cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *offsets, int nnz, int m,
                                  int *rows, cusparseIndexBase_t base) {
  if (cusparseStatus_t status = checkGiven(handle, offsets))
    return status;
  if (nnz < 0 || m < 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return run(handle, [=] {
    for (int row = 0; row < m; ++row)
      std::fill(rows + offsets[row] - base, rows + offsets[row + 1] - base, row + base);
  });
}

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *p) {
  if (cusparseStatus_t status = checkGiven(handle, p))
    return status;
  return n < 0 ? CUSPARSE_STATUS_INVALID_VALUE : run(handle, [=] { std::iota(p, p + n, 0); });
}

cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int *,
                                                const int *, size_t *bytes) {
  return giveSize(handle, bytes);
}
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int, int, int nnz, int *rows,
                                       int *cols, int *P, void *) {
  return sortCoo(handle, nnz, rows, cols, P);
}
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int, int, int nnz, int *rows,
                                          int *cols, int *P, void *) {
  return sortCoo(handle, nnz, cols, rows, P);
}

cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int *,
                                                const int *, size_t *bytes) {
  return giveSize(handle, bytes);
}
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int, int nnz,
                                  const cusparseMatDescr_t descriptor, const int *offsets,
                                  int *cols, int *P, void *) {
  return sortInner(handle, m, nnz, descriptor, offsets, cols, P);
}
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int *,
                                                const int *, size_t *bytes) {
  return giveSize(handle, bytes);
}
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int, int n, int nnz,
                                  const cusparseMatDescr_t descriptor, const int *offsets,
                                  int *rows, int *P, void *) {
  return sortInner(handle, n, nnz, descriptor, offsets, rows, P);
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int, int, int, const void *,
                                               const int *, const int *, void *, int *, int *,
                                               cudaDataType, cusparseAction_t, cusparseIndexBase_t,
                                               cusparseCsr2CscAlg_t, size_t *bytes) {
  return giveSize(handle, bytes);
}

cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                    const void *values, const int *rowOffsets, const int *cols,
                                    void *outValues, int *colOffsets, int *rows, cudaDataType type,
                                    cusparseAction_t action, cusparseIndexBase_t base,
                                    cusparseCsr2CscAlg_t, void *) {
  if (cusparseStatus_t status = checkGiven(handle, rowOffsets, colOffsets))
    return status;
  if (m < 0 || n < 0 || nnz < 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  size_t bytes = action == CUSPARSE_ACTION_NUMERIC ? sizeOf(type) : 0;
  if (action == CUSPARSE_ACTION_NUMERIC && !bytes)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  return run(handle, [=] {
    std::vector<int> next(n + 1);
    for (int i = 0; i < nnz; ++i)
      ++next[cols[i] - base + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (int col = 0; col <= n; ++col)
      colOffsets[col] = next[col] + base;
    for (int row = 0; row < m; ++row)
      for (int at = rowOffsets[row] - base; at < rowOffsets[row + 1] - base; ++at) {
        int to = next[cols[at] - base]++;
        rows[to] = row + base;
        if (bytes)
          std::memcpy(static_cast<char *>(outValues) + to * bytes,
                      static_cast<const char *>(values) + at * bytes, bytes);
      }
  });
}
