//===- kernel_assert.cu - assert in kernels ---------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A failed assertion prints its place on stderr and is returned as
// cudaErrorAssert; the error stays.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"
#include <cassert>

__global__ void positive(const int *values) { assert(values[threadIdx.x] > 0); }

int main() {
  DeviceArray<int> good(std::vector<int>{1, 2, 3, 4}), bad(std::vector<int>{1, 2, 0, 4});
  positive<<<1, 4>>>(good);
  expectEqual("error", 0, int(cudaDeviceSynchronize()), int(cudaSuccess));
  positive<<<1, 4>>>(bad);
  expectEqual("error", 1, int(cudaDeviceSynchronize()), int(cudaErrorAssert));
  expectEqual("error", 2, int(cudaDeviceSynchronize()), int(cudaErrorAssert));
  return verdict("kernel_assert");
}
