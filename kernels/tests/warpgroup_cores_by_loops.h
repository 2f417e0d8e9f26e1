//===- warpgroup_cores_by_loops.h - Warpgroups' products, imitated -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included before the sources of the product, it makes them take the code for warpgroups. Sums
// and rows are where warpgroup_cores.h says.
//
//===----------------------------------------------------------------------===//
#pragma once

#define REGRAIN_WARPGROUP_CORES

#include "../src/warpgroup_cores.h"
#include <cuda_fp8.h>
#include <cuda_pipeline_primitives.h>

namespace regrain::kernels {

using CopyAddress = unsigned char *;
__device__ inline CopyAddress copyAddress(unsigned char *shared) { return shared; }
__device__ inline CopyAddress placeOfCopy(CopyAddress rows, int row, int piece) {
  return rows + placeOfPiece(row, piece);
}
using LinePolicy = int;
__device__ inline LinePolicy keptPolicy() { return 0; }
__device__ inline LinePolicy passingPolicy() { return 0; }
__device__ inline LinePolicy unchangedPolicy() { return 0; }
__device__ inline unsigned numberOfCall() { return 0; }
__device__ inline int warpgroupNumber() { return static_cast<int>(threadIdx.x) / 128; }
template <bool>
__device__ void copyPiece(CopyAddress to, const unsigned char *from, int bytes, LinePolicy) {
  __pipeline_memcpy_async(to, from, 16, 16 - bytes);
}
/// The bytes that are still to come. A wait for another number than that of the parts would never
/// end, or end too early; here it traps.
using ArrivalCount = unsigned long long;
__device__ inline void expectParts(ArrivalCount *count, int bytes) { *count = bytes; }
__device__ inline void sendPart(float4 *to, float4 part, ArrivalCount *count) {
  *to = part;
  atomicAdd(count, -static_cast<ArrivalCount>(sizeof part));
}
__device__ inline void awaitParts(ArrivalCount *count) {
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  if (*count != 0)
    __trap();
}
/// Warpgroups have equally many units, so that all of them may wait.
__device__ inline void awaitWarpgroup() { __syncthreads(); }
__device__ inline void publishRows() {}
__device__ inline void openProducts() {}
__device__ inline void closeProducts() {}
template <int count> __device__ void awaitSums(float (&)[count]) {}

__device__ inline float numberAt(const unsigned char *rows, int row, int k) {
  __nv_fp8_e4m3 x;
  x.__x = rows[placeOfPiece(row, k / 16) + k % 16];
  return static_cast<float>(x);
}

template <int count>
__device__ void beginProducts(float (&sums)[count], const unsigned char *channels,
                              const unsigned char *tokens, int step) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    int channel = 16 * (warp % 4) + lane / 4 + i / 2 % 2 * 8;
    int token = 8 * (i / 4) + lane % 4 * 2 + i % 2;
    float sum = step > 0 ? sums[i] : 0;
#pragma unroll 1
    for (int k = rowK / productSteps * step; k < rowK / productSteps * (step + 1); ++k)
      sum += numberAt(channels, channel, k) * numberAt(tokens, token, k);
    sums[i] = sum;
  }
}

} // namespace regrain::kernels
