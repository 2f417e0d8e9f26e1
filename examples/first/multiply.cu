//===- multiply.cu - The first example of the README ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plainest matrix product. Each thread computes one element and reads a whole
// row of `a` for it; a thread that computes neighbouring elements shares that row.
//
//===----------------------------------------------------------------------===//
#include <cstdio>

__global__ void multiply(float *c, const float *a, const float *b, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= n || row >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

int main() {
  const int n = 250, blocks = (n + 15) / 16, launches = 20;
  const size_t bytes = n * n * sizeof(float);
  float *a, *b, *c;
  if (cudaMallocManaged(&a, bytes) != cudaSuccess || cudaMallocManaged(&b, bytes) != cudaSuccess ||
      cudaMallocManaged(&c, bytes) != cudaSuccess)
    return 2;
  for (int i = 0; i < n * n; ++i) {
    a[i] = i % 7;
    b[i] = i % 5;
  }
  for (int launch = 0; launch < launches; ++launch)
    multiply<<<dim3(blocks, blocks), dim3(16, 16)>>>(c, a, b, n);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 2;
  printf("the last element is %g\n", c[n * n - 1]);
}
