//===- declared-and-gone.cu - Declared memory that is unmapped --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may unmap a part of what it has declared; then nothing is copied.
//
//===----------------------------------------------------------------------===//
// RUN: rm -f %t.db && %regrain cc -O1 --targets=cpu --alternatives=1 %s -o %t
// RUN: timeout 60 %regrain tune --db %t.db -- %t 2>&1 | FileCheck %s
// CHECK: 5 6 7
// CHECK: argument 0 points to memory that Regrain's runtime did not allocate, and not all of what is declared around it exists
#include <cstdio>
#include <regrain_declared_memory.h>
#include <sys/mman.h>

__global__ void add(int *numbers) { numbers[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

int main() {
  constexpr size_t bytes = 1 << 16;
  void *memory =
      mmap(nullptr, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  regrain_declare_memory(memory, 2 * bytes);
  munmap(static_cast<char *>(memory) + bytes, bytes);
  int *numbers = static_cast<int *>(memory);
  for (int i = 0; i < 3; ++i)
    numbers[i] = i;
  for (int i = 0; i < 5; ++i)
    add<<<8, 128>>>(numbers);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", numbers[0], numbers[1], numbers[2]);
}
