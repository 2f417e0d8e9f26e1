// The device side of this program is in three files.
#pragma once
#include <cuda_runtime.h>

extern __device__ int count;
extern __constant__ float scale[4];
__device__ float scaled(float value, int i);
__global__ void fill(float *p, int n);
void addOwn(float *p, int n);

struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float side) : side(side) {}
  __device__ float area() const override; // defined in callee.cu, as is the vtable
};

template <typename T> __global__ void twice(T *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = p[i] * 2;
}
