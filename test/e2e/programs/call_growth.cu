//===- call_growth.cu - Functions with many calls of each other -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each of 20 functions calls the one before at three places. Inlined everywhere, the first one
// would have more than 10^9 copies, so the time for the compile shows that calls remain.
//
//===----------------------------------------------------------------------===//
// RUN: timeout 120 %regrain cc --targets=cpu -o %t %s
// RUN: timeout 60 %t | FileCheck %s
// CHECK: call_growth: ok
#include "expect.h"

template <int level> __host__ __device__ unsigned step(unsigned x) {
  if constexpr (level == 0)
    return x;
  else if (x % 3 == 0)
    return step<level - 1>(x / 3 + level);
  else if (x % 3 == 1)
    return step<level - 1>(x * 2 - level) ^ level;
  else
    return step<level - 1>(x + 7) * 3;
}

__global__ void walk(unsigned *values) {
  __shared__ unsigned tile[64];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = step<20>(values[i]);
  __syncthreads();
  values[i] = tile[63 - threadIdx.x];
}

int main() {
  std::vector<unsigned> values(256);
  for (unsigned i = 0; i < 256; ++i)
    values[i] = i * 977;
  DeviceArray<unsigned> data(values);
  walk<<<4, 64>>>(data);
  auto got = data.host();
  for (unsigned i = 0; i < 256; ++i)
    expectEqual("data", i, got[i], step<20>((i / 64 * 64 + 63 - i % 64) * 977));
  return verdict("call_growth");
}
