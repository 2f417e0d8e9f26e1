//===- shown_constants.cu - Addresses of constants --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constant is one object for all kernels and for the host, at any grain of each:
// the end of a list, entries of a table and their targets, a function's own constant.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu \
// RUN:   --coarsen='build:block.x=2' --coarsen='compare:thread.x=2' --coarsen='*:block.x=2' \
// RUN:   -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='build:block.x=2;compare:thread.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: %regrain cc -c --targets=sm_90,compute_70 --coarsen='*:block.x=2' -o %t.o %s
#include "expect.h"

constexpr int threads = 64, blocks = 4, count = threads * blocks;

struct Node {
  const Node *next;
  int value;
};

__device__ const Node last = {nullptr, 0};
static __device__ const char *const kinds[2] = {"leaf", "inner"};
static __device__ const int numbers[4] = {3, 5, 7, 11};

__device__ const int *ownOfFunction() {
  static const int own[2] = {1, 2};
  return own;
}

__device__ int rank() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void build(Node *nodes, const void **known) {
  int i = rank();
  nodes[i] = {i % 4 == 3 ? &last : &nodes[i + 1], i};
  known[4 * i] = kinds[i & 1];
  known[4 * i + 1] = kinds[1];
  known[4 * i + 2] = ownOfFunction();
  known[4 * i + 3] = &numbers[i & 3];
}

__global__ void compare(int *out, const Node *nodes, const void *const *known) {
  int i = rank(), sum = 0;
  for (const Node *node = &nodes[i]; node != &last; node = node->next)
    sum += node->value;
  for (int number : numbers)
    sum += number;
  out[2 * i] = sum;
  out[2 * i + 1] = (known[4 * i] == kinds[i & 1]) + 2 * (known[4 * i + 1] == kinds[1]) +
                   4 * (known[4 * i + 2] == ownOfFunction()) +
                   8 * (known[4 * i + 3] == &numbers[i & 3]);
}

int main() {
  DeviceArray<Node> nodes(count);
  DeviceArray<const void *> known(4 * count);
  DeviceArray<int> out(2 * count);
  build<<<blocks, threads>>>(nodes, known);
  compare<<<blocks, threads>>>(out, nodes, known);
  auto got = out.host();
  auto addresses = known.host();
  void *host = nullptr;
  expectEqual("cudaGetSymbolAddress", 0, cudaGetSymbolAddress(&host, numbers), cudaSuccess);
  for (int i = 0; i < count; ++i) {
    int wanted = 26;
    for (int k = i; k <= i / 4 * 4 + 3; ++k)
      wanted += k;
    expectEqual("sum", i, got[2 * i], wanted);
    expectEqual("addresses", i, got[2 * i + 1], 15);
    if (i % 4 == 0)
      expectEqual("on the host", i, addresses[4 * i + 3] == host, true);
  }
  return verdict("shown_constants");
}
