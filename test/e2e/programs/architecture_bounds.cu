//===- architecture_bounds.cu - Launch bounds by __CUDA_ARCH__ --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch bounds of a kernel are those of the architecture that runs, whichever other ones the
// file was compiled for. Libraries choose their block sizes in this way.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu,compute_90 --coarsen='*:block.x=2' -o %t.first %s
// RUN: timeout 60 %t.first
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t.first
// RUN: %regrain cc --targets=compute_90,cpu --coarsen='*:block.x=2' -o %t.last %s
// RUN: timeout 60 %t.last
// RUN: %regrain inspect %t.last | FileCheck %s
// CHECK: number(int*){{.*}}launch bounds 384
#include "expect.h"

#if __CUDA_ARCH__ >= 900
constexpr int bound = 384;
#else
constexpr int bound = 128;
#endif

__global__ void __launch_bounds__(bound) number(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;
}

int main() {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  const int threads = properties.major >= 9 ? 384 : 128, blocks = 5;
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, number));
  expectEqual("maxThreadsPerBlock", 0, attributes.maxThreadsPerBlock, threads);
  DeviceArray<int> out(blocks * threads);
  number<<<blocks, threads>>>(out);
  std::vector<int> numbers = out.host();
  for (int i = 0; i < blocks * threads; ++i)
    expectEqual("out", i, numbers[i], i);
  number<<<1, threads + 32>>>(out);
  const cudaError_t error =
      CUDART_VERSION >= 13000 ? cudaErrorInvalidValue : cudaErrorLaunchOutOfResources;
  expectEqual("error", 0, int(cudaGetLastError()), int(error));
  return verdict("architecture_bounds");
}
