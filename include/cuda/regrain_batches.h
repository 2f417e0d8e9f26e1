//===- regrain_batches.h - Batches of operations on memory ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms of CUDA 13 that take pointers of any type, or one location or one set of attributes for
// all operations.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_BATCHES_H
#define REGRAIN_BATCHES_H
#pragma GCC system_header

#include "cuda_runtime_api.h"

template <class T, class U>
static inline __host__ cudaError_t
cudaMemcpyBatchAsync(T *const *to, U *const *from, const size_t *sizes, size_t count,
                     struct cudaMemcpyAttributes *attributes, size_t *attributeIndices,
                     size_t attributeCount, cudaStream_t stream) {
  return ::cudaMemcpyBatchAsync((void *const *)to, (const void *const *)from, sizes, count,
                                attributes, attributeIndices, attributeCount, stream);
}

template <class T, class U>
static inline __host__ cudaError_t
cudaMemcpyBatchAsync(T *const *to, U *const *from, const size_t *sizes, size_t count,
                     struct cudaMemcpyAttributes attributes, cudaStream_t stream) {
  size_t first = 0;
  return ::cudaMemcpyBatchAsync((void *const *)to, (const void *const *)from, sizes, count,
                                &attributes, &first, 1, stream);
}

template <class T>
static inline __host__ cudaError_t
cudaMemPrefetchBatchAsync(T **pointers, size_t *sizes, size_t count,
                          struct cudaMemLocation *locations, size_t *locationIndices,
                          size_t locationCount, unsigned long long flags, cudaStream_t stream) {
  return ::cudaMemPrefetchBatchAsync((void **)pointers, sizes, count, locations, locationIndices,
                                     locationCount, flags, stream);
}

template <class T>
static inline __host__ cudaError_t
cudaMemPrefetchBatchAsync(T **pointers, size_t *sizes, size_t count,
                          struct cudaMemLocation location, unsigned long long flags,
                          cudaStream_t stream) {
  size_t first = 0;
  return ::cudaMemPrefetchBatchAsync((void **)pointers, sizes, count, &location, &first, 1, flags,
                                     stream);
}

template <class T>
static inline __host__ cudaError_t cudaMemDiscardAndPrefetchBatchAsync(
    T **pointers, size_t *sizes, size_t count, struct cudaMemLocation *locations,
    size_t *locationIndices, size_t locationCount, unsigned long long flags, cudaStream_t stream) {
  return ::cudaMemDiscardAndPrefetchBatchAsync((void **)pointers, sizes, count, locations,
                                               locationIndices, locationCount, flags, stream);
}

template <class T>
static inline __host__ cudaError_t
cudaMemDiscardAndPrefetchBatchAsync(T **pointers, size_t *sizes, size_t count,
                                    struct cudaMemLocation location, unsigned long long flags,
                                    cudaStream_t stream) {
  size_t first = 0;
  return ::cudaMemDiscardAndPrefetchBatchAsync((void **)pointers, sizes, count, &location, &first,
                                               1, flags, stream);
}

#endif
