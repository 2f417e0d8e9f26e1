//===- graph_conditional.cpp - Conditional nodes of graphs ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handle is the address of the value, so that a kernel sets a condition by a store
// (cuda_device_runtime_api.h).
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/graph_node.h"

#include <algorithm>
#include <set>

using namespace regrain;

namespace {

using Node = BuiltGraph::Node;

/// Calls `visit` with the graph and the graphs in it.
template <typename Visit> void visitGraphs(const BuiltGraph &graph, Visit visit) {
  visit(graph);
  for (const Node &node : graph.nodes())
    for (const BuiltGraph *inner : node.inner())
      visitGraphs(*inner, visit);
}

bool isSize(const cudaConditionalNodeParams &parameters) {
  switch (parameters.type) {
  case cudaGraphCondTypeIf:
    return parameters.size == 1 || parameters.size == 2;
  case cudaGraphCondTypeWhile:
    return parameters.size == 1;
  case cudaGraphCondTypeSwitch:
    return parameters.size >= 1;
  }
  return false;
}

} // namespace

bool regrain::hasConditionalNodes(const BuiltGraph &graph) {
  bool isAny = false;
  visitGraphs(graph, [&](const BuiltGraph &each) {
    isAny = isAny || std::any_of(each.nodes().begin(), each.nodes().end(),
                                 [](const Node &node) { return node.conditional != nullptr; });
  });
  return isAny;
}

// The body of a node is instantiated with its graph. Each handle needs its node.
cudaError_t regrain::checkConditions(const BuiltGraph &graph) {
  std::set<cudaGraphConditionalHandle> made, used;
  visitGraphs(graph, [&](const BuiltGraph &each) {
    for (const Condition &condition : each.conditions)
      made.insert(condition.handle());
    for (const Node &node : each.nodes())
      if (node.conditional)
        used.insert(node.conditional->condition.handle());
  });
  return graph.isBody || made != used ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t regrain::makeConditional(BuiltGraphs &graphs, cudaGraph_t graph,
                                     cudaConditionalNodeParams &parameters, Node &out) {
  if (!graphs.find(graph))
    return cudaErrorNotSupported;
  const Condition *condition = graphs.findCondition(parameters.handle, graph);
  if (!condition || graphs.isUsed(parameters.handle) || !isSize(parameters))
    return cudaErrorInvalidValue;
  out.type = cudaGraphNodeTypeConditional;
  out.conditional = std::make_shared<ConditionalNode>(parameters.type, *condition, parameters.size);
  parameters.phGraph_out = out.conditional->handles.data();
  return cudaSuccess;
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int value, unsigned int flags) {
  bool isPossible = true;
  cudaError_t status = onDevice([&](Device &device) {
    if (!handle || !graph || (flags & ~unsigned(cudaGraphCondAssignDefault)))
      return cudaErrorInvalidValue;
    isPossible = device.hasConditionalNodes();
    if (!isPossible)
      return cudaErrorNotSupported;
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    BuiltGraph *found = graphs.find(graph);
    if (!found)
      return cudaErrorNotSupported; // a captured graph
    Condition condition = {std::make_shared<unsigned>(value), std::nullopt};
    if (flags & cudaGraphCondAssignDefault)
      condition.atStart = value;
    *handle = condition.handle();
    found->conditions.push_back(std::move(condition));
    return cudaSuccess;
  });
  return isPossible ? status : notSupported("cudaGraphConditionalHandleCreate, except on the CPU,");
}
