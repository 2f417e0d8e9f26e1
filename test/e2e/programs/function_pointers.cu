//===- function_pointers.cu - Indirect calls --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There are a table of functions in device memory, a pointer that the host copied
// out and passed back, and virtual functions of objects made on the device.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' not timeout 60 %t 2>&1 | FileCheck %s
// CHECK: it was refused when compiled: it calls a virtual function or a function through a pointer
#include "expect.h"

typedef int (*Function)(int);

__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
__device__ int negate(int x) { return -x; }

__device__ Function table[3] = {twice, square, negate};

__global__ void byTable(int *out) { out[threadIdx.x] = table[threadIdx.x % 3](threadIdx.x); }

__global__ void byParameter(Function function, int *out) {
  out[threadIdx.x] = function(threadIdx.x) + 1;
}

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int side) : side(side) {}
  __device__ int area() const override { return side * side; }
};
struct Rectangle : Shape {
  int width, height;
  __device__ Rectangle(int width, int height) : width(width), height(height) {}
  __device__ int area() const override { return width * height; }
};

__global__ void virtualCalls(int *out) {
  int tid = threadIdx.x;
  Square square(tid);
  Rectangle rectangle(tid, 3);
  const Shape *shape = tid % 2 ? static_cast<const Shape *>(&square) : &rectangle;
  out[tid] = shape->area();
}

int main() {
  constexpr int threads = 50;
  DeviceArray<int> out(threads);
  byTable<<<1, threads>>>(out);
  auto got = out.host();
  for (int t = 0; t < threads; ++t)
    expectEqual("table", t, got[t], t % 3 == 0 ? 2 * t : t % 3 == 1 ? t * t : -t);

  Function copied[3];
  CHECK(cudaMemcpyFromSymbol(copied, table, sizeof(copied)));
  byParameter<<<1, threads>>>(copied[1], out);
  got = out.host();
  for (int t = 0; t < threads; ++t)
    expectEqual("parameter", t, got[t], t * t + 1);

  virtualCalls<<<1, threads>>>(out);
  got = out.host();
  for (int t = 0; t < threads; ++t)
    expectEqual("virtual", t, got[t], t % 2 ? t * t : 3 * t);
  return verdict("function_pointers");
}
