//===- other_types.cu - Memory that is read as another type -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads store numbers of one type and load them as numbers of another one: in global and shared
// memory, and in variables of their own.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cuda_runtime.h>

constexpr unsigned threads = 16;

/// Both pointers are to the same memory.
__global__ void inGlobal(unsigned *words, unsigned short *halves, unsigned *out) {
  unsigned t = threadIdx.x, first = words[t];
  halves[2 * t + 1] = (unsigned short)(t * 3);
  out[t] = first * 5 + words[t];
}

__global__ void inShared(const unsigned *words, unsigned *out) {
  __shared__ float numbers[threads];
  unsigned t = threadIdx.x;
  numbers[t] = 1.5f;
  reinterpret_cast<int *>(numbers)[t] = int(words[t]);
  out[t] = __float_as_uint(numbers[t]) + 1;
}

/// Changes words as pairs, and their first numbers alone.
__global__ void inVariables(const unsigned *words, unsigned *out, unsigned n) {
  unsigned t = threadIdx.x, sum = 0;
  ushort2 pairs[2];
  for (unsigned i = 0; i < 2; ++i) {
    pairs[i].x = (unsigned short)(words[t] + i);
    pairs[i].y = (unsigned short)n;
  }
  for (unsigned k = 0; k < n; ++k)
    for (unsigned i = 0; i < 2; ++i) {
      unsigned short low = pairs[i].x;
      pairs[i].x = pairs[i].y;
      pairs[i].y = low;
      if (k == 0)
        reinterpret_cast<unsigned &>(pairs[i]) = reinterpret_cast<unsigned &>(pairs[i]) * 5 + t;
      if (k & 1)
        reinterpret_cast<unsigned &>(pairs[i]) = reinterpret_cast<unsigned &>(pairs[i]) >> 16 |
                                                 reinterpret_cast<unsigned &>(pairs[i]) << 16;
    }
  for (unsigned i = 0; i < 2; ++i)
    sum = sum * 31 + (pairs[i].x * 7 ^ reinterpret_cast<unsigned &>(pairs[i]));
  out[t] = sum;
}

static unsigned inVariablesOf(unsigned word, unsigned t, unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 2; ++i) {
    unsigned pair = ((word + i) & 0xffff) | n << 16;
    for (unsigned k = 0; k < n; ++k) {
      pair = pair >> 16 | pair << 16;
      if (k == 0)
        pair = pair * 5 + t;
      if (k & 1)
        pair = pair >> 16 | pair << 16;
    }
    sum = sum * 31 + ((pair & 0xffff) * 7 ^ pair);
  }
  return sum;
}

static unsigned count(const unsigned *out, unsigned (*wanted)(unsigned word, unsigned t)) {
  unsigned got[threads], wrong = 0;
  if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost))
    return threads;
  for (unsigned t = 0; t < threads; ++t)
    wrong += got[t] != wanted(t * 0x10003 + 9, t);
  return wrong;
}

int main() {
  unsigned host[threads], *words, *out;
  for (unsigned t = 0; t < threads; ++t)
    host[t] = t * 0x10003 + 9;
  if (cudaMalloc(&words, sizeof host) || cudaMalloc(&out, sizeof host) ||
      cudaMemcpy(words, host, sizeof host, cudaMemcpyHostToDevice))
    return printf("no memory\n");
  inShared<<<1, threads>>>(words, out);
  printf("shared memory: %u wrong\n", count(out, [](unsigned word, unsigned) { return word + 1; }));
  inVariables<<<1, threads>>>(words, out, 5);
  printf("variables: %u wrong\n",
         count(out, [](unsigned word, unsigned t) { return inVariablesOf(word, t, 5); }));
  inGlobal<<<1, threads>>>(words, reinterpret_cast<unsigned short *>(words), out);
  printf("global memory: %u wrong\n", count(out, [](unsigned word, unsigned t) {
           return word * 5 + ((word & 0xffff) | (t * 3) << 16);
         }));
}
