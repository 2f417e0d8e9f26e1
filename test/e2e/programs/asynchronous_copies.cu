//===- asynchronous_copies.cu - Pipelines and barriers in memory -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of each size with and without zeros at the end, batches that overlap, and barriers in
// shared memory over several phases.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='copies,batches:block.x=2' -o %t.block %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t.block
// RUN: timeout 60 %t.block
// RUN: %regrain cc -c --targets=compute_70,compute_80,compute_90 -o %t.o %s
#include "expect.h"
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>

constexpr int threads = 64, stages = 5;

struct alignas(16) Bytes {
  unsigned char byte[16];
};

/// Each thread copies `size` bytes, of which the last `zeros` are not read.
__global__ void copies(Bytes *out, const Bytes *in, int size, int zeros) {
  __shared__ Bytes tile[threads];
  for (int i = 0; i < 16; ++i)
    tile[threadIdx.x].byte[i] = 0xaa;
  __pipeline_memcpy_async(&tile[threadIdx.x], in + threadIdx.x, size, zeros);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];
}

__global__ void batches(int *out, const int *in) {
  __shared__ int tile[2][threads];
  nvcuda::experimental::pipeline pipe;
  int sum = 0, lane = threadIdx.x;
  nvcuda::experimental::memcpy_async(tile[0][lane], in[lane], pipe);
  pipe.commit();
  for (int stage = 0; stage < stages; ++stage) {
    if (stage + 1 < stages)
      nvcuda::experimental::memcpy_async(tile[(stage + 1) & 1][lane],
                                         in[(stage + 1) * threads + lane], pipe);
    pipe.commit();
    pipe.wait_prior<1>();
    __syncthreads();
    sum += tile[stage & 1][(lane + 1) % threads] * (stage + 1);
    __syncthreads();
  }
  out[lane] = sum;
}

/// The values go round by one thread in each phase.
__global__ void phases(int *out) {
  __shared__ nvcuda::experimental::awbarrier barrier;
  __shared__ int cells[threads];
  int lane = threadIdx.x;
  if (lane == 0)
    init(&barrier, threads);
  cells[lane] = lane;
  __syncthreads();
  for (int i = 0; i < 4; ++i) {
    int next = cells[(lane + 1) % threads];
    auto token = barrier.arrive();
    barrier.wait(token);
    cells[lane] = next;
    barrier.arrive_and_wait();
  }
  out[lane] = cells[lane];
}

void checkCopies() {
  std::vector<Bytes> in(threads);
  for (int i = 0; i < threads * 16; ++i)
    in[i / 16].byte[i % 16] = static_cast<unsigned char>(i * 7 + 1);
  DeviceArray<Bytes> input(in), out(threads);
  for (int size : {4, 8, 16})
    for (int zeros : {0, 1, 4, 3, size}) {
      copies<<<1, threads>>>(out, input, size, zeros);
      auto got = out.host();
      for (int i = 0; i < threads * 16; ++i) {
        int at = i % 16, wanted = in[threads - 1 - i / 16].byte[at];
        wanted = at >= size ? 0xaa : at >= size - zeros ? 0 : wanted;
        expectEqual("byte", i, got[i / 16].byte[at], wanted);
      }
    }
}

void checkBatches() {
  std::vector<int> in(threads * stages);
  for (int i = 0; i < threads * stages; ++i)
    in[i] = i * i % 101;
  DeviceArray<int> input(in), out(threads);
  batches<<<1, threads>>>(out, input);
  auto got = out.host();
  for (int i = 0; i < threads; ++i) {
    int sum = 0;
    for (int stage = 0; stage < stages; ++stage)
      sum += in[stage * threads + (i + 1) % threads] * (stage + 1);
    expectEqual("sum", i, got[i], sum);
  }
}

int main() {
  checkCopies();
  checkBatches();
  DeviceArray<int> out(threads);
  phases<<<1, threads>>>(out);
  auto got = out.host();
  for (int i = 0; i < threads; ++i)
    expectEqual("cell", i, got[i], (i + 4) % threads);
  return verdict("asynchronous_copies");
}
