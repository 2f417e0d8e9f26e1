//===- local_arrays.cu - Local arrays ---------------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arrays are indexed by values known only at run time, passed by pointer, and made of structures.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' --coarsen='*:fuse.x=2' --coarsen='*:shape=32' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:shape=32' timeout 60 %t
#include "expect.h"

constexpr int threads = 48;

struct Pair {
  int key;
  double weight;
};

__device__ __noinline__ void insert(Pair *pairs, int &count, int key, double weight) {
  int i = count++;
  for (; i > 0 && pairs[i - 1].key > key; --i)
    pairs[i] = pairs[i - 1];
  pairs[i].key = key;
  pairs[i].weight = weight;
}

__global__ void sortNeighbours(double *out) {
  __shared__ int key[threads];
  Pair pairs[8];
  int count = 0, tid = threadIdx.x;
  for (int round = 0; round < 8; ++round) {
    key[tid] = (tid * 37 + round * 11) % 101;
    __syncthreads();
    int neighbour = key[(tid + round) % threads];
    insert(pairs, count, neighbour, neighbour * 0.5 + round);
    __syncthreads();
  }
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum = sum * 1.5 + pairs[(i + tid) % count].weight * pairs[i].key;
  out[tid] = sum;
}

/// The size of this stack memory differs from thread to thread.
__global__ void ownSize(int *out) {
  int index = blockIdx.x * blockDim.x + threadIdx.x, count = 1 + index % 5, sum = 0;
  int *own = static_cast<int *>(alloca(count * sizeof(int)));
  for (int i = 0; i < count; ++i)
    own[i] = index + i;
  for (int i = 0; i < count; ++i)
    sum = sum * 2 + own[i];
  out[index] = sum;
}

/// Stores the kind of memory of an address.
__global__ void spaces(int *out, int *other) {
  __shared__ int shared[threads];
  int own[3], index = threadIdx.x;
  own[index % 3] = shared[index] = index;
  __syncthreads();
  int *some = index % 3 == 0 ? own : index % 3 == 1 ? shared : other;
  some[index % 3 == 0 ? 0 : index] = index;
  out[index] = __isLocal(some) * 4 + __isShared(some) * 2 + __isGlobal(some);
}

static double reference(int tid) {
  std::vector<Pair> pairs;
  for (int round = 0; round < 8; ++round) {
    int key = ((tid + round) % threads * 37 + round * 11) % 101;
    size_t i = pairs.size();
    while (i > 0 && pairs[i - 1].key > key)
      --i;
    pairs.insert(pairs.begin() + i, Pair{key, key * 0.5 + round});
  }
  double sum = 0;
  for (int i = 0; i < 8; ++i)
    sum = sum * 1.5 + pairs[(i + tid) % 8].weight * pairs[i].key;
  return sum;
}

int main() {
  DeviceArray<double> out(threads);
  sortNeighbours<<<1, threads>>>(out);
  auto got = out.host();
  for (int t = 0; t < threads; ++t) {
    double wanted = reference(t);
    expect(std::fabs(got[t] - wanted) <= 1e-12 * std::fabs(wanted), "out", t, got[t], wanted);
  }
  constexpr int blocks = 3;
  DeviceArray<int> sums(blocks * threads);
  ownSize<<<blocks, threads>>>(sums);
  auto sum = sums.host();
  for (int index = 0; index < blocks * threads; ++index) {
    int wanted = 0;
    for (int i = 0; i < 1 + index % 5; ++i)
      wanted = wanted * 2 + index + i;
    expectEqual("sum", index, sum[index], wanted);
  }
  DeviceArray<int> found(threads);
  spaces<<<1, threads>>>(found, sums);
  auto space = found.host();
  for (int t = 0; t < threads; ++t)
    expectEqual("space", t, space[t], 4 >> t % 3);
  return verdict("local_arrays");
}
