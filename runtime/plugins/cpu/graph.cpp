//===- graph.cpp - Graphs of the CPU device -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/graph.h"

#include <algorithm>

namespace regrain::cpu {

std::optional<size_t> Graph::indexOf(cudaGraphNode_t node) {
  for (size_t i = 0; i < nodes.size(); ++i)
    if (handleOf(i) == node)
      return i;
  return std::nullopt;
}

void Graph::run() const {
  for (const Node &node : nodes)
    node.work();
}

void Graph::visitNodes(const std::function<void(const Node &)> &visit) const {
  for (const Node &node : nodes) {
    visit(node);
    for (const std::shared_ptr<const Graph> &graph : node.inner)
      graph->visitNodes(visit);
  }
}

std::unique_ptr<Graph> Graphs::copyOf(cudaGraph_t handle) {
  std::lock_guard lock(mutex);
  Graph *graph = find(handle);
  return graph ? std::make_unique<Graph>(*graph) : nullptr;
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
  case NodeKind::Graph:
    return cudaGraphNodeTypeGraph;
  case NodeKind::Conditional:
    return cudaGraphNodeTypeConditional;
  }
  return cudaGraphNodeTypeEmpty;
}

cudaError_t Graphs::nodeType(cudaGraphNode_t node, cudaGraphNodeType &type) {
  std::lock_guard lock(mutex);
  for (auto &[handle, graph] : graphs)
    if (std::optional<size_t> index = graph->indexOf(node)) {
      type = typeOf(graph->nodes[*index].kind);
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

/// Compares the nodes of two graphs, and gives the first one of `now` that differs.
static cudaGraphExecUpdateResult compare(const Graph &before, const Graph &now,
                                         const Node *&differs) {
  if (before.nodes.size() != now.nodes.size())
    return cudaGraphExecUpdateErrorTopologyChanged;
  for (size_t i = 0; i < now.nodes.size(); ++i) {
    const Node &old = before.nodes[i], &node = now.nodes[i];
    differs = &node;
    if (old.after != node.after)
      return cudaGraphExecUpdateErrorTopologyChanged;
    if (old.kind != node.kind)
      return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (old.value != node.value || old.inner.size() != node.inner.size())
      return cudaGraphExecUpdateErrorParametersChanged;
    const Node *inside = nullptr;
    for (size_t j = 0; j < node.inner.size(); ++j)
      if (auto result = compare(*old.inner[j], *node.inner[j], inside);
          result != cudaGraphExecUpdateSuccess)
        return result;
  }
  differs = nullptr;
  return cudaGraphExecUpdateSuccess;
}

/// Launches in progress keep their nodes.
cudaError_t Graphs::update(cudaGraphExec_t executable, cudaGraph_t graph,
                           cudaGraphExecUpdateResultInfo &result) {
  std::lock_guard lock(mutex);
  Executable *target = find(executable);
  Graph *source = find(graph);
  if (!target || !source)
    return cudaErrorInvalidValue;
  const Node *differs = nullptr;
  result.result = compare(*target->graph, *source, differs);
  if (differs)
    result.errorNode = reinterpret_cast<cudaGraphNode_t>(const_cast<Node *>(differs));
  if (result.result != cudaGraphExecUpdateSuccess)
    return cudaErrorGraphExecUpdateFailure;
  target->graph = std::make_shared<const Graph>(*source);
  return cudaSuccess;
}

cudaGraph_t Graphs::addBody(const std::shared_ptr<Graph> &body) {
  auto handle = reinterpret_cast<cudaGraph_t>(body.get());
  std::lock_guard lock(mutex);
  std::erase_if(bodies, [](const auto &each) { return each.second.expired(); });
  bodies[handle] = body;
  return handle;
}

cudaError_t Graphs::fillBody(cudaGraph_t body, Graph nodes) {
  std::lock_guard lock(mutex);
  auto found = bodies.find(body);
  std::shared_ptr<Graph> target = found == bodies.end() ? nullptr : found->second.lock();
  if (!target)
    return cudaErrorInvalidValue;
  *target = std::move(nodes);
  return cudaSuccess;
}

cudaError_t Graphs::launch(cudaGraphExec_t handle, Streams &streams,
                           const std::shared_ptr<Stream> &stream, Ticket &done) {
  std::lock_guard lock(mutex);
  Executable *executable = find(handle);
  if (!executable)
    return cudaErrorInvalidValue;
  auto launch = [graph = executable->graph] { graph->run(); };
  cudaError_t status = streams.submit(stream, launch, executable->last, {executable->last});
  done = executable->last;
  return status;
}

std::vector<cudaEvent_t> Graphs::eventsOf(cudaGraphExec_t handle, NodeKind kind) {
  std::lock_guard lock(mutex);
  std::vector<cudaEvent_t> events;
  if (Executable *executable = find(handle))
    executable->graph->visitNodes([&](const Node &node) {
      if (node.kind == kind)
        events.push_back(node.event);
    });
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
  bodies.clear();
}

} // namespace regrain::cpu
