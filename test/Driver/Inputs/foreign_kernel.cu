#include <cuda_runtime.h>

__device__ int launches;

__global__ void scale(int *values, int factor) {
  values[threadIdx.x] *= factor;
  if (threadIdx.x == 0)
    ++launches;
}

extern "C" int statusOfForeignCall() {
  int *values = nullptr;
  cudaError_t status = cudaMalloc((void **)&values, 32 * sizeof(int));
  if (status != cudaSuccess)
    return status;
  scale<<<1, 32>>>(values, 3);
  status = cudaGetLastError();
  cudaFree(values);
  return status;
}
