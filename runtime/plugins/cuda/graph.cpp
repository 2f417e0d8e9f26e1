//===- graph.cpp - An NVIDIA GPU: capture and graphs ----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modes, states, flags and the results of an update have the same values in the
// runtime and in the driver, so they pass unchanged.
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cuda/device.h"

namespace regrain::cuda {

cudaError_t CudaDevice::beginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return toRuntime(driver.streamBeginCapture(stream, mode));
}

cudaError_t CudaDevice::endCapture(cudaStream_t stream, cudaGraph_t &out) {
  return toRuntime(driver.streamEndCapture(stream, &out));
}

cudaError_t CudaDevice::captureInfo(cudaStream_t stream, CaptureInfo &out) {
  int state = cudaStreamCaptureStatusNone;
  cuuint64_t id = 0;
  const CUgraphNode *dependencies = nullptr;
  size_t count = 0;
  CUresult result =
      driver.streamGetCaptureInfo(stream, &state, &id, &out.graph, &dependencies, &count);
  out.status = static_cast<cudaStreamCaptureStatus>(state);
  out.id = id;
  out.dependencies = {dependencies, count};
  return toRuntime(result);
}

cudaError_t CudaDevice::exchangeCaptureMode(cudaStreamCaptureMode &mode) {
  int value = mode;
  CUresult result = driver.threadExchangeStreamCaptureMode(&value);
  mode = static_cast<cudaStreamCaptureMode>(value);
  return toRuntime(result);
}

cudaError_t CudaDevice::createGraph(cudaGraph_t &out) {
  return toRuntime(driver.graphCreate(&out, 0));
}

cudaError_t CudaDevice::destroyGraph(cudaGraph_t graph) {
  return toRuntime(driver.graphDestroy(graph));
}

cudaError_t CudaDevice::graphNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t &count) {
  return toRuntime(driver.graphGetNodes(graph, nodes, &count));
}

cudaError_t CudaDevice::nodeType(cudaGraphNode_t node, cudaGraphNodeType &type) {
  int value = 0; // the driver has the runtime's numbers
  CUresult result = driver.graphNodeGetType(node, &value);
  type = static_cast<cudaGraphNodeType>(value);
  return toRuntime(result);
}

cudaError_t CudaDevice::instantiate(cudaGraph_t graph, unsigned long long flags,
                                    cudaGraphExec_t &out) {
  return toRuntime(driver.graphInstantiate(&out, graph, flags));
}

cudaError_t CudaDevice::destroyExecutable(cudaGraphExec_t executable) {
  return toRuntime(driver.graphExecDestroy(executable));
}

cudaError_t CudaDevice::updateExecutable(cudaGraphExec_t executable, cudaGraph_t graph,
                                         cudaGraphExecUpdateResultInfo &result) {
  return toRuntime(driver.graphExecUpdate(executable, graph, &result));
}

cudaError_t CudaDevice::uploadExecutable(cudaGraphExec_t executable, cudaStream_t stream) {
  return toRuntime(driver.graphUpload(executable, stream));
}

cudaError_t CudaDevice::launchExecutable(cudaGraphExec_t executable, cudaStream_t stream) {
  return toRuntime(driver.graphLaunch(executable, stream));
}

} // namespace regrain::cuda
