//===- waits_failed.cu - Waiting for a block that has failed ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block ends the launch by a trap; the blocks that wait for it end with it.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 -o %t %s
// RUN: timeout 60 %t
// RUN: env REGRAIN_NUM_THREADS=1 timeout 60 %t
#include "expect.h"

__global__ void waitForFailed(int *flag) {
  if (blockIdx.x == gridDim.x - 1)
    __trap();
  while (atomicAdd(flag, 0) == 0) {
  }
}

int main() {
  DeviceArray<int> flag(1);
  waitForFailed<<<7, 32>>>(flag);
  expectEqual("error", 0, int(cudaDeviceSynchronize()), int(cudaErrorLaunchFailure));
  return verdict("waits_failed");
}
