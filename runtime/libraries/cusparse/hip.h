//===- hip.h - cuSPARSE on an AMD GPU, by hipSPARSE -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors of cuSPARSE belong to no device: those of hipSPARSE are made for each call. Statuses,
// operations and types have the same numbers in both.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/libraries/cusparse/descriptors.h"

namespace regrain::cusparse::hip {

cusparseStatus_t create(void *&handle);
cusparseStatus_t destroy(void *handle);
cusparseStatus_t setStream(void *handle, cudaStream_t stream);
cusparseStatus_t setPointerMode(void *handle, cusparsePointerMode_t mode);

/// y = alpha op(A) x + beta y. `last` is the buffer; with `asksSize`, it is where to write the size
/// of the buffer, and nothing is computed.
cusparseStatus_t multiplyVector(void *handle, cusparseOperation_t op, const void *alpha,
                                const cusparseSpMatDescr &A, const cusparseDnVecDescr &x,
                                const void *beta, const cusparseDnVecDescr &y, cudaDataType type,
                                void *last, bool asksSize);

/// C = alpha op(A) op(B) + beta C, with the same meaning of the last parameters.
cusparseStatus_t multiplyMatrix(void *handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                const void *alpha, const cusparseSpMatDescr &A,
                                const cusparseDnMatDescr &B, const void *beta,
                                const cusparseDnMatDescr &C, cudaDataType type, void *last,
                                bool asksSize);

/// Reports that an operation has no work on an AMD GPU, and returns NOT_SUPPORTED.
cusparseStatus_t refuse();

} // namespace regrain::cusparse::hip
