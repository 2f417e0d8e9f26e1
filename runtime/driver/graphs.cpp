//===- graphs.cpp - Capture and graphs of the driver API ------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handles are those of the runtime API. On NVIDIA GPUs, captured graphs are the driver's.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/built_graph.h"
#include "runtime/driver/on_runtime.h"

namespace regrain::driver {

bool isOwn(CUgraph graph) {
  BuiltGraphs &graphs = BuiltGraphs::get();
  std::lock_guard lock(graphs.mutex);
  return graphs.find(graph) != nullptr;
}

bool isOwn(CUgraphNode node) {
  BuiltGraphs &graphs = BuiltGraphs::get();
  std::lock_guard lock(graphs.mutex);
  return graphs.findWith(node) != nullptr;
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
                                CUgraph *graph, const CUgraphNode **dependencies,
                                size_t *dependencyCount) {
  return driver::cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, nullptr,
                                           dependencyCount);
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
                                   CUgraph *graph, const CUgraphNode **dependencies,
                                   const CUgraphEdgeData **edges, size_t *dependencyCount) {
  if (!status)
    return CUDA_ERROR_INVALID_VALUE;
  cudaStreamCaptureStatus known = cudaStreamCaptureStatusNone;
  unsigned long long number = 0;
  cudaError_t result = cudaStreamGetCaptureInfo_v3(stream, &known, &number, graph, dependencies,
                                                   edges, dependencyCount);
  *status = static_cast<CUstreamCaptureStatus>(known);
  if (id && known == cudaStreamCaptureStatusActive)
    *id = number;
  return toDriver(result);
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies,
                                           size_t dependencyCount, unsigned int flags) {
  return toDriver(
      cudaStreamUpdateCaptureDependencies(stream, dependencies, dependencyCount, flags));
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *dependencies,
                                              const CUgraphEdgeData *edges, size_t dependencyCount,
                                              unsigned int flags) {
  return toDriver(
      cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, edges, dependencyCount, flags));
}

CUresult cuGraphClone(CUgraph *clone, CUgraph original) {
  return toDriver(cudaGraphClone(clone, original));
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *parameters) {
  if (!parameters)
    return CUDA_ERROR_INVALID_VALUE;
  const CUDA_KERNEL_NODE_PARAMS &from = *parameters;
  cudaKernelNodeParams launch = {};
  launch.func = from.func ? static_cast<void *>(from.func) : from.kern;
  launch.gridDim = {from.gridDimX, from.gridDimY, from.gridDimZ};
  launch.blockDim = {from.blockDimX, from.blockDimY, from.blockDimZ};
  launch.sharedMemBytes = from.sharedMemBytes;
  launch.kernelParams = from.kernelParams;
  launch.extra = from.extra;
  return toDriver(cudaGraphKernelNodeSetParams(node, &launch));
}

} // namespace regrain::driver
