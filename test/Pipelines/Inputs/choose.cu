#include <cstdio>
#ifndef FACTOR
#define FACTOR 3
#endif

__global__ void scale(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= FACTOR;
}

__global__ void add(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 7;
}

template <class T> __global__ void fill(T *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = i;
}

__device__ void twice(int *x) { *x *= 2; }
// It has only its own grain.
__global__ void points(void (*f)(int *), int *x) { f ? f(x) : twice(x); }

// It has no other legal grain.
__global__ void waits(volatile int *flag) {
  while (*flag == 0)
    ;
}

int main() {
  const int n = 1000;
  int *x;
  cudaMalloc(&x, n * sizeof(int));
  fill<<<(n + 63) / 64, 64>>>(x, n);
  scale<<<(n + 63) / 64, 64>>>(x, n);
  add<<<(n + 63) / 64, 64>>>(x, n);
  add<<<(n + 31) / 32, 32>>>(x, n);
  points<<<1, 1>>>(nullptr, x);
  int host[n];
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (int i = 0; i < n; ++i)
    sum = sum * 31 + host[i];
  printf("%u %s\n", sum, cudaGetErrorString(cudaGetLastError()));
}
