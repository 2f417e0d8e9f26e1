//===----------------------------------------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "twice.h"

__global__ void fill(int *values) { values[threadIdx.x] = twice(threadIdx.x); }

int lastOfTwice() {
  int *values = nullptr;
  cudaMallocManaged(&values, 32 * sizeof(int));
  fill<<<1, 32>>>(values);
  cudaDeviceSynchronize();
  return values[31];
}
