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
namespace {

/// Calls the body, which returns a status of the runtime, with the runtime's form of a launch.
template <typename Body> CUresult withLaunch(const CUDA_KERNEL_NODE_PARAMS *parameters, Body body) {
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
  return toDriver(body(launch));
}

} // namespace

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
  return withLaunch(parameters, [&](const cudaKernelNodeParams &launch) {
    return cudaGraphKernelNodeSetParams(node, &launch);
  });
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS *parameters) {
  return withLaunch(parameters, [&](const cudaKernelNodeParams &launch) {
    return cudaGraphExecKernelNodeSetParams(executable, node, &launch);
  });
}

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  return toDriver(cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode)));
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  return toDriver(cudaStreamEndCapture(stream, graph));
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
  cudaStreamCaptureStatus known = cudaStreamCaptureStatusNone;
  cudaError_t result = cudaStreamIsCapturing(stream, status ? &known : nullptr);
  if (status)
    *status = static_cast<CUstreamCaptureStatus>(known);
  return toDriver(result);
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  cudaStreamCaptureMode other =
      mode ? static_cast<cudaStreamCaptureMode>(*mode) : cudaStreamCaptureModeGlobal;
  cudaError_t result = cudaThreadExchangeStreamCaptureMode(mode ? &other : nullptr);
  if (mode)
    *mode = static_cast<CUstreamCaptureMode>(other);
  return toDriver(result);
}

CUresult cuGraphCreate(CUgraph *graph, unsigned int flags) {
  return toDriver(cudaGraphCreate(graph, flags));
}

CUresult cuGraphDestroy(CUgraph graph) { return toDriver(cudaGraphDestroy(graph)); }

CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned int flags) {
  return toDriver(cudaGraphDebugDotPrint(graph, path, flags));
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  return toDriver(cudaGraphGetNodes(graph, nodes, count));
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
  return toDriver(cudaGraphGetRootNodes(graph, nodes, count));
}

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                             size_t dependencyCount) {
  return toDriver(cudaGraphAddEmptyNode(node, graph, dependencies, dependencyCount));
}

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                              size_t dependencyCount, const CUDA_KERNEL_NODE_PARAMS *parameters) {
  return withLaunch(parameters, [&](const cudaKernelNodeParams &launch) {
    return cudaGraphAddKernelNode(node, graph, dependencies, dependencyCount, &launch);
  });
}

CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                              size_t dependencyCount, const CUDA_MEMSET_NODE_PARAMS *parameters,
                              CUcontext context) {
  if (!parameters)
    return CUDA_ERROR_INVALID_VALUE;
  cudaMemsetParams fill = {};
  fill.dst = reinterpret_cast<void *>(parameters->dst);
  fill.pitch = parameters->pitch;
  fill.value = parameters->value;
  fill.elementSize = parameters->elementSize;
  fill.width = parameters->width;
  fill.height = parameters->height;
  return toDriver(cudaGraphAddMemsetNode(node, graph, dependencies, dependencyCount, &fill));
}

CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                            size_t dependencyCount, const CUDA_HOST_NODE_PARAMS *parameters) {
  if (!parameters)
    return CUDA_ERROR_INVALID_VALUE;
  cudaHostNodeParams call = {};
  call.fn = parameters->fn;
  call.userData = parameters->userData;
  return toDriver(cudaGraphAddHostNode(node, graph, dependencies, dependencyCount, &call));
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                  size_t dependencyCount, CUgraph child) {
  return toDriver(cudaGraphAddChildGraphNode(node, graph, dependencies, dependencyCount, child));
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type) {
  cudaGraphNodeType known = cudaGraphNodeTypeEmpty;
  cudaError_t result = cudaGraphNodeGetType(node, type ? &known : nullptr);
  if (type && result == cudaSuccess)
    *type = static_cast<CUgraphNodeType>(known);
  return toDriver(result);
}

CUresult cuGraphDestroyNode(CUgraphNode node) { return toDriver(cudaGraphDestroyNode(node)); }

CUresult cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph,
                                     unsigned long long flags) {
  return toDriver(cudaGraphInstantiate(executable, graph, flags));
}

CUresult cuGraphExecUpdate(CUgraphExec executable, CUgraph graph,
                           CUgraphExecUpdateResultInfo *result) {
  if (!result)
    return CUDA_ERROR_INVALID_VALUE;
  cudaGraphExecUpdateResultInfo known = {};
  cudaError_t status = cudaGraphExecUpdate(executable, graph, &known);
  *result = {static_cast<CUgraphExecUpdateResult>(known.result), known.errorNode,
             known.errorFromNode};
  return toDriver(status);
}

CUresult cuGraphUpload(CUgraphExec executable, CUstream stream) {
  return toDriver(cudaGraphUpload(executable, stream));
}

CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  return toDriver(cudaGraphLaunch(executable, stream));
}

CUresult cuGraphExecDestroy(CUgraphExec executable) {
  return toDriver(cudaGraphExecDestroy(executable));
}

} // namespace regrain::driver
