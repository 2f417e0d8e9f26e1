#include "twice.h"
#include <cuda_runtime.h>

__global__ void doubleAll(int *values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] = twice(values[i]);
}

int sumOfDoubled(int count) {
  int *values;
  if (cudaMallocManaged(&values, count * sizeof(int)) != cudaSuccess)
    return -1;
  for (int i = 0; i < count; ++i)
    values[i] = i;
  doubleAll<<<(count + 63) / 64, 64>>>(values, count);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return -1;
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += values[i];
  cudaFree(values);
  return sum;
}
