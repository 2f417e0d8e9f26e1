#include "kernels.h"

#include <cstdio>

__global__ void twice(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= 2;
}

int main() {
  float *data;
  cudaMallocManaged(&data, 256 * sizeof(float));
  for (int i = 0; i < 256; ++i)
    data[i] = i;
  twice<<<2, 128>>>(data, 256);
  addOne(data, 256);
  cudaDeviceSynchronize();
  std::printf("app: %g\n", data[255]);
  return data[255] != 511;
}
