//===- templates.cu - Kernels as templates ----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels are instantiated for types and sizes, with functors and shared arrays whose size
// is a parameter; there are grid-stride loops and a launch that reads its own configuration.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"

template <class T> struct Scale {
  T factor;
  __host__ __device__ T operator()(T x) const { return x * factor; }
};

template <class T, class Operation, int Block>
__global__ void __launch_bounds__(Block) transform(T *data, int n, Operation operation) {
  __shared__ T stage[Block];
  for (int first = blockIdx.x * Block; first < n; first += gridDim.x * Block) {
    int i = first + threadIdx.x;
    stage[threadIdx.x] = i < n ? data[i] : T(0);
    __syncthreads();
    T other = stage[Block - 1 - threadIdx.x];
    __syncthreads();
    if (i < n)
      data[i] = operation(data[i]) + other;
  }
}

template <class T, int Block> void run(const char *what, int n, T factor) {
  std::vector<T> data(n);
  for (int i = 0; i < n; ++i)
    data[i] = T(i % 17);
  DeviceArray<T> device(data);
  Scale<T> scale = {factor};
  transform<T, Scale<T>, Block><<<4, Block>>>(static_cast<T *>(device), n, scale);
  auto got = device.host();
  for (int i = 0; i < n; ++i) {
    int other = i / Block * Block + Block - 1 - i % Block;
    expectEqual(what, i, got[i], scale(data[i]) + (other < n ? data[other] : T(0)));
  }
}

int main() {
  run<int, 64>("int", 1000, 3);
  run<float, 96>("float", 777, 1.5f);
  run<double, 256>("double", 5001, 0.25);
  run<short, 32>("short", 100, 2);
  return verdict("templates");
}
