//===- kept_ends.cu - Kept elements of loops that end apart -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes keep elements of loops over a row that end in front of it, in it and behind it. What one of
// them stores, a later one stores again, but not everywhere. Results are those of the original.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:split=8,rows=8,shape=64' --coarsen='*:split=32x4,rows=8,shape=64' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t > %t.original
// RUN: env REGRAIN_ALTERNATIVE='*:split=8,rows=8,shape=64' REGRAIN_VERBOSE=1 timeout 60 %t 2> %t.err > %t.out
// RUN: diff %t.original %t.out
// RUN: FileCheck %s < %t.err
// CHECK: masked({{.*}}): shape=64x1x1,split=8,rows=8 (asked for
// RUN: env REGRAIN_VERBOSE=1 timeout 60 %t 2> %t.err > %t.out
// RUN: diff %t.original %t.out
// RUN: FileCheck %s --check-prefix=WIDE < %t.err
// WIDE: masked({{.*}}): shape=64x1x1,split=32x4,rows=8 (chosen when compiled)
#include "expect.h"

__global__ void masked(int *__restrict__ out, int *__restrict__ extra, const int *__restrict__ in, int rows,
                       int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int diagonal = row * 16 - 100, end = diagonal < width ? diagonal : width, shorter = end - row % 3;
  const int *from = in + row * width;
  int *to = out + row * width;
  int most = -5000, sum = 0, less = 0;
  for (int j = 0; j < end; ++j)
    most = from[j] > most ? from[j] : most;
  for (int j = 0; j < end; ++j)
    sum += to[j] = most - from[j];
  for (int j = 0; j < shorter; ++j)
    less ^= to[j] + from[j];
  for (int j = 0; j < width; ++j)
    if (j < shorter)
      to[j] = to[j] * 3 + sum;
    else if (j >= end)
      to[j] = -j;
  extra[row] = less;
}

int main() {
  const int rows = 50;
  for (int width : {1, 31, 64, 65, 257, 530, 700}) {
    std::vector<int> numbers(size_t(rows) * width);
    for (size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = int(unsigned(i) * 2654435761u >> 20) - 1500;
    DeviceArray<int> in(numbers), out(numbers), extra(rows);
    masked<<<2, 32>>>(out, extra, in, rows, width);
    unsigned hash = 0;
    for (int value : out.host())
      hash = hash * 31 + unsigned(value);
    printf("%d: %08x", width, hash);
    for (int value : extra.host())
      hash = hash * 31 + unsigned(value);
    printf(" %08x\n", hash);
  }
  return verdict("kept_ends");
}
