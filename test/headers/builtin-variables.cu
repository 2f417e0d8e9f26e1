//===- builtin-variables.cu - threadIdx and the like as values --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coordinates are copied, captured, bound to references and converted. A copy keeps its value at
// each grain; it cannot be written.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O2 -Werror -o %t %s && timeout 60 %t
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' -o %t %s && timeout 60 %t
// RUN: %regrain cc --targets=cpu --coarsen='*:thread.x=2' -o %t %s && timeout 60 %t
// RUN: %regrain cc --targets=cpu -O0 -o %t %s && timeout 60 %t
// RUN: not %regrain cc --targets=cpu -DWRITES -c -o %t.o %s 2>&1 | FileCheck %s
// CHECK: builtin-variables.cu:[[#]]:[[#]]: error:
#include <cstdio>

template <class T> __device__ unsigned byValue(T at) { return at.x + 10 * at.y + 100 * at.z; }
template <class T> __device__ unsigned byReference(const T &at) { return byValue(at); }
__device__ unsigned converted(uint3 at) { return byValue(at); }
__device__ unsigned toDim3(dim3 size) { return byValue(size); }

__global__ void sums(unsigned *out) {
  auto thread = threadIdx;
  const auto block = blockIdx;
  auto &size = blockDim;
  auto captured = [=] { return thread.x + 10 * thread.y + 100 * thread.z; };
#ifdef WRITES
  threadIdx = thread;
#endif
  unsigned i = ((block.x * size.z + thread.z) * size.y + thread.y) * size.x + thread.x;
  dim3 grid(gridDim);
  out[i] = byValue(thread) + 3 * byReference(threadIdx) + 5 * converted(thread) + 7 * captured() +
           1000 * (byValue(block) + byReference(size) + toDim3(blockDim) + byValue(grid));
}

int main() {
  const dim3 grid(4), block(4, 3, 2);
  unsigned *out;
  cudaMallocManaged(&out, grid.x * block.x * block.y * block.z * sizeof(unsigned));
  sums<<<grid, block>>>(out);
  cudaDeviceSynchronize();
  for (unsigned i = 0, b = 0; b < grid.x; ++b)
    for (unsigned z = 0; z < block.z; ++z)
      for (unsigned y = 0; y < block.y; ++y)
        for (unsigned x = 0; x < block.x; ++x, ++i) {
          unsigned expected = 16 * (x + 10 * y + 100 * z) + 1000 * (b + 2 * 234 + 114);
          if (out[i] != expected)
            return std::printf("%u: %u, not %u\n", i, out[i], expected), 1;
        }
  return 0;
}
