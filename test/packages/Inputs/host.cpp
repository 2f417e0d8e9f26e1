#include <cstdio>
#include <cuda_runtime.h>

int main() {
  int devices = 0;
  cudaError_t error = cudaGetDeviceCount(&devices);
  std::printf("devices: %d\n", devices);
  return error != cudaSuccess;
}
