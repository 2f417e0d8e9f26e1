// A library for Python: it declares the memory that it is given.
#include <regrain_declared_memory.h>

__global__ void scaleBy(float *x, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= factor;
}

extern "C" int scale(float *x, float factor, int n, int declares) {
  if (declares)
    regrain_declare_memory(x, n * sizeof *x);
  scaleBy<<<(n + 127) / 128, 128>>>(x, factor, n);
  if (declares)
    regrain_withdraw_memory(x, n * sizeof *x);
  return cudaDeviceSynchronize();
}
