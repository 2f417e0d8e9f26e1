// One library makes a stream and memory, the other one uses them.
#include <cuda_runtime.h>

#ifdef MAKER
extern "C" cudaStream_t makeStream() {
  cudaStream_t stream = nullptr;
  return cudaStreamCreate(&stream) == cudaSuccess ? stream : nullptr;
}

__global__ void fill(int *values) { values[threadIdx.x] = threadIdx.x; }

extern "C" int *makeValues(cudaStream_t stream) {
  int *values = nullptr;
  if (cudaMalloc(&values, 32 * sizeof(int)) != cudaSuccess)
    return nullptr;
  fill<<<1, 32, 0, stream>>>(values);
  return values;
}
#else
__global__ void add(int *values) { values[threadIdx.x] += 100; }

extern "C" int lastValue(cudaStream_t stream, int *values) {
  add<<<1, 32, 0, stream>>>(values);
  int last = -1;
  if (cudaMemcpyAsync(&last, values + 31, sizeof(int), cudaMemcpyDeviceToHost, stream) !=
          cudaSuccess ||
      cudaStreamSynchronize(stream) != cudaSuccess || cudaFree(values) != cudaSuccess ||
      cudaStreamDestroy(stream) != cudaSuccess)
    return -1;
  return last;
}
#endif
