//===- batches.cu - The typed forms of batches ------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batches take pointers of any type, and one location or one set of attributes for all operations.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -o %t.x %s
// RUN: timeout 60 %t.x
#include "expect.h"

constexpr size_t count = 3, elements = 16, bytes = elements * sizeof(float);

__global__ void twice(float *values) { values[threadIdx.x] *= 2; }

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  float *managed[count], host[elements] = {}, *from[count], *device[count];
  size_t sizes[count] = {bytes, bytes, bytes}, first = 0;
  for (size_t i = 0; i < count; ++i) {
    CHECK(cudaMallocManaged(&managed[i], bytes));
    CHECK(cudaMalloc(&device[i], bytes));
    from[i] = managed[i];
    for (size_t k = 0; k < elements; ++k)
      managed[i][k] = i + k;
  }
  cudaMemLocation location = {cudaMemLocationTypeDevice, 0};
  CHECK(cudaMemPrefetchBatchAsync(managed, sizes, count, location, 0, stream));
  CHECK(cudaMemPrefetchBatchAsync(managed, sizes, count, &location, &first, 1, 0, stream));
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  CHECK(cudaMemcpyBatchAsync(device, from, sizes, count, attributes, stream));
  twice<<<1, elements, 0, stream>>>(device[2]);
  CHECK(cudaMemcpyBatchAsync(from, device, sizes, count, &attributes, &first, 1, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (size_t k = 0; k < elements; ++k)
    if (managed[1][k] != 1 + k || managed[2][k] != 2 * (2 + k))
      return 1;
  CHECK(cudaMemcpy(host, device[2], bytes, cudaMemcpyDefault));
  CHECK(cudaMemDiscardAndPrefetchBatchAsync(managed, sizes, count, location, 0, stream));
  CHECK(cudaMemDiscardAndPrefetchBatchAsync(managed, sizes, count, &location, &first, 1, 0, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (size_t i = 0; i < count; ++i) {
    CHECK(cudaFree(managed[i]));
    CHECK(cudaFree(device[i]));
  }
  return host[0] == 4 ? 0 : 1;
}
