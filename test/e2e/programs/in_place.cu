//===- in_place.cu - A thread's words by several pointers -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread reads and writes neighbouring words of its own through pointers that may be equal.
// A thread reads back what it writes, and of two values that it stores, the second stays.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=2' --coarsen='*:thread.x=4' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:thread.x=4' timeout 60 %t
#include "expect.h"

constexpr int threads = 64, blocks = 8, count = threads * blocks;

__global__ void pairs(const int *a, int *b) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  b[2 * t] = a[2 * t + 1] + 1;
  b[2 * t + 1] = a[2 * t] * 3;
}

struct Pair {
  int x, y;
};

__global__ void storedTwice(Pair *a, Pair *b, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) {
    a[t].x = 0;
    b[t].x = t + 1;
    a[t].y = 7;
  }
}

__global__ void inShared(int *out, int offset) {
  extern __shared__ int words[];
  int t = threadIdx.x, *other = words + offset;
  words[2 * t] = t;
  other[2 * t] = t * 5;
  words[2 * t + 1] = 3;
  __syncthreads();
  out[blockIdx.x * threads + t] = words[(2 * t + 2) % (2 * threads)] + words[2 * t + 1];
}

// A variable of the thread is found in many steps.
__global__ void inSteps(unsigned *out, const int *in, unsigned n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned own[64], *p = own + (in[t] & 3);
  for (int i = 1; i < 8; ++i)
    p += in[t + i] & 3;
  unsigned hash = t;
  for (int i = 0; i < 24; ++i)
    hash = (hash ^ hash << 13 ^ hash >> 17) + in[t];
  *p = hash;
  p[in[t + 8] & 3] = n;
  hash = *p;
  for (int i = 0; i < 24; ++i)
    hash = (hash ^ hash << 13 ^ hash >> 17) + in[t];
  out[t] = hash;
}

unsigned inStepsOf(const int *in, int t, unsigned n) {
  unsigned hash = t;
  for (int i = 0; i < 24; ++i)
    hash = (hash ^ hash << 13 ^ hash >> 17) + in[t];
  hash = in[t + 8] & 3 ? hash : n;
  for (int i = 0; i < 24; ++i)
    hash = (hash ^ hash << 13 ^ hash >> 17) + in[t];
  return hash;
}

int main() {
  std::vector<int> numbers(2 * count);
  for (int i = 0; i < 2 * count; ++i)
    numbers[i] = i * 37 % 1001;
  DeviceArray<int> words(numbers), sums(count);
  DeviceArray<Pair> both(count);
  DeviceArray<int> seeds(numbers);
  DeviceArray<unsigned> hashes(count);
  pairs<<<blocks, threads>>>(words, words);
  storedTwice<<<blocks, threads>>>(both, both, count);
  inShared<<<blocks, threads, 2 * threads * sizeof(int)>>>(sums, 0);
  inSteps<<<blocks, threads>>>(hashes, seeds, 3);
  auto got = words.host();
  auto hashed = hashes.host();
  auto stored = both.host();
  auto shared = sums.host();
  for (int t = 0; t < count; ++t) {
    int first = numbers[2 * t + 1] + 1;
    expectEqual("first", t, got[2 * t], first);
    expectEqual("second", t, got[2 * t + 1], first * 3);
    expectEqual("x", t, stored[t].x, t + 1);
    expectEqual("y", t, stored[t].y, 7);
    expectEqual("in steps", t, hashed[t], inStepsOf(numbers.data(), t, 3));
    expectEqual("shared", t, shared[t], (t % threads + 1) % threads * 5 + 3);
  }
  return verdict("in_place");
}
