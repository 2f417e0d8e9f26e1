//===- own_shared.cu - Shared memory that one thread owns -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only one thread writes these places of shared arrays, and reads them under
// conditions and across barriers; other places only look so.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:block.x=2,shared=apart' --coarsen='*:thread.x=2' --coarsen='*:block.x=3,thread.x=4,for.block=64' --coarsen='*:fuse.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:shared=apart,block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=3,thread.x=4,for.block=64' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=2' timeout 60 %t
#include "expect.h"

#include <algorithm>

constexpr int threads = 64, blocks = 5, total = threads * blocks;

// Neighbours are read from one array, the result waits in another: as long as
// the thread is inside, which ends at another iteration for each.
__global__ void narrow(int *out, const int *in, int rounds) {
  __shared__ int now[threads], next[threads];
  int tid = threadIdx.x, gid = blockIdx.x * threads + tid;
  bool inside = false;
  now[tid] = in[gid];
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    inside = tid > round && tid < threads - 1 - round && in[gid] % 7 != round;
    if (inside)
      next[tid] = min(min(now[tid - 1], now[tid]), now[tid + 1]) + round;
    __syncthreads();
    if (round == rounds - 1)
      break;
    if (inside)
      now[tid] = next[tid];
    __syncthreads();
  }
  out[gid] = inside ? next[tid] : now[tid];
}

void narrowWanted(std::vector<int> &out, const std::vector<int> &in, int rounds) {
  for (int block = 0; block < blocks; ++block) {
    const int *from = in.data() + block * threads;
    std::vector<int> now(from, from + threads), next(threads);
    std::vector<bool> inside(threads);
    for (int round = 0; round < rounds; ++round) {
      for (int tid = 0; tid < threads; ++tid) {
        inside[tid] = tid > round && tid < threads - 1 - round && from[tid] % 7 != round;
        if (inside[tid])
          next[tid] = std::min({now[tid - 1], now[tid], now[tid + 1]}) + round;
      }
      if (round < rounds - 1)
        for (int tid = 0; tid < threads; ++tid)
          if (inside[tid])
            now[tid] = next[tid];
    }
    for (int tid = 0; tid < threads; ++tid)
      out[block * threads + tid] = inside[tid] ? next[tid] : now[tid];
  }
}

// Others read what the thread adds up; the memory is dynamic.
__global__ void tree(int *out, const int *in) {
  extern __shared__ int sums[];
  int tid = threadIdx.x;
  sums[tid] = in[blockIdx.x * threads + tid];
  for (int far = threads / 2; far > 0; far /= 2) {
    __syncthreads();
    if (tid < far)
      sums[tid] += sums[tid + far];
  }
  out[blockIdx.x * threads + tid] = sums[tid];
}

// The neighbour writes the place, if any thread does.
__global__ void handed(int *out, const int *in) {
  __shared__ int place[threads];
  int tid = threadIdx.x, gid = blockIdx.x * threads + tid;
  place[tid] = in[gid];
  __syncthreads();
  if (in[gid] & 1)
    place[(tid + 1) % threads] = gid;
  __syncthreads();
  out[gid] = place[tid];
}

// The rows do the same, but only one of them comes first.
__global__ void first(int *out, int *counts) {
  __shared__ int found[threads];
  int tid = threadIdx.x, gid = blockIdx.x * threads + tid;
  found[tid] = 1;
  __syncthreads();
  if (atomicAdd(&counts[gid], 1) == 0)
    found[tid] = gid;
  __syncthreads();
  atomicAdd(&out[gid], found[tid]);
}

// This is the thread's own row, of which it writes a place that the data
// determines, or another one in each iteration.
__global__ void histogram(int *out, const int *in) {
  __shared__ int row[threads][4];
  int tid = threadIdx.x, gid = blockIdx.x * threads + tid;
  for (int i = 0; i < 4; ++i)
    row[tid][i] = i;
  row[tid][in[gid] & 3] += 10;
  int sum = row[tid][0];
#pragma unroll 1
  for (int round = 0; round < 2; ++round)
#pragma unroll 1
    for (int i = 0; i < 4; ++i) {
      sum = sum * 3 + row[tid][i];
      row[tid][i] = sum % 97;
    }
  out[gid] = sum;
}

int histogramWanted(int in) {
  int row[4] = {0, 1, 2, 3};
  row[in & 3] += 10;
  int sum = row[0];
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 4; ++i) {
      sum = sum * 3 + row[i];
      row[i] = sum % 97;
    }
  return sum;
}

int main() {
  std::vector<int> in(total);
  for (int i = 0; i < total; ++i)
    in[i] = (i * 7919 + 13) % 1000;
  DeviceArray<int> data(in);

  for (int rounds : {0, 1, 2, 9}) {
    DeviceArray<int> out(total);
    narrow<<<blocks, threads>>>(out, data, rounds);
    std::vector<int> got = out.host(), wanted(total);
    narrowWanted(wanted, in, rounds);
    for (int i = 0; i < total; ++i)
      expectEqual("narrow", i, got[i], wanted[i]);
  }
  DeviceArray<int> sums(total), passed(total), firsts(total), counts(total), rows(total);
  tree<<<blocks, threads, threads * sizeof(int)>>>(sums, data);
  handed<<<blocks, threads>>>(passed, data);
  first<<<blocks, dim3(threads, 3)>>>(firsts, counts);
  histogram<<<blocks, threads>>>(rows, data);
  for (int block = 0; block < blocks; ++block) {
    std::vector<int> wanted(in.begin() + block * threads, in.begin() + (block + 1) * threads);
    for (int far = threads / 2; far > 0; far /= 2)
      for (int tid = 0; tid < far; ++tid)
        wanted[tid] += wanted[tid + far];
    for (int tid = 0; tid < threads; ++tid) {
      int gid = block * threads + tid, left = block * threads + (tid + threads - 1) % threads;
      expectEqual("tree", gid, sums.host()[gid], wanted[tid]);
      expectEqual("handed", gid, passed.host()[gid], in[left] & 1 ? left : in[gid]);
      expectEqual("first", gid, firsts.host()[gid], 3 * gid);
      expectEqual("histogram", gid, rows.host()[gid], histogramWanted(in[gid]));
    }
  }
  return verdict("own_shared");
}
