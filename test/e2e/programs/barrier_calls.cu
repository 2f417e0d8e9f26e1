//===- barrier_calls.cu - Barriers in functions -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These functions stay calls, with barriers, local arrays and a frame for each thread.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

constexpr int threads = 64;

__device__ __noinline__ int blockSum(int value, int *scratch) {
  scratch[threadIdx.x] = value;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      scratch[threadIdx.x] += scratch[threadIdx.x + half];
    __syncthreads();
  }
  int sum = scratch[0];
  __syncthreads();
  return sum;
}

__global__ void sums(int *out, int rounds) {
  __shared__ int scratch[threads];
  int total = 0;
  for (int round = 0; round < rounds; ++round)
    total += blockSum(threadIdx.x + round, scratch) * (round + 1);
  if (threadIdx.x % 2)
    total += 1;
  out[threadIdx.x] = total + blockSum(1, scratch);
}

__device__ __noinline__ int descend(int depth, int value, int *scratch) {
  int kept[4];
  for (int i = 0; i < 4; ++i)
    kept[i] = value * (i + 1) + depth;
  scratch[threadIdx.x] = value;
  __syncthreads();
  int neighbour = scratch[(threadIdx.x + depth) % blockDim.x];
  __syncthreads();
  int below = depth > 0 ? descend(depth - 1, neighbour + 1, scratch) : 0;
  return below + kept[(threadIdx.x + depth) % 4];
}

__global__ void recursive(int *out, int depth) {
  __shared__ int scratch[threads];
  out[threadIdx.x] = descend(depth, threadIdx.x, scratch);
}

static std::vector<int> descendReference(int depth, const std::vector<int> &value) {
  std::vector<int> result(threads), next(threads);
  for (int t = 0; t < threads; ++t) {
    next[t] = value[(t + depth) % threads] + 1;
    result[t] = value[t] * ((t + depth) % 4 + 1) + depth;
  }
  if (depth > 0) {
    auto below = descendReference(depth - 1, next);
    for (int t = 0; t < threads; ++t)
      result[t] += below[t];
  }
  return result;
}

int main() {
  DeviceArray<int> out(threads);
  sums<<<1, threads>>>(out, 3);
  auto got = out.host();
  int total = 0;
  for (int round = 0; round < 3; ++round)
    total += (threads * (threads - 1) / 2 + threads * round) * (round + 1);
  for (int t = 0; t < threads; ++t)
    expectEqual("sums", t, got[t], total + t % 2 + threads);

  recursive<<<1, threads>>>(out, 5);
  got = out.host();
  std::vector<int> start(threads);
  for (int t = 0; t < threads; ++t)
    start[t] = t;
  auto wanted = descendReference(5, start);
  for (int t = 0; t < threads; ++t)
    expectEqual("recursive", t, got[t], wanted[t]);
  return verdict("barrier_calls");
}
