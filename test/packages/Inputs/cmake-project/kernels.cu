#include "kernels.h"

__global__ void increment(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += 1;
}

void addOne(float *data, int n) { increment<<<(n + 127) / 128, 128>>>(data, n); }
