#include "three_files.h"

// main.cu has a variable and a kernel of the same names.
static __device__ int own = 1000;

namespace {
__global__ void addTo(int n) { own += n; }
} // namespace

__global__ void fill(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = i;
}

__global__ void addOwnTo(float *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += own;
}

void addOwn(float *p, int n) {
  int start = 1010;
  cudaMemcpyToSymbol(own, &start, sizeof(start));
  addTo<<<1, 1>>>(14);
  addOwnTo<<<4, 64>>>(p, n);
  twice<<<4, 64>>>(p, n);
}
