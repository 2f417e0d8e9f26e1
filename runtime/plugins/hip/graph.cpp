//===- graph.cpp - An AMD GPU: capture and graphs -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modes, states, flags and the results of an update have the same values in CUDA and in
// HIP, so they pass unchanged.
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/hip/device.h"

namespace regrain::hip {

cudaError_t HipDevice::beginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return toRuntime(library.streamBeginCapture(toHip(stream), mode));
}

cudaError_t HipDevice::endCapture(cudaStream_t stream, cudaGraph_t &out) {
  return toRuntime(library.streamEndCapture(toHip(stream), &out));
}

cudaError_t HipDevice::captureInfo(cudaStream_t stream, CaptureInfo &out) {
  int state = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  const cudaGraphNode_t *dependencies = nullptr;
  size_t count = 0;
  HipResult result =
      library.streamGetCaptureInfo(toHip(stream), &state, &id, &out.graph, &dependencies, &count);
  out.status = static_cast<cudaStreamCaptureStatus>(state);
  out.id = id;
  out.dependencies = {dependencies, count};
  return toRuntime(result);
}

cudaError_t HipDevice::exchangeCaptureMode(cudaStreamCaptureMode &mode) {
  int value = mode;
  HipResult result = library.threadExchangeStreamCaptureMode(&value);
  mode = static_cast<cudaStreamCaptureMode>(value);
  return toRuntime(result);
}

cudaError_t HipDevice::createGraph(cudaGraph_t &out) {
  return toRuntime(library.graphCreate(&out, 0));
}

cudaError_t HipDevice::destroyGraph(cudaGraph_t graph) {
  return toRuntime(library.graphDestroy(graph));
}

cudaError_t HipDevice::graphNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t &count) {
  return toRuntime(library.graphGetNodes(graph, nodes, &count));
}

cudaError_t HipDevice::nodeType(cudaGraphNode_t node, cudaGraphNodeType &type) {
  int value = 0; // HIP has CUDA's numbers
  HipResult result = library.graphNodeGetType(node, &value);
  type = static_cast<cudaGraphNodeType>(value);
  return toRuntime(result);
}

cudaError_t HipDevice::instantiate(cudaGraph_t graph, unsigned long long flags,
                                   cudaGraphExec_t &out) {
  return toRuntime(library.graphInstantiate(&out, graph, flags));
}

cudaError_t HipDevice::destroyExecutable(cudaGraphExec_t executable) {
  return toRuntime(library.graphExecDestroy(executable));
}

cudaError_t HipDevice::updateExecutable(cudaGraphExec_t executable, cudaGraph_t graph,
                                        cudaGraphExecUpdateResultInfo &result) {
  int outcome = cudaGraphExecUpdateSuccess;
  HipResult status = library.graphExecUpdate(executable, graph, &result.errorNode, &outcome);
  result.result = static_cast<cudaGraphExecUpdateResult>(outcome);
  result.errorFromNode = nullptr;
  return toRuntime(status);
}

/// Before 5.3, only the first launch of a graph uploads it, which CUDA allows. The query
/// detects what is wrong with the stream: like an upload, it invalidates a capture.
cudaError_t HipDevice::uploadExecutable(cudaGraphExec_t executable, cudaStream_t stream) {
  if (library.graphUpload)
    return toRuntime(library.graphUpload(executable, toHip(stream)));
  cudaError_t status = queryStream(stream);
  return status == cudaErrorNotReady ? cudaSuccess : status;
}

cudaError_t HipDevice::launchExecutable(cudaGraphExec_t executable, cudaStream_t stream) {
  return toRuntime(library.graphLaunch(executable, toHip(stream)));
}

} // namespace regrain::hip
