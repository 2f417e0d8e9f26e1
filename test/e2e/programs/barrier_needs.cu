//===- barrier_needs.cu - Needed and unneeded barriers ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some barriers can be removed, some cannot, and loads and stores can move
// across some; rows of a block do exactly the same; loops may have no
// iteration, over memory that does not exist.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' --coarsen='*:block.x=3,thread.x=4' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=3,thread.x=4' timeout 60 %t
#include "expect.h"

constexpr int threads = 64, blocks = 5, total = threads * blocks;

// This is in place: the neighbours are loaded before any thread stores.
__global__ void inPlace(int *data) {
  __shared__ int tile[threads];
  int tid = threadIdx.x, *row = data + blockIdx.x * threads;
  tile[tid] = tid * 3 + blockIdx.x;
  __syncthreads();
  int other = tile[threads - 1 - tid], beside = row[(tid + 1) % threads];
  __syncthreads();
  row[tid] = other + beside;
}

// One element is a thread's own across barriers, and the neighbour writes the other.
__global__ void ownAndOther(int *out, int rounds) {
  __shared__ int own[threads], passed[threads];
  int tid = threadIdx.x, gid = blockIdx.x * threads + tid;
  own[tid] = tid;
  passed[tid] = gid;
  out[gid] = 1;
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();
    own[tid] += round;
    int got = passed[tid];
    __syncthreads();
    passed[(tid + 1) % threads] = got + own[tid];
    out[gid] += got;
    __syncthreads();
  }
  out[gid] += passed[tid] * 1000 + own[tid];
}

// The rows do exactly the same; each reads before any writes.
__global__ void rows(int *out, int n) {
  __shared__ int value[threads];
  int tid = threadIdx.x, *row = out + blockIdx.x * threads;
  value[tid] = n;
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    int old = value[tid];
    __syncthreads();
    value[tid] = old + tid;
    __syncthreads();
  }
  row[tid] = value[tid];
}

// If n is 0, the pointers point to nothing.
__global__ void emptyLoops(int *out, const int *limit, const int *factor, int n) {
  int gid = blockIdx.x * threads + threadIdx.x, sum = 0;
  for (int i = 0; i < n; ++i)
    sum += *factor * i;
  int left = n;
  while (left > 0 && left < *limit) {
    sum += *factor;
    left -= 2;
  }
  out[gid] = sum;
}

std::vector<int> ownAndOtherWanted(int block, int rounds) {
  std::vector<int> own(threads), passed(threads), out(threads, 1);
  for (int t = 0; t < threads; ++t) {
    own[t] = t;
    passed[t] = block * threads + t;
  }
  for (int round = 0; round < rounds; ++round) {
    std::vector<int> next(threads);
    for (int t = 0; t < threads; ++t) {
      own[t] += round;
      next[(t + 1) % threads] = passed[t] + own[t];
      out[t] += passed[t];
    }
    passed = next;
  }
  for (int t = 0; t < threads; ++t)
    out[t] += passed[t] * 1000 + own[t];
  return out;
}

int main() {
  std::vector<int> start(total);
  for (int i = 0; i < total; ++i)
    start[i] = i * 7 % 53;
  DeviceArray<int> data(start), out(total), numbers(std::vector<int>{100, 3});
  inPlace<<<blocks, threads>>>(data);
  auto got = data.host();
  for (int i = 0; i < total; ++i) {
    int block = i / threads, t = i % threads;
    int beside = start[block * threads + (t + 1) % threads];
    expectEqual("inPlace", i, got[i], (threads - 1 - t) * 3 + block + beside);
  }
  for (int rounds : {0, 1, 4}) {
    ownAndOther<<<blocks, threads>>>(out, rounds);
    got = out.host();
    for (int block = 0; block < blocks; ++block) {
      std::vector<int> wanted = ownAndOtherWanted(block, rounds);
      for (int t = 0; t < threads; ++t)
        expectEqual("ownAndOther", t, got[block * threads + t], wanted[t]);
    }
  }
  rows<<<blocks, dim3(threads, 4)>>>(out, 5);
  got = out.host();
  for (int i = 0; i < total; ++i)
    expectEqual("rows", i, got[i], 5 + i % threads * 3);
  for (int n : {0, 7}) {
    emptyLoops<<<blocks, threads>>>(out, n ? (int *)numbers : nullptr, n ? numbers + 1 : nullptr,
                                    n);
    got = out.host();
    for (int i = 0; i < total; ++i)
      expectEqual("emptyLoops", i, got[i], n ? 3 * 21 + 3 * 4 : 0);
  }
  return verdict("barrier_needs");
}
