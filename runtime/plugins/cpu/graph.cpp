//===- graph.cpp - Graphs of the CPU device -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/graph.h"

#include <algorithm>

namespace regrain::cpu {

void Graph::run() const {
  for (const Node &node : nodes)
    node.work();
}

Graph *Graphs::find(cudaGraph_t handle) {
  auto found = graphs.find(handle);
  return found == graphs.end() ? nullptr : found->second.get();
}

Graphs::Executable *Graphs::find(cudaGraphExec_t handle) {
  auto found = executables.find(handle);
  return found == executables.end() ? nullptr : found->second.get();
}

cudaGraph_t Graphs::add(std::unique_ptr<Graph> graph) {
  auto handle = reinterpret_cast<cudaGraph_t>(graph.get());
  std::lock_guard lock(mutex);
  graphs[handle] = std::move(graph);
  return handle;
}

cudaError_t Graphs::destroy(cudaGraph_t handle) {
  std::lock_guard lock(mutex);
  return graphs.erase(handle) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t Graphs::nodes(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t &count) {
  std::lock_guard lock(mutex);
  Graph *graph = find(handle);
  if (!graph)
    return cudaErrorInvalidValue;
  if (!nodes) {
    count = graph->nodes.size();
    return cudaSuccess;
  }
  size_t given = std::min(count, graph->nodes.size());
  for (size_t i = 0; i < given; ++i)
    nodes[i] = graph->handleOf(i);
  std::fill(nodes + given, nodes + count, nullptr);
  count = given;
  return cudaSuccess;
}

static cudaGraphNodeType typeOf(NodeKind kind) {
  switch (kind) {
  case NodeKind::Kernel:
    return cudaGraphNodeTypeKernel;
  case NodeKind::Copy:
    return cudaGraphNodeTypeMemcpy;
  case NodeKind::Fill:
    return cudaGraphNodeTypeMemset;
  case NodeKind::HostFunction:
    return cudaGraphNodeTypeHost;
  case NodeKind::EventRecord:
    return cudaGraphNodeTypeEventRecord;
  case NodeKind::EventWait:
    return cudaGraphNodeTypeWaitEvent;
  }
  return cudaGraphNodeTypeEmpty;
}

cudaError_t Graphs::nodeType(cudaGraphNode_t node, cudaGraphNodeType &type) {
  std::lock_guard lock(mutex);
  for (auto &[handle, graph] : graphs)
    for (size_t i = 0; i < graph->nodes.size(); ++i)
      if (graph->handleOf(i) == node) {
        type = typeOf(graph->nodes[i].kind);
        return cudaSuccess;
      }
  return cudaErrorInvalidValue;
}

cudaError_t Graphs::instantiate(cudaGraph_t handle, cudaGraphExec_t &out) {
  std::lock_guard lock(mutex);
  Graph *graph = find(handle);
  if (!graph)
    return cudaErrorInvalidValue;
  auto executable = std::make_unique<Executable>();
  executable->graph = std::make_shared<const Graph>(*graph);
  out = reinterpret_cast<cudaGraphExec_t>(executable.get());
  executables[out] = std::move(executable);
  return cudaSuccess;
}

cudaError_t Graphs::destroyExecutable(cudaGraphExec_t handle) {
  std::lock_guard lock(mutex);
  return executables.erase(handle) ? cudaSuccess : cudaErrorInvalidValue;
}

/// Launches in progress keep their nodes.
cudaError_t Graphs::update(cudaGraphExec_t executable, cudaGraph_t graph,
                           cudaGraphExecUpdateResultInfo &result) {
  std::lock_guard lock(mutex);
  Executable *target = find(executable);
  Graph *source = find(graph);
  if (!target || !source)
    return cudaErrorInvalidValue;
  const std::deque<Node> &before = target->graph->nodes, &now = source->nodes;
  result.result = cudaGraphExecUpdateSuccess;
  if (before.size() != now.size())
    result.result = cudaGraphExecUpdateErrorTopologyChanged;
  for (size_t i = 0; i < now.size() && result.result == cudaGraphExecUpdateSuccess; ++i) {
    if (before[i].after != now[i].after)
      result.result = cudaGraphExecUpdateErrorTopologyChanged;
    else if (before[i].kind != now[i].kind)
      result.result = cudaGraphExecUpdateErrorNodeTypeChanged;
    if (result.result != cudaGraphExecUpdateSuccess)
      result.errorNode = source->handleOf(i);
  }
  if (result.result != cudaGraphExecUpdateSuccess)
    return cudaErrorGraphExecUpdateFailure;
  target->graph = std::make_shared<const Graph>(*source);
  return cudaSuccess;
}

cudaError_t Graphs::launch(cudaGraphExec_t handle, Streams &streams,
                           const std::shared_ptr<Stream> &stream, Ticket &done) {
  std::lock_guard lock(mutex);
  Executable *executable = find(handle);
  if (!executable)
    return cudaErrorInvalidValue;
  cudaError_t status = streams.submit(
      stream, [graph = executable->graph] { graph->run(); }, executable->last, executable->last);
  done = executable->last;
  return status;
}

std::vector<cudaEvent_t> Graphs::eventsOf(cudaGraphExec_t handle, NodeKind kind) {
  std::lock_guard lock(mutex);
  std::vector<cudaEvent_t> events;
  if (Executable *executable = find(handle))
    for (const Node &node : executable->graph->nodes)
      if (node.kind == kind)
        events.push_back(node.event);
  return events;
}

bool Graphs::isExecutable(cudaGraphExec_t handle) {
  std::lock_guard lock(mutex);
  return find(handle) != nullptr;
}

void Graphs::destroyAll() {
  std::lock_guard lock(mutex);
  graphs.clear();
  executables.clear();
}

} // namespace regrain::cpu
