//===- common_tiles.cu - Shared memory that blocks fill alike ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adjacent blocks load the same tile, repeatedly, and change it; some tiles
// only look alike; and some memory is read in step.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:block.x=3,thread.x=2' --coarsen='*:block.y=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=3,thread.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.y=2' timeout 60 %t
#include "expect.h"

constexpr int threads = 32, columns = 5, rows = 3, steps = 4;

// The tile depends only on the row, and contains a running sum.
__global__ void rowTile(int *out, const int *in) {
  __shared__ int tile[threads], own[threads];
  int tid = threadIdx.x, sum = 0;
  tile[tid] = 0;
  for (int step = 0; step < steps; ++step) {
    tile[tid] += in[(blockIdx.y * steps + step) * threads + tid];
    own[tid] = tile[tid] * (blockIdx.x + 1);
    __syncthreads();
    sum = sum * 3 + tile[(tid + step) % threads] + own[threads - 1 - tid];
    if (blockIdx.x % 2)
      sum += tile[0];
    __syncthreads();
  }
  out[(blockIdx.y * gridDim.x + blockIdx.x) * threads + tid] = sum;
}

// These are filled by as many threads as the block's number, and behind a uniform condition.
__global__ void unlike(int *out, const int *in, int n) {
  __shared__ int tile[threads], other[threads];
  int tid = threadIdx.x;
  tile[tid] = -1;
  other[tid] = 7;
  __syncthreads();
  if (tid < blockIdx.x * 8)
    tile[tid] = in[tid];
  if (n > 2)
    other[(tid + 1) % threads] = in[threads + tid];
  __syncthreads();
  out[(blockIdx.y * gridDim.x + blockIdx.x) * threads + tid] =
      tile[threads - 1 - tid] * 10 + other[tid];
}

int main() {
  constexpr int total = columns * rows * threads;
  std::vector<int> data(rows * steps * threads);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = int(i * 37 % 101);
  DeviceArray<int> in(data), out(total);
  dim3 grid(columns, rows);
  rowTile<<<grid, threads>>>(out, in);
  auto got = out.host();
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      std::vector<int> tile(threads), sum(threads);
      for (int step = 0; step < steps; ++step) {
        for (int t = 0; t < threads; ++t)
          tile[t] += data[(y * steps + step) * threads + t];
        for (int t = 0; t < threads; ++t)
          sum[t] = sum[t] * 3 + tile[(t + step) % threads] + tile[threads - 1 - t] * (x + 1) +
                   (x % 2 ? tile[0] : 0);
      }
      for (int t = 0; t < threads; ++t)
        expectEqual("rowTile", t, got[(y * columns + x) * threads + t], sum[t]);
    }
  for (int n : {2, 3}) {
    unlike<<<grid, threads>>>(out, in, n);
    got = out.host();
    for (int block = 0; block < columns * rows; ++block)
      for (int t = 0; t < threads; ++t) {
        int last = threads - 1 - t;
        int tile = last < block % columns * 8 ? data[last] : -1;
        int other = n > 2 ? data[threads + (t + threads - 1) % threads] : 7;
        expectEqual("unlike", t, got[block * threads + t], tile * 10 + other);
      }
  }
  return verdict("common_tiles");
}
