//===- device_malloc.cu - malloc and new in kernels -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread builds a list on the heap and takes it apart; memory from one
// kernel is read and freed in the next.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=2' timeout 60 %t
#include "expect.h"
#include <new>

constexpr int threads = 64;

struct Node {
  int value;
  Node *next;
};

__global__ void lists(int *out) {
  Node *head = nullptr;
  for (int i = 0; i <= threadIdx.x % 5; ++i) {
    Node *node = static_cast<Node *>(malloc(sizeof(Node)));
    if (!node)
      return;
    node->value = threadIdx.x + i;
    node->next = head;
    head = node;
  }
  int sum = 0;
  while (head) {
    Node *next = head->next;
    sum += head->value;
    free(head);
    head = next;
  }
  out[threadIdx.x] = sum;
}

__global__ void make(int **kept) {
  kept[threadIdx.x] = new int[2];
  kept[threadIdx.x][0] = threadIdx.x;
  kept[threadIdx.x][1] = 7;
}

__global__ void take(int **kept, int *out) {
  int *memory = kept[threadIdx.x];
  out[threadIdx.x] = memory[0] * memory[1];
  delete[] memory;
}

int main() {
  DeviceArray<int> out(threads);
  lists<<<1, threads>>>(out);
  auto got = out.host();
  for (int t = 0; t < threads; ++t) {
    int sum = 0;
    for (int i = 0; i <= t % 5; ++i)
      sum += t + i;
    expectEqual("lists", t, got[t], sum);
  }
  DeviceArray<int *> kept(threads);
  make<<<1, threads>>>(kept);
  take<<<1, threads>>>(kept, out);
  got = out.host();
  for (int t = 0; t < threads; ++t)
    expectEqual("take", t, got[t], t * 7);
  return verdict("device_malloc");
}
