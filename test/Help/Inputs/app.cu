// The program that the examples of the help build and tune: one small kernel, so that its grains compile fast.
#include <cstdio>

__global__ void multiply(float *data, float factor, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    data[i] *= factor;
}

int main() {
  const int count = 1 << 18, launches = 40;
  float *data;
  if (cudaMallocManaged(&data, count * sizeof(float)) != cudaSuccess)
    return 2;
  for (int i = 0; i < count; ++i)
    data[i] = i % 7;
  for (int launch = 0; launch < launches; ++launch)
    multiply<<<(count + 127) / 128, 128>>>(data, launch % 2 ? 2.0f : 0.5f, count);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 2;
  printf("the last element is %g\n", data[count - 1]);
}
