//===- descriptors.cpp - The descriptors of cuSPARSE ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cusparse/work.h"

#include <new>

namespace {

template <class Handle, class Descriptor>
cusparseStatus_t create(Handle *handle, bool isValid, const Descriptor &descriptor) {
  if (!handle || !isValid)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *handle = new (std::nothrow) Descriptor(descriptor);
  return *handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

template <class Descriptor> cusparseStatus_t destroy(const Descriptor *descriptor) {
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Descriptor, class Body> cusparseStatus_t get(Descriptor *descriptor, Body body) {
  if (!descriptor)
    return CUSPARSE_STATUS_INVALID_VALUE;
  body();
  return CUSPARSE_STATUS_SUCCESS;
}

template <class T> void give(T *to, T value) {
  if (to)
    *to = value;
}

template <class Pointer>
cusparseStatus_t getMatrix(const cusparseSpMatDescr *d, cusparseFormat_t format, int64_t *rows,
                           int64_t *cols, int64_t *nnz, Pointer *outer, Pointer *inner,
                           Pointer *values, cusparseIndexType_t *outerType,
                           cusparseIndexType_t *innerType, cusparseIndexBase_t *base,
                           cudaDataType *type) {
  if (!d || d->format != format)
    return CUSPARSE_STATUS_INVALID_VALUE;
  give(rows, d->rows), give(cols, d->cols), give(nnz, d->nnz);
  give<Pointer>(outer, d->outer), give<Pointer>(inner, d->inner), give<Pointer>(values, d->values);
  give(outerType, d->outerType), give(innerType, d->innerType);
  give(base, d->base), give(type, d->type);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t setPointers(cusparseSpMatDescr *d, cusparseFormat_t format, void *outer,
                             void *inner, void *values) {
  if (!d || d->format != format)
    return CUSPARSE_STATUS_INVALID_VALUE;
  d->outer = outer, d->inner = inner, d->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

} // namespace

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *descriptor, int64_t size, int64_t nnz,
                                     void *indices, void *values, cusparseIndexType_t indexType,
                                     cusparseIndexBase_t base, cudaDataType type) {
  return create(descriptor, size >= 0 && nnz >= 0 && nnz <= size,
                cusparseSpVecDescr{size, nnz, indices, values, indexType, base, type});
}
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *descriptor, int64_t size, void *values,
                                     cudaDataType type) {
  return create(descriptor, size >= 0, cusparseDnVecDescr{size, values, type});
}
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *descriptor, int64_t rows, int64_t cols,
                                     int64_t ld, void *values, cudaDataType type,
                                     cusparseOrder_t order) {
  bool isValid = rows >= 0 && cols >= 0 && ld >= (order == CUSPARSE_ORDER_COL ? rows : cols);
  return create(descriptor, isValid, cusparseDnMatDescr{rows, cols, ld, values, type, order});
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *descriptor, int64_t rows, int64_t cols,
                                   int64_t nnz, void *rowIndices, void *colIndices, void *values,
                                   cusparseIndexType_t indexType, cusparseIndexBase_t base,
                                   cudaDataType type) {
  return create(descriptor, rows >= 0 && cols >= 0 && nnz >= 0,
                cusparseSpMatDescr{CUSPARSE_FORMAT_COO, rows, cols, nnz, rowIndices, colIndices,
                                   values, indexType, indexType, base, type});
}
cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t *descriptor, int64_t rows, int64_t cols,
                                   int64_t nnz, int64_t blockRows, int64_t blockCols, void *offsets,
                                   void *colIndices, void *values, cusparseIndexType_t offsetsType,
                                   cusparseIndexType_t indexType, cusparseIndexBase_t base,
                                   cudaDataType type, cusparseOrder_t order) {
  bool isValid = rows >= 0 && cols >= 0 && nnz >= 0 && blockRows > 0 && blockCols > 0;
  return create(descriptor, isValid,
                cusparseSpMatDescr{CUSPARSE_FORMAT_BSR, rows, cols, nnz, offsets, colIndices,
                                   values, offsetsType, indexType, base, type, blockRows, blockCols,
                                   order});
}
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *descriptor, int64_t rows, int64_t cols,
                                   int64_t nnz, void *offsets, void *indices, void *values,
                                   cusparseIndexType_t offsetsType, cusparseIndexType_t indexType,
                                   cusparseIndexBase_t base, cudaDataType type) {
  return create(descriptor, rows >= 0 && cols >= 0 && nnz >= 0,
                cusparseSpMatDescr{CUSPARSE_FORMAT_CSR, rows, cols, nnz, offsets, indices, values,
                                   offsetsType, indexType, base, type});
}
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *descriptor, int64_t rows, int64_t cols,
                                   int64_t nnz, void *offsets, void *indices, void *values,
                                   cusparseIndexType_t offsetsType, cusparseIndexType_t indexType,
                                   cusparseIndexBase_t base, cudaDataType type) {
  return create(descriptor, rows >= 0 && cols >= 0 && nnz >= 0,
                cusparseSpMatDescr{CUSPARSE_FORMAT_CSC, rows, cols, nnz, offsets, indices, values,
                                   offsetsType, indexType, base, type});
}
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *descriptor, int64_t size,
                                          int64_t nnz, const void *indices, const void *values,
                                          cusparseIndexType_t indexType, cusparseIndexBase_t base,
                                          cudaDataType type) {
  return create(descriptor, size >= 0 && nnz >= 0 && nnz <= size,
                cusparseSpVecDescr{size, nnz, const_cast<void *>(indices),
                                   const_cast<void *>(values), indexType, base, type});
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *descriptor, int64_t size,
                                          const void *values, cudaDataType type) {
  return create(descriptor, size >= 0, cusparseDnVecDescr{size, const_cast<void *>(values), type});
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *descriptor, int64_t rows,
                                          int64_t cols, int64_t ld, const void *values,
                                          cudaDataType type, cusparseOrder_t order) {
  bool isValid = rows >= 0 && cols >= 0 && ld >= (order == CUSPARSE_ORDER_COL ? rows : cols);
  return create(descriptor, isValid,
                cusparseDnMatDescr{rows, cols, ld, const_cast<void *>(values), type, order});
}
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t *descriptor, int64_t rows,
                                        int64_t cols, int64_t nnz, const void *rowIndices,
                                        const void *colIndices, const void *values,
                                        cusparseIndexType_t indexType, cusparseIndexBase_t base,
                                        cudaDataType type) {
  return create(descriptor, rows >= 0 && cols >= 0 && nnz >= 0,
                cusparseSpMatDescr{CUSPARSE_FORMAT_COO, rows, cols, nnz,
                                   const_cast<void *>(rowIndices), const_cast<void *>(colIndices),
                                   const_cast<void *>(values), indexType, indexType, base, type});
}
cusparseStatus_t cusparseCreateConstBsr(cusparseConstSpMatDescr_t *descriptor, int64_t rows,
                                        int64_t cols, int64_t nnz, int64_t blockRows,
                                        int64_t blockCols, const void *offsets,
                                        const void *colIndices, const void *values,
                                        cusparseIndexType_t offsetsType,
                                        cusparseIndexType_t indexType, cusparseIndexBase_t base,
                                        cudaDataType type, cusparseOrder_t order) {
  bool isValid = rows >= 0 && cols >= 0 && nnz >= 0 && blockRows > 0 && blockCols > 0;
  return create(descriptor, isValid,
                cusparseSpMatDescr{CUSPARSE_FORMAT_BSR, rows, cols, nnz,
                                   const_cast<void *>(offsets), const_cast<void *>(colIndices),
                                   const_cast<void *>(values), offsetsType, indexType, base, type,
                                   blockRows, blockCols, order});
}
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *descriptor, int64_t rows,
                                        int64_t cols, int64_t nnz, const void *offsets,
                                        const void *indices, const void *values,
                                        cusparseIndexType_t offsetsType,
                                        cusparseIndexType_t indexType, cusparseIndexBase_t base,
                                        cudaDataType type) {
  return create(descriptor, rows >= 0 && cols >= 0 && nnz >= 0,
                cusparseSpMatDescr{CUSPARSE_FORMAT_CSR, rows, cols, nnz,
                                   const_cast<void *>(offsets), const_cast<void *>(indices),
                                   const_cast<void *>(values), offsetsType, indexType, base, type});
}
cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t *descriptor, int64_t rows,
                                        int64_t cols, int64_t nnz, const void *offsets,
                                        const void *indices, const void *values,
                                        cusparseIndexType_t offsetsType,
                                        cusparseIndexType_t indexType, cusparseIndexBase_t base,
                                        cudaDataType type) {
  return create(descriptor, rows >= 0 && cols >= 0 && nnz >= 0,
                cusparseSpMatDescr{CUSPARSE_FORMAT_CSC, rows, cols, nnz,
                                   const_cast<void *>(offsets), const_cast<void *>(indices),
                                   const_cast<void *>(values), offsetsType, indexType, base, type});
}
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t d, int64_t *size, int64_t *nnz,
                                  void **indices, void **values, cusparseIndexType_t *indexType,
                                  cusparseIndexBase_t *base, cudaDataType *type) {
  return get(d, [&] {
    give(size, d->size), give(nnz, d->nnz), give<void *>(indices, d->indices),
        give<void *>(values, d->values);
    give(indexType, d->indexType), give(base, d->base), give(type, d->type);
  });
}
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t d, int64_t *size, void **values,
                                  cudaDataType *type) {
  return get(d, [&] { give(size, d->size), give<void *>(values, d->values), give(type, d->type); });
}
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t d, int64_t *rows, int64_t *cols, int64_t *ld,
                                  void **values, cudaDataType *type, cusparseOrder_t *order) {
  return get(d, [&] {
    give(rows, d->rows), give(cols, d->cols), give(ld, d->ld), give<void *>(values, d->values);
    give(type, d->type), give(order, d->order);
  });
}
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t d, int64_t *rows, int64_t *cols, int64_t *nnz,
                                void **outer, void **inner, void **values,
                                cusparseIndexType_t *indexType, cusparseIndexBase_t *base,
                                cudaDataType *type) {
  return getMatrix(d, CUSPARSE_FORMAT_COO, rows, cols, nnz, outer, inner, values, indexType,
                   nullptr, base, type);
}
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t d, void **values) {
  return get(d, [&] { give<void *>(values, d->values); });
}
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t d, void **values) {
  return get(d, [&] { give<void *>(values, d->values); });
}
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t d, void **values) {
  return get(d, [&] { give<void *>(values, d->values); });
}
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t d, void **values) {
  return get(d, [&] { give<void *>(values, d->values); });
}
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t d, int64_t *rows, int64_t *cols, int64_t *nnz,
                                void **outer, void **inner, void **values,
                                cusparseIndexType_t *outerType, cusparseIndexType_t *innerType,
                                cusparseIndexBase_t *base, cudaDataType *type) {
  return getMatrix(d, CUSPARSE_FORMAT_CSR, rows, cols, nnz, outer, inner, values, outerType,
                   innerType, base, type);
}
cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t d, int64_t *rows, int64_t *cols, int64_t *nnz,
                                void **outer, void **inner, void **values,
                                cusparseIndexType_t *outerType, cusparseIndexType_t *innerType,
                                cusparseIndexBase_t *base, cudaDataType *type) {
  return getMatrix(d, CUSPARSE_FORMAT_CSC, rows, cols, nnz, outer, inner, values, outerType,
                   innerType, base, type);
}
cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t d, int64_t *size, int64_t *nnz,
                                       const void **indices, const void **values,
                                       cusparseIndexType_t *indexType, cusparseIndexBase_t *base,
                                       cudaDataType *type) {
  return get(d, [&] {
    give(size, d->size), give(nnz, d->nnz), give<const void *>(indices, d->indices),
        give<const void *>(values, d->values);
    give(indexType, d->indexType), give(base, d->base), give(type, d->type);
  });
}
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t d, int64_t *size,
                                       const void **values, cudaDataType *type) {
  return get(
      d, [&] { give(size, d->size), give<const void *>(values, d->values), give(type, d->type); });
}
cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t d, int64_t *rows, int64_t *cols,
                                       int64_t *ld, const void **values, cudaDataType *type,
                                       cusparseOrder_t *order) {
  return get(d, [&] {
    give(rows, d->rows), give(cols, d->cols), give(ld, d->ld),
        give<const void *>(values, d->values);
    give(type, d->type), give(order, d->order);
  });
}
cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t d, int64_t *rows, int64_t *cols,
                                     int64_t *nnz, const void **outer, const void **inner,
                                     const void **values, cusparseIndexType_t *indexType,
                                     cusparseIndexBase_t *base, cudaDataType *type) {
  return getMatrix(d, CUSPARSE_FORMAT_COO, rows, cols, nnz, outer, inner, values, indexType,
                   nullptr, base, type);
}
cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t d, const void **values) {
  return get(d, [&] { give<const void *>(values, d->values); });
}
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t d, const void **values) {
  return get(d, [&] { give<const void *>(values, d->values); });
}
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t d, const void **values) {
  return get(d, [&] { give<const void *>(values, d->values); });
}
cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t d, const void **values) {
  return get(d, [&] { give<const void *>(values, d->values); });
}
cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t d, int64_t *rows, int64_t *cols,
                                     int64_t *nnz, const void **outer, const void **inner,
                                     const void **values, cusparseIndexType_t *outerType,
                                     cusparseIndexType_t *innerType, cusparseIndexBase_t *base,
                                     cudaDataType *type) {
  return getMatrix(d, CUSPARSE_FORMAT_CSR, rows, cols, nnz, outer, inner, values, outerType,
                   innerType, base, type);
}
cusparseStatus_t cusparseConstCscGet(cusparseConstSpMatDescr_t d, int64_t *rows, int64_t *cols,
                                     int64_t *nnz, const void **outer, const void **inner,
                                     const void **values, cusparseIndexType_t *outerType,
                                     cusparseIndexType_t *innerType, cusparseIndexBase_t *base,
                                     cudaDataType *type) {
  return getMatrix(d, CUSPARSE_FORMAT_CSC, rows, cols, nnz, outer, inner, values, outerType,
                   innerType, base, type);
}
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t d) { return destroy(d); }
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t d, void *values) {
  return get(d, [&] { d->values = values; });
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t d) { return destroy(d); }
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t d, void *values) {
  return get(d, [&] { d->values = values; });
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t d) { return destroy(d); }
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t d, void *values) {
  return get(d, [&] { d->values = values; });
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t d) { return destroy(d); }
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t d, void *values) {
  return get(d, [&] { d->values = values; });
}
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t d, void *outer, void *inner,
                                        void *values) {
  return setPointers(d, CUSPARSE_FORMAT_CSR, outer, inner, values);
}
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t d, void *outer, void *inner,
                                        void *values) {
  return setPointers(d, CUSPARSE_FORMAT_CSC, outer, inner, values);
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t d, void *outer, void *inner,
                                        void *values) {
  return setPointers(d, CUSPARSE_FORMAT_COO, outer, inner, values);
}
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t d, cusparseMatrixType_t value) {
  return get(d, [&] { d->type = value; });
}
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t d) { return d->type; }
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t d, cusparseFillMode_t value) {
  return get(d, [&] { d->fillMode = value; });
}
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t d) { return d->fillMode; }
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t d, cusparseDiagType_t value) {
  return get(d, [&] { d->diagType = value; });
}
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t d) { return d->diagType; }
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t d, cusparseIndexBase_t value) {
  return get(d, [&] { d->indexBase = value; });
}
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t d) { return d->indexBase; }
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descriptor) {
  return create(descriptor, true, cusparseMatDescr());
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t d) { return destroy(d); }
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t d, cusparseIndexBase_t *base) {
  return get(d, [&] { give(base, d->base); });
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t d, cusparseFormat_t *format) {
  return get(d, [&] { give(format, d->format); });
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t d, cusparseIndexBase_t *base) {
  return get(d, [&] { give(base, d->base); });
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t d, int64_t *rows, int64_t *cols,
                                      int64_t *nnz) {
  return get(d, [&] { give(rows, d->rows), give(cols, d->cols), give(nnz, d->nnz); });
}

cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t d,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t bytes) {
  if (!d || !data || bytes != sizeof(int))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (attribute == CUSPARSE_SPMAT_FILL_MODE)
    *static_cast<cusparseFillMode_t *>(data) = d->fillMode;
  else
    *static_cast<cusparseDiagType_t *>(data) = d->diagType;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t d,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t bytes) {
  if (!d || !data || bytes != sizeof(int))
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (attribute == CUSPARSE_SPMAT_FILL_MODE)
    d->fillMode = *static_cast<cusparseFillMode_t *>(data);
  else
    d->diagType = *static_cast<cusparseDiagType_t *>(data);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t d, int *count) {
  return get(d, [&] { give(count, d->batchCount); });
}
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t d, int count,
                                            int64_t offsetsStride, int64_t valuesStride) {
  return get(d, [&] {
    d->batchCount = count, d->outerStride = offsetsStride, d->innerStride = valuesStride;
  });
}
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t d, int count, int64_t stride) {
  return get(d, [&] { d->batchCount = count, d->outerStride = d->innerStride = stride; });
}
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t d, int count, int64_t stride) {
  return get(d, [&] { d->batchCount = count, d->batchStride = stride; });
}
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t d, int *count,
                                              int64_t *stride) {
  return get(d, [&] { give(count, d->batchCount), give(stride, d->batchStride); });
}
