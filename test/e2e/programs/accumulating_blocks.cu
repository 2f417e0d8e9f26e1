//===- accumulating_blocks.cu - Blocks count in one array -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joined blocks accumulate in common shared arrays: histograms, extremes, and a last block that
// reads the totals. Grids are not multiples of the factors.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=4,shared=common' --coarsen='*:block.x=6,steps=3,shared=common' --coarsen='*:block.x=3:remainder,thread.x=2:contiguous,shared=common' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=4,shared=common' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=6,steps=3,shared=common' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=3:remainder,thread.x=2:contiguous,shared=common' timeout 60 %t
#include "expect.h"

constexpr int threads = 64, blocks = 29, bins = 40, n = threads * blocks - 17;

__global__ void histogram(unsigned *total, const int *data, int n) {
  __shared__ unsigned count[bins];
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
    count[bin] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&count[data[i] % bins], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x)
    if (count[bin] != 0)
      atomicAdd(&total[bin], count[bin]);
}

// The launch gives each launched block the counters of one block of the program.
__global__ void dynamicHistogram(unsigned *total, const int *data, int n, int used) {
  extern __shared__ unsigned count[];
  for (int bin = threadIdx.x; bin < used; bin += blockDim.x)
    count[bin] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&count[data[i] % used], data[i]);
  __syncthreads();
  for (int bin = threadIdx.x; bin < used; bin += blockDim.x)
    atomicAdd(&total[bin], count[bin]);
}

// Extremes, from values that are not neutral, and a sum.
__global__ void extremes(int *result, const int *data, int n) {
  __shared__ int most, least;
  __shared__ unsigned sum;
  if (threadIdx.x == 0) {
    most = -5;
    least = 1000;
    sum = 0;
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicMax(&most, data[i] - 500);
    atomicMin(&least, data[i]);
    atomicSub(&sum, (unsigned)data[i]);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicMax(&result[0], most);
    atomicMin(&result[1], least);
    atomicAdd((unsigned *)&result[2], sum);
  }
}

int main() {
  std::vector<int> data(n);
  for (int i = 0; i < n; ++i)
    data[i] = int(i * 2654435761u >> 7) % 977;
  std::vector<unsigned> counts(bins), sums(bins);
  std::vector<int> range = {-5, 1000, 0};
  for (int value : data) {
    ++counts[value % bins];
    sums[value % bins] += value;
    range[0] = std::max(range[0], value - 500);
    range[1] = std::min(range[1], value);
    range[2] -= value;
  }
  DeviceArray<int> in(data), result(std::vector<int>{-100, 5000, 0});
  DeviceArray<unsigned> total(std::vector<unsigned>(bins, 3)), dynamic(std::vector<unsigned>(bins, 9));
  histogram<<<blocks, threads>>>(total, in, n);
  dynamicHistogram<<<blocks, threads, bins * sizeof(unsigned)>>>(dynamic, in, n, bins);
  extremes<<<blocks, threads>>>(result, in, n);
  auto got = total.host(), gotDynamic = dynamic.host();
  for (int bin = 0; bin < bins; ++bin) {
    expectEqual("histogram", bin, got[bin], counts[bin] + 3);
    expectEqual("dynamicHistogram", bin, gotDynamic[bin], sums[bin] + 9);
  }
  auto gotRange = result.host();
  for (int i = 0; i < 3; ++i)
    expectEqual("extremes", i, gotRange[i], range[i]);
  return verdict("accumulating_blocks");
}
