// The programs of this folder share this file, as in suites.
#pragma once
#include <cstdio>

__global__ void fill(int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = i * i;
}

inline int sumOfSquares(int n) {
  int *values, sum = 0;
  cudaMallocManaged(&values, n * sizeof(int));
  fill<<<(n + 63) / 64, 64>>>(values, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i)
    sum += values[i];
  cudaFree(values);
  return sum;
}
