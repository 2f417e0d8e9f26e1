//===- api-forms.cu - The typed forms of the runtime API --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each overload and each default argument is used once.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc -c --targets=cpu -Werror --cuda-path=none -o %t.o %s

// A program sees the release that is asked for. Both forms of a call that changed remain.
// RUN: %regrain cc -c --targets=cpu -Werror --cuda-version=13.0 -DRELEASE=13000 -o %t.o %s
// RUN: %regrain cc -c --targets=cpu -Werror --cuda-version=11.8 -DRELEASE=11080 -o %t.o %s
// RUN: echo '#include <cuda.h>' > %t.cpp && echo 'static_assert(CUDA_VERSION == 13000, "");' >> %t.cpp
// RUN: %regrain cc -c --cuda-version=13.0 -o %t.o %t.cpp
// RUN: %regrain cc -c --cuda-version=13.0 -ccbin g++ -o %t.o %t.cpp
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>

#ifndef RELEASE
#define RELEASE 13000
#endif
static_assert(CUDART_VERSION == RELEASE && CUDA_VERSION == RELEASE, "");
static_assert(__CUDACC_VER_MAJOR__ == RELEASE / 1000, "");
static_assert(__CUDACC_VER_MINOR__ == RELEASE % 1000 / 10, "");

__constant__ float coefficients[4];
__device__ int counter;

template <class T> __global__ void kernel(T *data) { data[threadIdx.x] = T(coefficients[0]); }

static size_t sharedBytes(int blockSize) { return 4u * unsigned(blockSize); }

int main() {
  float *device, *host, *managed, *pitched;
  void *raw;
  size_t pitch, bytes;
  cudaStream_t stream;
  cudaMemPool_t pool;
  cudaEvent_t event;
  int count, blockSize;
  cudaDeviceProp properties;
  cudaFuncAttributes attributes;
  cudaKernel_t handle;
  const char *name;
  cudaUserObject_t kept;
  float values[4] = {};
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamCaptureStatus status;
  cudaGraphConditionalHandle condition;
  unsigned long long id;
  const cudaGraphNode_t *nodes;
  const cudaGraphEdgeData *edges;
  cudaGraphNode_t node;
  cudaGraphEdgeData edge;
  cudaGraphNodeParams parameters = {};
  cudaGraphExecUpdateResult updated;
  cudaGraphExecUpdateResultInfo updateInfo;

  cudaError_t errors[] = {
      cudaMalloc(&device, 16),
      cudaMalloc(&raw, 16),
      cudaMallocHost(&host, 16),
      cudaMallocHost(&raw, 16),
      cudaHostAlloc(&host, 16, cudaHostAllocMapped),
      cudaHostGetDevicePointer(&device, host, 0),
      cudaMallocManaged(&managed, 16),
      cudaMallocManaged(&raw, 16),
      cudaMallocPitch(&pitched, &pitch, 16, 4),
      cudaStreamCreate(&stream),
      cudaMallocAsync(&device, 16, stream),
      cudaMallocAsync(&device, 16, pool, stream),
      cudaMallocAsync(&raw, 16, pool, stream),
      cudaMallocFromPoolAsync(&device, 16, pool, stream),
      cudaEventCreate(&event),
      cudaEventCreate(&event, cudaEventDisableTiming),
      cudaEventRecord(event),
      cudaMemcpyAsync(device, host, 16, cudaMemcpyDefault),
      cudaMemcpyToSymbol(coefficients, values, 16),
      cudaMemcpyToSymbolAsync(coefficients, values, 16),
      cudaMemcpyFromSymbol(values, coefficients, 4, 4),
      cudaMemcpyFromSymbolAsync(values, coefficients, 16),
      cudaGetSymbolAddress(&raw, counter),
      cudaGetSymbolSize(&bytes, coefficients),
      cudaGetDeviceProperties(&properties, 0),
      cudaFuncGetAttributes(&attributes, kernel<int>),
      cudaGetKernel(&handle, kernel<int>),
      cudaFuncGetName(&name, kernel<int>),
      cudaUserObjectCreate(&kept, new int, 1, cudaUserObjectNoDestructorSync),
      cudaUserObjectCreate(&kept, new int, 1, 1),
      cudaFuncSetAttribute(kernel<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536),
      cudaFuncSetCacheConfig(kernel<int>, cudaFuncCachePreferL1),
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel<int>, 64, 0),
      cudaOccupancyMaxPotentialBlockSize(&count, &blockSize, kernel<int>),
      cudaOccupancyMaxPotentialBlockSize(&count, &blockSize, kernel<int>, 64, 512),
      cudaOccupancyMaxPotentialBlockSizeVariableSMem(&count, &blockSize, kernel<int>, sharedBytes),
      cudaStreamWaitEvent(stream, event),
      cudaMemPrefetchAsync(device, 16, 0),
      cudaMemPrefetchAsync(device, 16, {cudaMemLocationTypeDevice, 0}, 0),
      cudaMemAdvise(device, 16, cudaMemAdviseSetReadMostly, 0),
      cudaMemAdvise(device, 16, cudaMemAdviseSetReadMostly, {cudaMemLocationTypeHost, 0}),
      cudaGraphAddDependencies(graph, nodes, nodes, 1),
      cudaGraphAddDependencies(graph, nodes, nodes, nullptr, 1),
      cudaStreamGetCaptureInfo(stream, &status),
      cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &bytes),
      cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &edges, &bytes),
      cudaStreamUpdateCaptureDependencies(stream, &node, 1),
      cudaStreamUpdateCaptureDependencies(stream, &node, bytes, cudaStreamSetCaptureDependencies),
      cudaStreamUpdateCaptureDependencies(stream, &node, &edge, 1),
