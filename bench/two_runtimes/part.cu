//===- part.cu - A library with kernels of its own --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc compiles it with -DPART(NAME)=foreign_##NAME, Regrain with own_##NAME. Each library has the
// runtime of its compiler. Functions return the runtime's status, or -1 if a result is wrong.
//
//===----------------------------------------------------------------------===//
#include <cuda_runtime.h>
#include <vector>

namespace {

constexpr int threads = 128;

__device__ int launches;

__global__ void addTo(int *values, int count, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] += value;
  if (i == 0)
    ++launches;
}

} // namespace

extern "C" {

int PART(allocate)(int **values, int count) {
  cudaError_t status = cudaMalloc((void **)values, count * sizeof(int));
  return status != cudaSuccess ? status : cudaMemset(*values, 0, count * sizeof(int));
}

int PART(release)(int *values) { return cudaFree(values); }

int PART(makeStream)(cudaStream_t *stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
}

int PART(destroyStream)(cudaStream_t stream) { return cudaStreamDestroy(stream); }

int PART(makeEvent)(cudaEvent_t *event) { return cudaEventCreate(event); }

int PART(destroyEvent)(cudaEvent_t event) { return cudaEventDestroy(event); }

int PART(record)(cudaEvent_t event, cudaStream_t stream) { return cudaEventRecord(event, stream); }

int PART(await)(cudaStream_t stream, cudaEvent_t event) {
  return cudaStreamWaitEvent(stream, event, 0);
}

int PART(add)(int *values, int count, int value, cudaStream_t stream) {
  addTo<<<(count + threads - 1) / threads, threads, 0, stream>>>(values, count, value);
  return cudaGetLastError();
}

/// Expects `value` everywhere, once the stream's work is complete.
int PART(expect)(const int *values, int count, int value, cudaStream_t stream) {
  std::vector<int> copy(count);
  cudaError_t status = cudaMemcpyAsync(copy.data(), values, count * sizeof(int),
                                       cudaMemcpyDeviceToHost, stream);
  if (status == cudaSuccess)
    status = cudaStreamSynchronize(stream);
  if (status != cudaSuccess)
    return status;
  for (int element : copy)
    if (element != value)
      return -1;
  return cudaSuccess;
}

/// Gives the number of launches of this library's kernel.
int PART(countLaunches)(int *count) {
  return cudaMemcpyFromSymbol(count, launches, sizeof(int));
}

} // extern "C"
