//===- uneven_loops.cu - Copies with different trip counts ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There are grid-stride loops, bounds of each thread's own (also empty and at
// the ends of int), searches that break off, and nests of them.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=3' --coarsen='*:thread.x=4' --coarsen='*:block.x=2,thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=3' %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=4' %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2,thread.x=2' %t
#include "expect.h"

#include <climits>

constexpr int threads = 64, blocks = 7, total = threads * blocks;

__global__ void gridStride(int *out, const int *in, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    out[i] = in[i] * 3 + 1;
}

__global__ void rowSums(int *out, const int *start, const int *in) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, sum = 0, last = -1;
  for (int i = start[row]; i < start[row + 1]; ++i) {
    sum += in[i];
    last = i;
  }
  out[row] = sum * 1000 + last;
}

__global__ void extremes(int *out, const int *in) {
  int id = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  int lower = id % 3 == 0 ? INT_MIN : INT_MIN + id, upper = id % 5 == 0 ? INT_MIN + 40 : INT_MAX;
  int step = id % 5 == 0 ? 1 : 0x20000000;
  if (id % 5 == 0)
    for (int i = lower; i < upper; i += 1)
      sum += in[i & 31];
  else
    for (long long i = lower; i < upper; i += step)
      sum += in[i & 31];
  out[id] = sum;
}

__global__ void search(int *out, const int *in, int n, int wanted) {
  int id = blockIdx.x * blockDim.x + threadIdx.x, at = id, steps = 0;
  while (at < n) {
    if (in[at] == wanted + id % 4)
      break;
    at = at * 2 + 1;
    ++steps;
  }
  out[id] = at * 64 + steps;
}

__global__ void nested(int *out, const int *start, const int *in) {
  int id = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int i = id % 3; i < id % 11; ++i)
    for (int j = start[i]; j < start[i + 1]; ++j) {
      int value = in[j] + id;
      while (value % 7 != 3) {
        value += in[value & 31];
        ++sum;
      }
      sum += value;
    }
  out[id] = sum;
}

static void check(const char *what, const DeviceArray<int> &out, const std::vector<int> &wanted) {
  std::vector<int> got = out.host();
  for (size_t i = 0; i < wanted.size(); ++i)
    expectEqual(what, i, got[i], wanted[i]);
}

int main() {
  std::vector<int> in(4096), start(total + 1), wanted(total);
  for (int i = 0; i < 4096; ++i)
    in[i] = i % 32 == 0 ? 1 : (i * 2654435761u >> 9) % 61 + 1;
  for (int i = 0; i < 32; ++i)
    in[i] = 1 + 7 * (i % 5) + (i % 2 ? 1 : 0) * 7;
  for (int i = 0; i < total; ++i)
    start[i + 1] = start[i] + (i * 7) % 13;
  DeviceArray<int> data(in), starts(start), out(total), large(3000);

  gridStride<<<blocks, threads>>>(large, data, 2999);
  std::vector<int> scaled(3000);
  for (int i = 0; i < 2999; ++i)
    scaled[i] = in[i] * 3 + 1;
  check("gridStride", large, scaled);

  rowSums<<<blocks, threads>>>(out, starts, data);
  for (int row = 0; row < total; ++row) {
    int sum = 0, last = -1;
    for (int i = start[row]; i < start[row + 1]; ++i)
      sum += in[last = i];
    wanted[row] = sum * 1000 + last;
  }
  check("rowSums", out, wanted);

  extremes<<<blocks, threads>>>(out, data);
  for (int id = 0; id < total; ++id) {
    long long lower = id % 3 == 0 ? INT_MIN : INT_MIN + id;
    long long upper = id % 5 == 0 ? INT_MIN + 40 : INT_MAX, step = id % 5 == 0 ? 1 : 0x20000000;
    wanted[id] = 0;
    for (long long i = lower; i < upper; i += step)
      wanted[id] += in[i & 31];
  }
  check("extremes", out, wanted);

  search<<<blocks, threads>>>(out, data, 4096, 9);
  for (int id = 0; id < total; ++id) {
    int at = id, steps = 0;
    for (; at < 4096 && in[at] != 9 + id % 4; at = at * 2 + 1)
      ++steps;
    wanted[id] = at * 64 + steps;
  }
  check("search", out, wanted);

  nested<<<blocks, threads>>>(out, starts, data);
  for (int id = 0; id < total; ++id) {
    int sum = 0;
    for (int i = id % 3; i < id % 11; ++i)
      for (int j = start[i]; j < start[i + 1]; ++j) {
        int value = in[j] + id;
        for (; value % 7 != 3; ++sum)
          value += in[value & 31];
        sum += value;
      }
    wanted[id] = sum;
  }
  check("nested", out, wanted);
  return verdict("uneven_loops");
}
