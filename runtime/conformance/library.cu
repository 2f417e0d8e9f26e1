//===- library.cu - A library with a kernel, opened by libraries.cu -----===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <cuda_runtime.h>

static __device__ int state = 1;

static __global__ void step(int *out) { *out = state *= 3; }

/// Returns the state after one more step, or the error as a negative number.
extern "C" int conformanceStep() {
  int *data = nullptr, value = 0;
  cudaError_t status = cudaMalloc(&data, sizeof(int));
  if (status == cudaSuccess) {
    step<<<1, 1>>>(data);
    status = cudaMemcpy(&value, data, sizeof value, cudaMemcpyDeviceToHost);
  }
  if (status == cudaSuccess)
    status = cudaFree(data);
  return status == cudaSuccess ? value : -int(status);
}
