//===- device_graphs.cpp - Capture and graphs of the CPU device -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/cpu_device.h"

namespace regrain::cpu {

cudaError_t CpuDevice::beginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  std::shared_ptr<Stream> queue = streams.find(stream);
  return queue ? captures.begin(queue, mode) : cudaErrorInvalidResourceHandle;
}

cudaError_t CpuDevice::endCapture(cudaStream_t stream, cudaGraph_t &out) {
  out = nullptr;
  std::shared_ptr<Stream> queue = streams.find(stream);
  if (!queue)
    return cudaErrorInvalidResourceHandle;
  std::unique_ptr<Graph> graph;
  cudaError_t status = captures.end(queue, graph);
  if (status == cudaSuccess)
    out = graphs.add(std::move(graph));
  return status;
}

cudaError_t CpuDevice::captureInfo(cudaStream_t stream, CaptureInfo &out) {
  std::shared_ptr<Stream> queue = streams.find(stream);
  return queue ? captures.info(queue, out) : cudaErrorInvalidResourceHandle;
}

cudaError_t CpuDevice::exchangeCaptureMode(cudaStreamCaptureMode &mode) {
  Captures::exchangeMode(mode);
  return cudaSuccess;
}

cudaError_t CpuDevice::updateDependencies(cudaStream_t stream,
                                          std::span<const cudaGraphNode_t> nodes, bool replaces) {
  std::shared_ptr<Stream> queue = streams.find(stream);
  return queue ? captures.update(queue, nodes, replaces) : cudaErrorInvalidResourceHandle;
}

cudaError_t CpuDevice::capture(cudaStream_t stream, Node node) {
  std::shared_ptr<Stream> queue = streams.find(stream);
  if (!queue)
    return cudaErrorInvalidResourceHandle;
  bool isCaptured = false;
  cudaError_t status = captures.add(queue, std::move(node), isCaptured);
  return status == cudaSuccess && !isCaptured ? cudaErrorIllegalState : status;
}

cudaError_t CpuDevice::captureGraph(cudaStream_t stream, cudaGraph_t graph) {
  std::shared_ptr<const Graph> copy = graphs.copyOf(graph);
  return copy ? capture(stream, {NodeKind::Graph, [copy] { copy->run(); }, nullptr, {copy}})
              : cudaErrorInvalidValue;
}

/// CUDA allows these in the body of a conditional node.
static bool isAllowedInBody(NodeKind kind) {
  return kind != NodeKind::HostFunction && kind != NodeKind::EventRecord &&
         kind != NodeKind::EventWait;
}

cudaError_t CpuDevice::makeConditionValue(std::shared_ptr<unsigned> &value, std::string &) {
  value = std::make_shared<unsigned>(0);
  return cudaSuccess;
}

cudaError_t CpuDevice::assignConditionValue(unsigned *value, unsigned to, cudaStream_t stream) {
  return submit(stream, NodeKind::Fill, [value, to] { *value = to; });
}

cudaError_t CpuDevice::captureConditional(cudaStream_t stream, Conditional &node) {
  std::vector<std::shared_ptr<const Graph>> bodies;
  node.bodies.clear();
  for (size_t i = 0; i < node.bodyCount; ++i) {
    auto body = std::make_shared<Graph>();
    node.bodies.push_back(graphs.addBody(body));
    bodies.push_back(std::move(body));
  }
  auto run = [this, type = node.type, value = node.value.get(), bodies] {
    switch (type) {
    case cudaGraphCondTypeIf:
      if (size_t index = *value ? 0 : 1; index < bodies.size())
        bodies[index]->run();
      return;
    case cudaGraphCondTypeWhile:
      while (*value && !isEnding())
        bodies[0]->run();
      return;
    case cudaGraphCondTypeSwitch:
      if (*value < bodies.size())
        bodies[*value]->run();
      return;
    }
  };
  return capture(stream, {NodeKind::Conditional, run, nullptr, bodies, node.value});
}

cudaError_t CpuDevice::beginBody(cudaStream_t stream, const Conditional &, size_t) {
  return beginCapture(stream, cudaStreamCaptureModeRelaxed);
}

