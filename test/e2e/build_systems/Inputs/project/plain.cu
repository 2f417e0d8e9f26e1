//===----------------------------------------------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <cstdio>

__global__ void fill(int *values) { values[threadIdx.x] = threadIdx.x; }

int main() {
  int *values = nullptr;
  cudaMallocManaged(&values, 32 * sizeof(int));
  fill<<<1, 32>>>(values);
  cudaDeviceSynchronize();
  std::printf("%d\n", values[31]);
  return values[31] != EXPECTED;
}
