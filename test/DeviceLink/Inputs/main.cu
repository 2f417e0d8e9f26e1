#include "three_files.h"
#include <cstdio>

static __device__ int own = 5;

namespace {
__global__ void addTo(int n) { atomicAdd(&own, n); }
} // namespace

__global__ void combine(float *p, int n) {
  extern __shared__ float indices[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  indices[threadIdx.x] = i;
  __syncthreads();
  Square square(2);
  if (i < n) {
    p[i] = scaled(p[i], i) + indices[threadIdx.x] + square.area() + own;
    atomicAdd(&count, 1);
  }
}

int main() {
  constexpr int n = 200;
  float *p;
  cudaMallocManaged(&p, n * sizeof(float));
  float scales[4] = {2, 3, 4, 5};
  cudaMemcpyToSymbol(scale, scales, sizeof(scales));
  int counted = 7;
  cudaMemcpyToSymbol(count, &counted, sizeof(counted));
  fill<<<4, 64>>>(p, n);
  addTo<<<1, 1>>>(10);
  combine<<<4, 64, 64 * sizeof(float)>>>(p, n);
  twice<<<4, 64>>>(p, n);
  addOwn(p, n);
  cudaError_t status = cudaDeviceSynchronize();
  cudaMemcpyFromSymbol(&counted, count, sizeof(counted));
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += p[i] != 2 * (2 * (i * scales[i % 4] + i + 4 + 15) + 1024);
  std::printf("%s, %d wrong, counted %d\n", cudaGetErrorString(status), wrong, counted);
  return wrong;
}
