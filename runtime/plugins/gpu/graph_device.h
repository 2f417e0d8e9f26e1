//===- graph_device.h - Capture and graphs of GPUs --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

namespace regrain {

/// The calls for capture and graphs that have the same names and parameters in NVIDIA's driver and
/// in HIP. Modes, states, flags and kinds of nodes have the same values there and in CUDA's
/// runtime, so they pass unchanged.
///
/// `Api` names the structure of entry points (`Calls`) and the type of a capture's number
/// (`CaptureId`), and converts results (`toRuntime`) and streams (`handleOf`).
template <typename Api> class GraphDevice : public Device {
public:
  cudaError_t beginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) final {
    return Api::toRuntime(calls.streamBeginCapture(Api::handleOf(stream), mode));
  }

  cudaError_t endCapture(cudaStream_t stream, cudaGraph_t &out) final {
    return Api::toRuntime(calls.streamEndCapture(Api::handleOf(stream), &out));
  }

  cudaError_t captureInfo(cudaStream_t stream, CaptureInfo &out) final {
    int state = cudaStreamCaptureStatusNone;
    typename Api::CaptureId id = 0;
    const cudaGraphNode_t *dependencies = nullptr;
    size_t count = 0;
    auto result = calls.streamGetCaptureInfo(Api::handleOf(stream), &state, &id, &out.graph,
                                             &dependencies, &count);
    out.status = static_cast<cudaStreamCaptureStatus>(state);
    out.id = id;
    out.dependencies = {dependencies, count};
    return Api::toRuntime(result);
  }

  cudaError_t exchangeCaptureMode(cudaStreamCaptureMode &mode) final {
    int value = mode;
    auto result = calls.threadExchangeStreamCaptureMode(&value);
    mode = static_cast<cudaStreamCaptureMode>(value);
    return Api::toRuntime(result);
  }

  cudaError_t updateDependencies(cudaStream_t stream, std::span<const cudaGraphNode_t> nodes,
                                 bool replaces) final {
    return Api::toRuntime(calls.updateCaptureDependencies(
        Api::handleOf(stream), const_cast<cudaGraphNode_t *>(nodes.data()), nodes.size(),
        replaces ? cudaStreamSetCaptureDependencies : cudaStreamAddCaptureDependencies));
  }

  cudaError_t captureGraph(cudaStream_t stream, cudaGraph_t graph) final {
    CaptureInfo info;
    if (cudaError_t status = activeCapture(stream, info); status != cudaSuccess)
      return status;
    cudaGraphNode_t node = nullptr;
    cudaError_t status = Api::toRuntime(calls.graphAddChildGraphNode(
        &node, info.graph, info.dependencies.data(), info.dependencies.size(), graph));
    return status == cudaSuccess ? updateDependencies(stream, {&node, 1}, /*replaces=*/true)
                                 : status;
  }

  cudaError_t createGraph(cudaGraph_t &out) final {
    return Api::toRuntime(calls.graphCreate(&out, 0));
  }

  cudaError_t cloneGraph(cudaGraph_t graph, cudaGraph_t &out) final {
    return Api::toRuntime(calls.graphClone(&out, graph));
  }

  cudaError_t destroyGraph(cudaGraph_t graph) final {
    return Api::toRuntime(calls.graphDestroy(graph));
  }

  cudaError_t graphNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t &count) final {
    return Api::toRuntime(calls.graphGetNodes(graph, nodes, &count));
  }

  cudaError_t nodeType(cudaGraphNode_t node, cudaGraphNodeType &type) final {
    int value = 0;
    auto result = calls.graphNodeGetType(node, &value);
    type = static_cast<cudaGraphNodeType>(value);
    return Api::toRuntime(result);
  }

  cudaError_t instantiate(cudaGraph_t graph, unsigned long long flags, cudaGraphExec_t &out) final {
    return Api::toRuntime(calls.graphInstantiate(&out, graph, flags));
  }

  cudaError_t destroyExecutable(cudaGraphExec_t executable) final {
    return Api::toRuntime(calls.graphExecDestroy(executable));
  }

  cudaError_t launchExecutable(cudaGraphExec_t executable, cudaStream_t stream) final {
    return Api::toRuntime(calls.graphLaunch(executable, Api::handleOf(stream)));
  }

protected:
  explicit GraphDevice(const typename Api::Calls &calls) : calls(calls) {}

  /// Returns an error if the stream does not capture.
  cudaError_t activeCapture(cudaStream_t stream, CaptureInfo &info) {
    if (cudaError_t status = captureInfo(stream, info); status != cudaSuccess)
      return status;
    if (info.status != cudaStreamCaptureStatusActive)
      return info.status == cudaStreamCaptureStatusNone ? cudaErrorIllegalState
                                                        : cudaErrorStreamCaptureInvalidated;
    return cudaSuccess;
  }

private:
  const typename Api::Calls &calls;
};

} // namespace regrain
