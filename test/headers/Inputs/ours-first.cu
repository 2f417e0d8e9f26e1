//===- ours-first.cu - Our headers, then the toolkit's ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include <cuda_runtime.h>

#include TOOLKIT

__global__ void kernel(float4 *out) { out[threadIdx.x] = make_float4(1, 2, 3, 4); }

int main() {
  float4 *device;
  cudaDeviceProp properties;
  kernel<<<1, 32>>>(nullptr);
  return cudaMalloc(&device, 16) + cudaGetDeviceProperties(&properties, 0);
}