cudaError_t CpuDevice::endBody(cudaStream_t stream, const Conditional &node, size_t body) {
  std::shared_ptr<Stream> queue = streams.find(stream);
  std::unique_ptr<Graph> graph;
  cudaError_t status = queue ? captures.end(queue, graph) : cudaErrorInvalidResourceHandle;
  if (status != cudaSuccess)
    return status;
  bool areAllowed = true;
  graph->visitNodes([&](const Node &inner) { areAllowed &= isAllowedInBody(inner.kind); });
  return areAllowed ? graphs.fillBody(node.bodies[body], std::move(*graph)) : cudaErrorNotSupported;
}

cudaError_t CpuDevice::createGraph(cudaGraph_t &out) {
  out = graphs.add(std::make_unique<Graph>());
  return cudaSuccess;
}

cudaError_t CpuDevice::cloneGraph(cudaGraph_t graph, cudaGraph_t &out) {
  std::unique_ptr<Graph> copy = graphs.copyOf(graph);
  if (!copy)
    return cudaErrorInvalidValue;
  out = graphs.add(std::move(copy));
  return cudaSuccess;
}

cudaError_t CpuDevice::destroyGraph(cudaGraph_t graph) { return graphs.destroy(graph); }

cudaError_t CpuDevice::graphNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t &count) {
  return graphs.nodes(graph, nodes, count);
}

/// A graph has no memory of its own to free, no uploads, and no priorities.
cudaError_t CpuDevice::nodeType(cudaGraphNode_t node, cudaGraphNodeType &type) {
  return graphs.nodeType(node, type);
}

cudaError_t CpuDevice::instantiate(cudaGraph_t graph, unsigned long long flags,
                                   cudaGraphExec_t &out) {
  constexpr unsigned long long known = cudaGraphInstantiateFlagAutoFreeOnLaunch |
                                       cudaGraphInstantiateFlagUpload |
                                       cudaGraphInstantiateFlagUseNodePriority;
  if (flags & cudaGraphInstantiateFlagDeviceLaunch)
    return cudaErrorNotSupported;
  return flags & ~known ? cudaErrorInvalidValue : graphs.instantiate(graph, out);
}

cudaError_t CpuDevice::destroyExecutable(cudaGraphExec_t executable) {
  return graphs.destroyExecutable(executable);
}

cudaError_t CpuDevice::updateExecutable(cudaGraphExec_t executable, cudaGraph_t graph,
                                        cudaGraphExecUpdateResultInfo &result) {
  return graphs.update(executable, graph, result);
}

cudaError_t CpuDevice::uploadExecutable(cudaGraphExec_t executable, cudaStream_t stream) {
  std::shared_ptr<Stream> queue = streams.find(stream);
  if (!queue)
    return cudaErrorInvalidResourceHandle;
  cudaError_t status = captures.checkStream(queue);
  if (status == cudaSuccess && !graphs.isExecutable(executable))
    status = cudaErrorInvalidValue;
  return status;
}

/// The whole launch waits for the events for which its nodes wait,
/// and an event that it records is reached at its end, but has the time of its node.
cudaError_t CpuDevice::launchExecutable(cudaGraphExec_t executable, cudaStream_t stream) {
  if (cudaError_t error = sticky; error != cudaSuccess)
    return error;
  std::shared_ptr<Stream> queue = streams.find(stream);
  if (!queue)
    return cudaErrorInvalidResourceHandle;
  cudaError_t status = captures.checkStream(queue);
  for (cudaEvent_t event : graphs.eventsOf(executable, NodeKind::EventWait))
    if (status == cudaSuccess)
      status = streamWaitEvent(stream, event, 0);
  Ticket done;
  if (status == cudaSuccess)
    status = graphs.launch(executable, streams, queue, done);
  for (cudaEvent_t event : graphs.eventsOf(executable, NodeKind::EventRecord))
    if (status == cudaSuccess)
      status = events.recordAt(event, done);
  return status;
}

} // namespace regrain::cpu
