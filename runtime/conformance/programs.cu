//===- programs.cu - Common uses of a device ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

#include <iterator>
#include <vector>

using namespace conformance;

namespace {

constexpr int count = 5000, threads = 128, blocks = (count + threads - 1) / threads;

__device__ int counter;
__constant__ int factors[4] = {1, 10, 100, 1000};
static __device__ double table[3] = {0.5, 1.5, 2.5};

__global__ void scale(int *out, const int *in, int n, int which) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * factors[which];
}

__global__ void countThreads(int n) {
  if (blockIdx.x * blockDim.x + threadIdx.x < n)
    atomicAdd(&counter, 1);
}

__global__ void reverseBlocks(int *data) {
  extern __shared__ int tile[];
  int base = blockIdx.x * blockDim.x;
  tile[threadIdx.x] = data[base + threadIdx.x];
  __syncthreads();
  data[base + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void __launch_bounds__(64) markBlocks(int *marks) {
  __shared__ int index;
  if (threadIdx.x == 0)
    index = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1)
    marks[index] += 1;
}

__global__ void readTable(double *out) { out[threadIdx.x] = table[threadIdx.x]; }

bool copiesAndLaunches() {
  std::vector<int> in(count), out(count);
  for (int i = 0; i < count; ++i)
    in[i] = i - 7;
  Buffer<int> from(count), to(count);
  EXPECT(from.data && to.data);
  EXPECT_OK(cudaMemcpy(from.data, in.data(), count * 4, cudaMemcpyHostToDevice));
  scale<<<blocks, threads>>>(to.data, from.data, count, 2);
  EXPECT_OK(cudaGetLastError());
  EXPECT_OK(cudaMemcpy(out.data(), to.data, count * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < count; ++i)
    EXPECT(out[i] == in[i] * 100);
  return true;
}

bool variables() {
  int zero = 0, result = -1, changed[2] = {7, 8};
  EXPECT_OK(cudaMemcpyToSymbol(counter, &zero, sizeof(int)));
  countThreads<<<blocks, threads>>>(count);
  countThreads<<<blocks, threads>>>(3);
  EXPECT_OK(cudaMemcpyFromSymbol(&result, counter, sizeof(int)));
  EXPECT(result == count + 3);
  Buffer<int> in(1), out(1);
  EXPECT_OK(cudaMemset(in.data, 0, 4));
  EXPECT_OK(cudaMemset(in.data, 1, 1));
  EXPECT_OK(cudaMemcpyToSymbol(factors, changed, sizeof(changed), 2 * sizeof(int)));
  scale<<<1, 1>>>(out.data, in.data, 1, 3);
  EXPECT_OK(cudaMemcpy(&result, out.data, 4, cudaMemcpyDeviceToHost));
  EXPECT(result == 8);
  int original[2] = {100, 1000};
  EXPECT_OK(cudaMemcpyToSymbol(factors, original, sizeof(original), 2 * sizeof(int)));
  Buffer<double> values(3);
  double back[3];
  readTable<<<1, 3>>>(values.data);
  EXPECT_OK(cudaMemcpy(back, values.data, sizeof(back), cudaMemcpyDeviceToHost));
  EXPECT(back[0] == 0.5 && back[1] == 1.5 && back[2] == 2.5);
  size_t bytes = 0;
  void *address = nullptr;
  EXPECT_OK(cudaGetSymbolSize(&bytes, factors));
  EXPECT_OK(cudaGetSymbolAddress(&address, counter));
  EXPECT(bytes == 16 && address);
  int other = 0;
  EXPECT_STATUS(cudaErrorInvalidSymbol, cudaGetSymbolSize(&bytes, other));
  EXPECT_STATUS(cudaErrorInvalidSymbol, cudaGetLastError());
  return true;
}

bool dynamicSharedMemory() {
  int unasked = 0, optin = 0;
  EXPECT_OK(cudaDeviceGetAttribute(&unasked, cudaDevAttrMaxSharedMemoryPerBlock, 0));
  EXPECT_OK(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  EXPECT(unasked >= 48 << 10 && optin >= unasked);
  constexpr int wide = 64 << 10;
  std::vector<int> values(threads * 3), back(threads * 3);
  for (int i = 0; i < threads * 3; ++i)
    values[i] = i;
  Buffer<int> data(threads * 3);
  EXPECT_OK(cudaMemcpy(data.data, values.data(), values.size() * 4, cudaMemcpyHostToDevice));
  reverseBlocks<<<3, threads, threads * 4>>>(data.data);
  EXPECT_OK(cudaGetLastError());
  reverseBlocks<<<3, threads, unasked + 4>>>(data.data);
  EXPECT_STATUS(cudaErrorInvalidValue, cudaGetLastError());
  EXPECT_STATUS(
      cudaErrorInvalidValue,
      cudaFuncSetAttribute(reverseBlocks, cudaFuncAttributeMaxDynamicSharedMemorySize, optin + 4));
  EXPECT_STATUS(cudaErrorInvalidValue, cudaGetLastError());
  if (optin >= wide) {
    EXPECT_OK(
        cudaFuncSetAttribute(reverseBlocks, cudaFuncAttributeMaxDynamicSharedMemorySize, wide));
    reverseBlocks<<<3, threads, wide>>>(data.data);
    EXPECT_OK(cudaGetLastError());
    reverseBlocks<<<3, threads, threads * 4>>>(data.data);
  }
  EXPECT_OK(cudaMemcpy(back.data(), data.data, back.size() * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < threads * 3; ++i)
    EXPECT(back[i] == i / threads * threads + threads - 1 - i % threads);
  return true;
}

bool gridsOfThreeDimensions() {
  constexpr int total = 5 * 3 * 7;
  int back[total];
  Buffer<int> marks(total);
  EXPECT_OK(cudaMemset(marks.data, 0, total * 4));
  markBlocks<<<dim3(5, 3, 7), dim3(4, 4, 4)>>>(marks.data);
  markBlocks<<<dim3(5, 3, 7), 64>>>(marks.data);
  EXPECT_OK(cudaMemcpy(back, marks.data, sizeof(back), cudaMemcpyDeviceToHost));
  // With 4 threads in x, all 16 rows of threads have the last x.
  for (int mark : back)
    EXPECT(mark >= 2);
  return true;
}

bool allocations() {
  void *pointer = nullptr;
  EXPECT_STATUS(cudaErrorMemoryAllocation, cudaMalloc(&pointer, size_t(1) << 50));
  EXPECT_STATUS(cudaErrorMemoryAllocation, cudaGetLastError());
  EXPECT_OK(cudaMalloc(&pointer, 100));
  cudaPointerAttributes attributes;
  EXPECT_OK(cudaPointerGetAttributes(&attributes, pointer));
  EXPECT(attributes.type == cudaMemoryTypeDevice);
  EXPECT_OK(cudaFree(pointer));
  EXPECT_STATUS(cudaErrorInvalidValue, cudaFree(pointer));
  EXPECT_STATUS(cudaErrorInvalidValue, cudaGetLastError());
  EXPECT_OK(cudaMallocHost(&pointer, 100));
  EXPECT_OK(cudaPointerGetAttributes(&attributes, pointer));
  EXPECT(attributes.type == cudaMemoryTypeHost);
  EXPECT_OK(cudaFreeHost(pointer));
  int *managed = nullptr;
  EXPECT_OK(cudaMallocManaged(&managed, 256 * sizeof(int)));
  for (int i = 0; i < 256; ++i)
    managed[i] = i;
  reverseBlocks<<<2, 128, 512>>>(managed);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(managed[0] == 127 && managed[255] == 128);
  EXPECT_OK(cudaFree(managed));
  size_t freeBytes = 0, totalBytes = 0;
  EXPECT_OK(cudaMemGetInfo(&freeBytes, &totalBytes));
  EXPECT(freeBytes > 0 && freeBytes <= totalBytes);
  return true;
}

bool rowsAndFills() {
  char *data = nullptr, back[6];
  size_t pitch = 0;
  EXPECT_OK(cudaMallocPitch(&data, &pitch, 3, 2));
  EXPECT_OK(cudaMemcpy2D(data, pitch, "abcdef", 3, 3, 2, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemset2D(data + 1, pitch, 'x', 1, 2));
  EXPECT_OK(cudaMemcpy2D(back, 3, data, pitch, 3, 2, cudaMemcpyDeviceToHost));
  EXPECT(std::vector<char>(back, back + 6) == (std::vector<char>{'a', 'x', 'c', 'd', 'x', 'f'}));
  EXPECT_OK(cudaFree(data));
  return true;
}

void addOne(void *value) { ++*static_cast<int *>(value); }

bool streamsAndEvents() {
  cudaStream_t stream = nullptr;
  cudaEvent_t start = nullptr, end = nullptr;
  int called = 0, *pinned = nullptr;
  EXPECT_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  EXPECT_OK(cudaEventCreate(&start));
  EXPECT_OK(cudaEventCreate(&end));
  EXPECT_OK(cudaMallocHost(&pinned, count * 4));
  Buffer<int> from(count), to(count);
  for (int i = 0; i < count; ++i)
    pinned[i] = i;
  EXPECT_OK(cudaEventRecord(start, stream));
  EXPECT_OK(cudaMemcpyAsync(from.data, pinned, count * 4, cudaMemcpyHostToDevice, stream));
  scale<<<blocks, threads, 0, stream>>>(to.data, from.data, count, 1);
  EXPECT_OK(cudaMemcpyAsync(pinned, to.data, count * 4, cudaMemcpyDeviceToHost, stream));
  EXPECT_OK(cudaLaunchHostFunc(stream, addOne, &called));
  EXPECT_OK(cudaEventRecord(end, stream));
  EXPECT_OK(cudaStreamWaitEvent(nullptr, end, 0));
  EXPECT_OK(cudaStreamSynchronize(nullptr));
  EXPECT(called == 1 && pinned[count - 1] == (count - 1) * 10);
  EXPECT_OK(cudaEventQuery(end));
  float milliseconds = -1;
  EXPECT_OK(cudaEventElapsedTime(&milliseconds, start, end));
  EXPECT(milliseconds >= 0);
  EXPECT_OK(cudaStreamQuery(stream));
  EXPECT_OK(cudaFreeHost(pinned));
  EXPECT_OK(cudaEventDestroy(start));
  EXPECT_OK(cudaEventDestroy(end));
  EXPECT_OK(cudaStreamDestroy(stream));
  return true;
}

bool questionsAboutKernels() {
  cudaFuncAttributes attributes;
  EXPECT_OK(cudaFuncGetAttributes(&attributes, markBlocks));
  EXPECT(attributes.sharedSizeBytes >= 4 && attributes.maxThreadsPerBlock >= 64);
  int active = 0, grid = 0, block = 0;
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, scale, 256, 0));
  EXPECT(active >= 1);
  EXPECT_OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale));
  EXPECT(grid >= 1 && block >= 32);
  cudaDeviceProp properties;
  EXPECT_OK(cudaGetDeviceProperties(&properties, 0));
  EXPECT(properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024 &&
         properties.multiProcessorCount > 0);
  return true;
}

const Case cases[] = {
    {"copies and launches", copiesAndLaunches},
    {"variables", variables},
    {"dynamic shared memory", dynamicSharedMemory},
    {"grids of three dimensions", gridsOfThreeDimensions},
    {"allocations", allocations},
    {"rows and fills", rowsAndFills},
    {"streams and events", streamsAndEvents},
    {"questions about kernels", questionsAboutKernels},
};

} // namespace

AREA(programs) { answerCases(cases, std::size(cases)); }
