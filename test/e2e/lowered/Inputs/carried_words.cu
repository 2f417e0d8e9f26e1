//===- carried_words.cu - Words of two halves in a loop ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints what each thread computes. A loop that runs once has nothing but its rest, once it is
// unrolled: then no iteration in front of that has made words.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int threads = 8, pairs = 4;

__global__ void carry(unsigned *out, const __half *in, int n, unsigned more) {
  __half2 sums[pairs];
  __nv_bfloat162 turned[pairs];
#pragma unroll
  for (int i = 0; i < pairs; ++i) {
    sums[i] = __halves2half2(in[i * 2 + threadIdx.x], in[i * 2 + 1]);
    turned[i] = __halves2bfloat162(__ushort_as_bfloat16(0x3f00 + i * 0x40),
                                   __ushort_as_bfloat16(0x3e80 + threadIdx.x * 0x10));
  }
  for (int k = 0; k < n; ++k) {
#pragma unroll
    for (int i = 0; i < pairs; ++i) {
      unsigned word = *reinterpret_cast<unsigned *>(&sums[i]);
      if (k % 3 == 1)
        word = __byte_perm(word, *reinterpret_cast<unsigned *>(&turned[i]), 0x5410);
      if (k % 5 == 2)
        word = word >> 16 | word << 16;
      asm("add.f16x2 %0, %0, %1;" : "+r"(word) : "r"(more));
      sums[i] = *reinterpret_cast<__half2 *>(&word);
      if (k & 1)
        turned[i] = __halves2bfloat162(turned[i].y, turned[i].x);
    }
  }
  float number = 0;
  unsigned bits = 0;
#pragma unroll
  for (int i = 0; i < pairs; ++i) {
    number = number * 3 + __low2float(sums[i]) + __high2float(sums[i]) * 7 +
             __bfloat162float(turned[i].x) - __bfloat162float(turned[i].y) * 2;
    bits = bits * 31 + *reinterpret_cast<unsigned *>(&sums[i]) +
           (*reinterpret_cast<unsigned *>(&turned[i]) >> 3);
  }
  out[threadIdx.x] = bits ^ __float_as_uint(number);
}

int main() {
  __half *in, numbers[threads + 2 * pairs];
  unsigned *out, got[threads];
  for (int i = 0; i < threads + 2 * pairs; ++i)
    numbers[i] = __float2half((i % 29) * 0.25f - 2);
  if (cudaMalloc(&in, sizeof numbers) || cudaMalloc(&out, sizeof got) ||
      cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice))
    return printf("no memory\n");
  for (int n = 0; n < 7; ++n) {
    carry<<<1, threads>>>(out, in, n, 0x3c003800u);
    if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost))
      return printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    printf("%d:", n);
    for (unsigned each : got)
      printf(" %08x", each);
    printf("\n");
  }
}
