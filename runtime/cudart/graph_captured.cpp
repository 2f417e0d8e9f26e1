//===- graph_captured.cpp - Captured graphs and their nodes ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Such a graph is a device's. A node that the program adds during the capture is captured, too: by
// a stream that joins the capture for this, and depends on what the program says.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/graph_memory.h"
#include "runtime/core/relaxed_capture.h"
#include "runtime/core/stream_captures.h"
#include "runtime/cudart/graph_node.h"

using namespace regrain;

namespace {

using Node = BuiltGraph::Node;

/// Makes a stream that takes part in the capture of the stream `origin`. It depends on nothing
/// before its dependencies are set.
cudaError_t join(Device &device, cudaStream_t origin, cudaStream_t &out) {
  cudaEvent_t event = nullptr;
  cudaError_t status = device.createEvent(cudaEventDisableTiming, event);
  if (status != cudaSuccess)
    return status;
  status = device.recordEvent(event, origin, cudaEventRecordDefault);
  if (status == cudaSuccess)
    status = device.createStream(cudaStreamNonBlocking, 0, out);
  if (status == cudaSuccess)
    status = device.streamWaitEvent(out, event, 0);
  cudaError_t destroyed = device.destroyEvent(event);
  return status == cudaSuccess ? destroyed : status;
}

/// Calls `capture` with the stream, which then depends on the new node.
template <typename Capture>
cudaError_t captureNode(Device &device, std::span<const cudaGraphNode_t> dependencies,
                        cudaStream_t stream, cudaGraphNode_t &node, Capture capture) {
  cudaError_t status = device.updateDependencies(stream, dependencies, /*replaces=*/true);
  if (status == cudaSuccess)
    status = capture(stream);
  CaptureInfo info;
  if (status == cudaSuccess)
    status = device.captureInfo(stream, info);
  if (status != cudaSuccess)
    return status;
  if (info.dependencies.size() != 1)
    return cudaErrorNotSupported;
  node = info.dependencies.front();
  // The program decides who waits for the node.
  return device.updateDependencies(stream, {}, /*replaces=*/true);
}

} // namespace

void regrain::makeCaptured(std::shared_ptr<const CapturedGraph> graph, Node &out) {
  out.type = cudaGraphNodeTypeGraph;
  out.captured = graph;
  out.work = [graph](Device &device, cudaStream_t stream) {
    return device.captureGraph(stream, graph->graph);
  };
}

cudaError_t regrain::cloneCaptured(Device &device, cudaGraph_t graph, cudaGraph_t &out) {
  bool isInProgress = StreamCaptures::get().with(graph, [](StreamCapture &, cudaStream_t) {});
  if (isInProgress || GraphMemory::get().isUsedBy(graph) ||
      BuiltGraphs::get().findConditionals(graph))
    return cudaErrorNotSupported;
  return device.cloneGraph(graph, out);
}

cudaError_t regrain::addToCapture(Device &device, BuiltGraphs &graphs, cudaGraph_t graph,
                                  std::span<const cudaGraphNode_t> dependencies,
                                  const std::function<cudaError_t(Node &)> &make,
                                  cudaGraphNode_t &node) {
  Node made = {};
  if (cudaError_t status = make(made); status != cudaSuccess)
    return status;
  cudaError_t status = cudaErrorNotSupported;
  StreamCaptures::get().with(graph, [&](StreamCapture &capture, cudaStream_t origin) {
    // A graph with conditional nodes cannot become a node of the target.
    if (made.conditional && capture.target)
      return;
    RelaxedCapture relaxed(device);
    status = capture.helper ? cudaSuccess : join(device, origin, capture.helper);
    if (status == cudaSuccess)
      status = captureNode(device, dependencies, capture.helper, node, [&](cudaStream_t stream) {
        return made.conditional ? addCapturedConditional(device, graphs, graph, stream, made)
                                : made.capture(device, stream);
      });
  });
  return status;
}
