//===- toolkit-barrier.cu - Barriers and pipelines of a toolkit -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// REQUIRES: cuda-toolkit
// RUN: %regrain cc -std=c++17 --cuda-path=%toolkit --targets=cpu,compute_90 -o %t \
// RUN:   -I%root/test/e2e/programs %s
// RUN: timeout 120 %t
#include "expect.h"
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

constexpr int threads = 128, rounds = 3, stages = 2, tile = 96, tiles = 7;

__global__ void exchange(const int *in, int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int shared[threads];
  int t = threadIdx.x;
  if (t == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    shared[t] = in[t] + round;
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
    out[round * threads + t] = shared[(t + 17 + round) % threads];
    barrier.arrive_and_wait();
  }
}

__global__ void stream(const int *in, int *out) {
  __shared__ int buffers[stages][tile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cooperative_groups::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  for (int fetched = 0, done = 0; done < tiles; ++done) {
    for (; fetched < tiles && fetched < done + stages; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, buffers[fetched % stages], in + fetched * tile, sizeof(int) * tile,
                         pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    if (threadIdx.x < tile)
      out[done * tile + threadIdx.x] = buffers[done % stages][tile - 1 - threadIdx.x] + done;
    pipeline.consumer_release();
  }
}

int main() {
  std::vector<int> in(tile * tiles);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = int(i * i % 1009);
  DeviceArray<int> input(in), exchanged(threads * rounds), streamed(in.size());
  exchange<<<1, threads>>>(input, exchanged);
  std::vector<int> result = exchanged.host();
  for (int i = 0; i < threads * rounds; ++i)
    expectEqual("exchanged", i, result[i],
                in[(i % threads + 17 + i / threads) % threads] + i / threads);
  stream<<<1, threads>>>(input, streamed);
  result = streamed.host();
  for (int i = 0; i < tile * tiles; ++i)
    expectEqual("streamed", i, result[i], in[i / tile * tile + tile - 1 - i % tile] + i / tile);
  return verdict("toolkit-barrier");
}
