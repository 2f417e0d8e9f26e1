//===- neighbour_divisions.cu - Quotients of joined neighbours --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that are joined as neighbours divide their numbers by multiples of their count and by
// others. The numbers are negative, zero and positive, and the divisors, too.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 --coarsen='divide*:thread.x=4:contiguous,for.arg1=4n,for.arg3=4n' --coarsen='add*:thread.x=4:contiguous,for.pointers=16,for.arg3=4n' --coarsen='rows*:thread.x=8:contiguous,for.arg2=8n' --coarsen='ends*:thread.x=4:contiguous,for.arg1=4n,for.arg2=4n' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s
// RUN: %regrain cc --targets=cpu --coarsen='*:thread.x=4:contiguous' --coarsen='*:thread.x=4:contiguous,fuse.x=2' -o %t.others %s
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=4:contiguous' timeout 60 %t.others
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=4:contiguous,fuse.x=2' timeout 60 %t.others
// RUN: %regrain cc --targets=cpu --coarsen='divide*:block.x=2,thread.x=4:contiguous,for.arg1=4n,for.arg3=4n' --coarsen='divide*:shape=64x1x1,thread.x=4:contiguous,for.arg1=4n' -o %t.more %s
// RUN: timeout 60 %t.more
// RUN: %regrain cc --targets=cpu --coarsen='divide*:thread.x=4,for.block=64,for.arg1=64n,for.arg3=64n' --coarsen='rows*:thread.x=4,for.block=64,for.arg2=8n' --coarsen='ends*:thread.x=8,for.block=64,for.arg1=4n' -o %t.strided %s
// RUN: timeout 60 %t.strided
//
// CHECK-DAG: divide({{.*}}): thread.x=4:contiguous,for.arg1=4n,for.arg3=4n does not run for this launch, because an argument
// CHECK-DAG: add({{.*}}): thread.x=4:contiguous,for.arg3=4n,for.pointers=16 does not run for this launch, because an argument
// CHECK: neighbour_divisions: ok
#include "expect.h"

// Quotients and remainders of numbers from `first` on, of either sign.
__global__ void divide(int *out, int first, int end, int width, int height) {
  int at = blockIdx.x * blockDim.x + threadIdx.x, i = at + first;
  if (i < end) {
    int plane = width * height, rest = i % plane;
    out[4 * at] = i / plane;
    out[4 * at + 1] = rest / width;
    out[4 * at + 2] = rest % width;
    out[4 * at + 3] = i / width % height;
  }
}

__global__ void add(float *out, const float *row, int count, int width) {
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
    out[i] += row[i % width];
}

__global__ void rows(long long *out, unsigned count, unsigned width, unsigned long long first) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = (i / width) * 1000 + i % width + (first + i) / width;
}

// Where neighbours are in front of an end together, and where they are not.
__global__ void ends(int *out, int first, int end) {
  int at = blockIdx.x * blockDim.x + threadIdx.x, i = at + first, found = 0;
  found |= (i < end) | (i <= end) << 1 | (i > end) << 2 | (i >= end) << 3;
  found |= (i == end) << 4 | (unsigned(i) < unsigned(end)) << 5 | (unsigned(end) > unsigned(i)) << 6;
  for (int k = i; k < end; k += 4)
    found += 1 << 8;
  out[at] = found + (i >> 3) * 65536;
}

constexpr int blocks = 3, threads = 64, count = blocks * threads;

static void runDivide(int first, int end, int width, int height) {
  DeviceArray<int> memory(4 * count);
  divide<<<blocks, threads>>>(memory, first, end, width, height);
  std::vector<int> got = memory.host();
  for (int at = 0; at < count; ++at) {
    int i = at + first, plane = width * height, rest = i % plane;
    int wanted[] = {i / plane, rest / width, rest % width, i / width % height};
    for (int part = 0; part < 4; ++part)
      expectEqual("divide", 4 * at + part, got[4 * at + part], i < end ? wanted[part] : 0);
  }
}

static void runAdd(int size, int width) {
  std::vector<float> row(width);
  for (int i = 0; i < width; ++i)
    row[i] = i + 0.5f;
  DeviceArray<float> memory(1024), added(row);
  add<<<blocks, threads>>>(memory, added, size, width);
  std::vector<float> got = memory.host();
  for (int i = 0; i < 1024; ++i)
    expectEqual("add", i, got[i], i < size ? row[i % width] : 0);
}

static void runRows(unsigned size, unsigned width, unsigned long long first) {
  DeviceArray<long long> memory(count);
  rows<<<blocks, threads>>>(memory, size, width, first);
  std::vector<long long> got = memory.host();
  for (unsigned i = 0; i < count; ++i)
    expectEqual("rows", i, got[i],
                i < size ? (i / width) * 1000 + i % width + (first + i) / width : 0);
}

static void runEnds(int first, int end) {
  DeviceArray<int> memory(count);
  ends<<<blocks, threads>>>(memory, first, end);
  std::vector<int> got = memory.host();
  for (int at = 0; at < count; ++at) {
    int i = at + first, wanted = 0;
    wanted |= (i < end) | (i <= end) << 1 | (i > end) << 2 | (i >= end) << 3;
    wanted |= (i == end) << 4 | (unsigned(i) < unsigned(end)) * 96;
    for (int k = i; k < end; k += 4)
      wanted += 1 << 8;
    expectEqual("ends", at, got[at], wanted + (i >> 3) * 65536);
  }
}

int main() {
  for (int first : {0, -96, -100, 40, 3, -3, -191, -128})
    for (int width : {4, 12, 20, -8, 7, 64, -128})
      for (int height : {1, 3, -2}) {
        runDivide(first, 1000, width, height);
        runDivide(first, first + 100, width, height);
      }
  for (int size : {1000, 768, 772, 5, 0, -4})
    for (int width : {4, 28, 96, 5})
      runAdd(size, width);
  for (unsigned size : {192u, 100u, 99u})
    for (unsigned width : {8u, 24u, 12u, 9u})
      for (unsigned long long first : {0ull, 16ull, 7ull})
        runRows(size, width, first);
  for (int first : {0, -96, -8, 12, 5})
    for (int end : {0, 4, -4, 100, 96, 7, -1})
      runEnds(first, end);
  return verdict("neighbour_divisions");
}
