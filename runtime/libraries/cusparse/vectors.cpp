//===- vectors.cpp - Sparse and dense vectors -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cusparse/work.h"

using namespace regrain::cusparse;

namespace {

/// Calls `visit(place in the dense vector, place of the value)`.
template <class Visit> void forIndices(const cusparseSpVecDescr &x, Visit visit) {
  for (int64_t i = 0; i < x.nnz; ++i)
    visit(indexAt(x.indices, x.indexType, i) - x.base, i);
}

/// Checks the arguments of an operation on two vectors of one size and type. `others` are
/// pointers that must not be null.
template <class... Others>
cusparseStatus_t checkPair(cusparseHandle_t handle, const cusparseSpVecDescr *x,
                           const cusparseDnVecDescr *y, const Others *...others) {
  if (cusparseStatus_t status = checkGiven(handle, x, y, others...))
    return status;
  return x->type == y->type && x->size == y->size ? CUSPARSE_STATUS_SUCCESS
                                                  : CUSPARSE_STATUS_INVALID_VALUE;
}

} // namespace

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void *alpha,
                               cusparseConstSpVecDescr_t vecX, const void *beta,
                               cusparseDnVecDescr_t vecY) {
  if (cusparseStatus_t status = checkPair(handle, vecX, vecY, static_cast<const char *>(alpha),
                                          static_cast<const char *>(beta)))
    return status;
  return inType(vecX->type, [&]<class N>(Tag<N>) {
    Scalar a(handle, alpha, vecX->type), b(handle, beta, vecX->type);
    return run(handle, [=, x = *vecX, y = *vecY] {
      N factor = a.get<N>(), scale = b.get<N>();
      for (int64_t i = 0; i < y.size; ++i)
        combine(N(1), N(), scale, y.values, y.type, i);
      forIndices(x, [&](int64_t at, int64_t i) {
        combine(factor, loadElement<N>(x.values, x.type, i), N(1), y.values, y.type, at);
      });
    });
  });
}

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vecY,
                                cusparseSpVecDescr_t vecX) {
  if (cusparseStatus_t status = checkPair(handle, vecX, vecY))
    return status;
  size_t bytes = sizeOf(vecX->type);
  return run(handle, [=, x = *vecX, y = *vecY] {
    forIndices(x, [&](int64_t at, int64_t i) {
      std::memcpy(advance(x.values, i, x.type), advance(y.values, at, y.type), bytes);
    });
  });
}

cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t vecX,
                                 cusparseDnVecDescr_t vecY) {
  if (cusparseStatus_t status = checkPair(handle, vecX, vecY))
    return status;
  size_t bytes = sizeOf(vecX->type);
  return run(handle, [=, x = *vecX, y = *vecY] {
    forIndices(x, [&](int64_t at, int64_t i) {
      std::memcpy(advance(y.values, at, y.type), advance(x.values, i, x.type), bytes);
    });
  });
}

cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void *c, const void *s,
                             cusparseSpVecDescr_t vecX, cusparseDnVecDescr_t vecY) {
  if (cusparseStatus_t status =
          checkPair(handle, vecX, vecY, static_cast<const char *>(c), static_cast<const char *>(s)))
    return status;
  return inType(vecX->type, [&]<class N>(Tag<N>) {
    Scalar cosine(handle, c, vecX->type), sine(handle, s, vecX->type);
    return run(handle, [=, x = *vecX, y = *vecY] {
      N cs = cosine.get<N>(), sn = sine.get<N>();
      forIndices(x, [&](int64_t at, int64_t i) {
        N xi = loadElement<N>(x.values, x.type, i), yi = loadElement<N>(y.values, y.type, at);
        storeElement(cs * xi + sn * yi, x.values, x.type, i);
        storeElement(cs * yi - conjugate(sn) * xi, y.values, y.type, at);
      });
    });
  });
}

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
                                         cusparseConstSpVecDescr_t, cusparseConstDnVecDescr_t,
                                         const void *, cudaDataType, size_t *bytes) {
  if (cusparseStatus_t status = checkGiven(handle, bytes))
    return status;
  *bytes = unusedBytes;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op,
                              cusparseConstSpVecDescr_t vecX, cusparseConstDnVecDescr_t vecY,
                              void *result, cudaDataType computeType, void *) {
  if (cusparseStatus_t status = checkGiven(handle, vecX, vecY, static_cast<const char *>(result)))
    return status;
  if (vecX->size != vecY->size)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return inType(computeType, [&]<class N>(Tag<N>) {
    return runForResult(handle, [=, x = *vecX, y = *vecY] {
      N sum = {};
      forIndices(x, [&](int64_t at, int64_t i) {
        N value = loadElement<N>(x.values, x.type, i);
        sum += (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(value) : value) *
               loadElement<N>(y.values, y.type, at);
      });
      storeElement(sum, result, computeType);
    });
  });
}
