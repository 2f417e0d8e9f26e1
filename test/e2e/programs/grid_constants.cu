//===- grid_constants.cu - By-value parameters and their addresses -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads see one address of a __grid_constant__. A thread that writes to another parameter
// writes to its own copy, also at grains at which it stands for several.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -O3 --targets=cpu --coarsen='*:thread.x=2' -o %t %s
// RUN: timeout 100 %t
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 100 %t
#include "expect.h"

struct Table {
  char head;
  int values[61];
};
struct Seen {
  const Table *table;
  const short *number;
  const bool *flag;
};

__device__ __noinline__ int elementOf(const int *values, int at) { return values[at]; }
__device__ __noinline__ void add(int *value, int more) { *value += more; }

__global__ void addresses(const __grid_constant__ Table table, char head,
                          const __grid_constant__ short number, const __grid_constant__ bool flag,
                          Seen *seen) {
  seen[blockIdx.x * blockDim.x + threadIdx.x] = {&table, &number, &flag};
}

/// Reads what all parameters are, by the addresses that another thread found.
__global__ void chosen(const __grid_constant__ Table first, const __grid_constant__ Table second,
                       const __grid_constant__ double number, int *out) {
  __shared__ const Table *tables[2];
  __shared__ const double *numbers;
  if (threadIdx.x == blockDim.x - 1) {
    tables[0] = &first;
    tables[1] = &second;
    numbers = &number;
  }
  __syncthreads();
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const Table &table = *tables[thread & 1];
  out[thread] = elementOf(table.values, thread % 61) + table.head + int(*numbers);
}

__global__ void written(Table table, int more, int *out) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x, at = thread % 61;
  add(thread & 1 ? &table.values[at] : &more, thread);
  __syncthreads();
  out[thread] = table.values[at] * 1000 + more;
}

constexpr int blocks = 6, threads = 64;

int main() {
  Table first = {3, {}}, second = {5, {}};
  for (int i = 0; i < 61; ++i) {
    first.values[i] = i * 7;
    second.values[i] = i * 11;
  }
  DeviceArray<Seen> seen(blocks * threads);
  addresses<<<blocks, threads>>>(first, 'a', -2, true, seen);
  std::vector<Seen> found = seen.host();
  for (int i = 1; i < blocks * threads; ++i)
    expect(found[i].table == found[0].table && found[i].number == found[0].number &&
               found[i].flag == found[0].flag,
           "same", i, 0, 1);

  DeviceArray<int> out(blocks * threads);
  chosen<<<blocks, threads>>>(first, second, 9.0, out);
  std::vector<int> got = out.host();
  for (int i = 0; i < blocks * threads; ++i)
    expectEqual("chosen", i, got[i], i % 61 * (i & 1 ? 11 : 7) + (i & 1 ? 5 : 3) + 9);

  written<<<blocks, threads>>>(first, 4, out);
  got = out.host();
  for (int i = 0; i < blocks * threads; ++i) {
    int value = i % 61 * 7;
    expectEqual("written", i, got[i], i & 1 ? (value + i) * 1000 + 4 : value * 1000 + 4 + i);
  }
  return verdict("grid_constants");
}
