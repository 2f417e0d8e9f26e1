// A program and a shared library have kernels and variables of the same names, which are local to a
// file, or hidden. With VISIBLE, one kernel is neither.
#include <cstdio>
#include <cuda_runtime.h>

#define HIDDEN __attribute__((visibility("hidden")))

static __device__ int fileVariable = VALUE;
HIDDEN __device__ int hiddenVariable = 10 * VALUE;

static __global__ void inFile(int *sum) { *sum += fileVariable; }
namespace {
__global__ void inNamespace(int *sum) { *sum += 100 * VALUE; }
} // namespace
HIDDEN __global__ void hidden(int *sum) { *sum += hiddenVariable + 1000 * VALUE; }
#ifdef VISIBLE
__global__ void visible(int *sum) { *sum += 100000 * VALUE; }
#endif

static int result() {
  int *sum = nullptr, copy = 0, total = 0;
  if (cudaMallocManaged(&sum, sizeof(int)) != cudaSuccess)
    return -1;
  *sum = 0;
  inFile<<<1, 1>>>(sum);
  inNamespace<<<1, 1>>>(sum);
  hidden<<<1, 1>>>(sum);
#ifdef VISIBLE
  visible<<<1, 1>>>(sum);
#endif
  if (cudaMemcpyFromSymbol(&copy, hiddenVariable, sizeof(int)) != cudaSuccess)
    return -1;
  total = *sum + 1000 * copy;
  return cudaFree(sum) == cudaSuccess ? total : -1;
}

#ifdef LIBRARY
extern "C" int resultOfLibrary() { return result(); }
#else
extern "C" int resultOfLibrary();
int main() {
  std::printf("program %d, library %d\n", result(), resultOfLibrary());
  return 0;
}
#endif
