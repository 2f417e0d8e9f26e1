//===- unsigned_extremes.cu - Least and largest unsigned numbers -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomicMin and atomicMax of unsigned numbers of every scope, among numbers that are
// negative if read as signed ones.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' -o %t.block %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t.block
// RUN: timeout 60 %t.block
// RUN: %regrain cc -O3 --targets=cpu --coarsen='*:thread.x=2' -o %t.thread %s
// RUN: timeout 60 %t.thread
#include <cstdio>

template <typename T> __global__ void extremes(T *found, T least, T largest) {
  T value = threadIdx.x % 2 ? largest - threadIdx.x : least + threadIdx.x;
  atomicMin(&found[0], value);
  atomicMin_block(&found[2 + 2 * blockIdx.x], value);
  atomicMin_system(&found[10], value);
  atomicMax(&found[1], value);
  atomicMax_block(&found[3 + 2 * blockIdx.x], value);
  atomicMax_system(&found[11], value);
}

template <typename T> int check(T least, T largest) {
  constexpr int blocks = 4, slots = 12;
  T *found, start[slots], got[slots];
  for (int i = 0; i < slots; ++i)
    start[i] = i % 2 ? 0 : T(~T(0));
  cudaMalloc(&found, sizeof got);
  cudaMemcpy(found, start, sizeof start, cudaMemcpyHostToDevice);
  extremes<<<blocks, 64>>>(found, least, largest);
  cudaMemcpy(got, found, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < slots; ++i)
    if (got[i] != (i % 2 ? largest - 1 : least)) {
      printf("[%d] is %llu\n", i, (unsigned long long)got[i]);
      return 1;
    }
  return 0;
}

int main() {
  return check<unsigned>(100, 4000000000u) || check<unsigned>(3000000000u, 4000000000u) ||
         check<unsigned long long>(100, ~0ull - 5) || check<unsigned long long>(1ull << 63, ~0ull);
}