#if RELEASE < 13000
      cudaStreamUpdateCaptureDependencies(stream, nullptr, 0, cudaStreamSetCaptureDependencies),
#endif
      cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1,
                                          cudaStreamSetCaptureDependencies),
      cudaGraphConditionalHandleCreate(&condition, graph),
      cudaGraphInstantiate(&executable, graph),
      cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0),
      cudaGraphExecUpdate(executable, graph, &updateInfo),
      cudaGraphExecUpdate(executable, graph, &node, &updated),
      cudaGraphGetEdges(graph, &node, &node, &bytes),
      cudaGraphGetEdges(graph, &node, &node, &edge, &bytes),
      cudaGraphNodeGetDependencies(node, &node, &edge, &bytes),
      cudaGraphNodeGetDependentNodes(node, &node, &edge, &bytes),
      cudaGraphRemoveDependencies(graph, &node, &node, &edge, 1),
      cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters),
      cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, coefficients, values, 16, 0,
                                     cudaMemcpyHostToDevice),
      cudaGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, values, coefficients, 16, 0,
                                       cudaMemcpyDeviceToHost),
      cudaGraphMemcpyNodeSetParamsToSymbol(node, counter, values, 4, 0, cudaMemcpyHostToDevice),
      cudaGraphMemcpyNodeSetParamsFromSymbol(node, values, counter, 4, 0, cudaMemcpyDeviceToHost),
      cudaGraphExecMemcpyNodeSetParamsToSymbol(executable, node, counter, values, 4, 0,
                                               cudaMemcpyHostToDevice),
      cudaGraphExecMemcpyNodeSetParamsFromSymbol(executable, node, values, counter, 4, 0,
                                                 cudaMemcpyDeviceToHost),
      cudaProfilerStart(),
      cudaProfilerStop(),
  };

  kernel<<<1, 32>>>(device);
  kernel<<<dim3(1, 2), dim3(8, 4), 64, stream>>>(device);
  void *arguments[] = {&device};
  errors[0] = cudaLaunchKernel(kernel<float>, dim3(1), dim3(32), arguments);
  errors[1] = cudaLaunchKernel((const void *)kernel<float>, 1, 32, arguments, 0, nullptr);
  return errors[0];
}
