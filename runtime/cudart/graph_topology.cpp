//===- graph_topology.cpp - Edges of graphs that the program builds -------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/entry.h"
#include "runtime/cudart/graph_node.h"

#include <algorithm>
#include <cstring>

using namespace regrain;

namespace {

using Node = BuiltGraph::Node;

/// Changes a graph by each of the edges, or not at all.
cudaError_t changeEdges(BuiltGraph &graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                        size_t count, cudaError_t (BuiltGraph::*change)(size_t, size_t)) {
  std::vector<std::vector<size_t>> old;
  for (const Node &node : graph.nodes())
    old.push_back(node.after);
  cudaError_t status = cudaSuccess;
  for (size_t i = 0; i < count && status == cudaSuccess; ++i) {
    std::optional<size_t> before = graph.indexOf(from[i]), after = graph.indexOf(to[i]);
    status = before && after ? (graph.*change)(*before, *after) : cudaErrorInvalidValue;
  }
  for (size_t i = 0; status != cudaSuccess && i < old.size(); ++i)
    graph.nodes()[i].after = std::move(old[i]);
  return status;
}

/// All edges are plain.
void givePlain(cudaGraphEdgeData *edges, size_t count) {
  for (size_t i = 0; edges && i < count; ++i)
    edges[i] = {};
}

} // namespace

void regrain::giveNodes(const std::vector<cudaGraphNode_t> &nodes, cudaGraphNode_t *out,
                        size_t &count) {
  for (size_t i = 0; out && i < count; ++i)
    out[i] = i < nodes.size() ? nodes[i] : nullptr;
  count = out ? std::min(count, nodes.size()) : nodes.size();
}

bool regrain::arePlain(const cudaGraphEdgeData *edges, size_t count) {
  static constexpr cudaGraphEdgeData plain = {};
  return !edges || std::all_of(edges, edges + count, [](const cudaGraphEdgeData &edge) {
    return std::memcmp(&edge, &plain, sizeof plain) == 0;
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  return withGraph(graph, [&](BuiltGraphs &, BuiltGraph &found) {
    if (!count)
      return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> roots;
    for (const Node &node : found.nodes())
      if (node.after.empty())
        roots.push_back(node.handle);
    giveNodes(roots, nodes, *count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              size_t *count) {
  return withGraph(graph, [&](BuiltGraphs &, BuiltGraph &found) {
    if (!count || !from != !to)
      return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> before, after;
    for (const Node &node : found.nodes())
      for (size_t index : node.after) {
        before.push_back(found.nodes()[index].handle);
        after.push_back(node.handle);
      }
    size_t asked = *count;
    giveNodes(before, from, asked);
    giveNodes(after, to, *count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                 cudaGraphEdgeData *edges, size_t *count) {
  if (count)
    givePlain(edges, *count);
  return cudaGraphGetEdges(graph, from, to, count);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
                                         size_t *dependencyCount) {
  return withGraphOf(node, [&](BuiltGraphs &, BuiltGraph &graph, size_t index) {
    if (!dependencyCount)
      return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> before;
    for (size_t other : graph.nodes()[index].after)
      before.push_back(graph.nodes()[other].handle);
    giveNodes(before, dependencies, *dependencyCount);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
                                            cudaGraphEdgeData *edges, size_t *dependencyCount) {
  if (dependencyCount)
    givePlain(edges, *dependencyCount);
  return cudaGraphNodeGetDependencies(node, dependencies, dependencyCount);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *dependents,
                                           size_t *dependentCount) {
  return withGraphOf(node, [&](BuiltGraphs &, BuiltGraph &graph, size_t index) {
    if (!dependentCount)
      return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> next;
    for (const Node &other : graph.nodes())
      if (std::find(other.after.begin(), other.after.end(), index) != other.after.end())
        next.push_back(other.handle);
    giveNodes(next, dependents, *dependentCount);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *dependents,
                                              cudaGraphEdgeData *edges, size_t *dependentCount) {
  if (dependentCount)
    givePlain(edges, *dependentCount);
  return cudaGraphNodeGetDependentNodes(node, dependents, dependentCount);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count) {
  return onOpenDevice([&](OpenDevice &) {
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    BuiltGraph *target = graphs.find(graph);
    if (!graph || (count && (!from || !to)))
      return cudaErrorInvalidValue;
    return target ? changeEdges(*target, from, to, count, &BuiltGraph::addEdge)
                  : cudaErrorNotSupported;
  });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t dependencyCount) {
  return withGraph(graph, [&](BuiltGraphs &, BuiltGraph &found) {
    if (dependencyCount && (!from || !to))
      return cudaErrorInvalidValue;
    if (hasMemoryNodes(found))
      return cudaErrorNotSupported;
    return changeEdges(found, from, to, dependencyCount, &BuiltGraph::removeEdge);
  });
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
                                           const cudaGraphNode_t *to,
                                           const cudaGraphEdgeData *edges, size_t dependencyCount) {
  if (!arePlain(edges, dependencyCount))
    return entry([] { return cudaErrorInvalidValue; }); // there is no such edge
  return cudaGraphRemoveDependencies(graph, from, to, dependencyCount);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return withGraphOf(node, [&](BuiltGraphs &, BuiltGraph &graph, size_t index) {
    if (hasMemoryNodes(graph))
      return cudaErrorNotSupported;
    graph.remove(index);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  return withGraph(clone, [&](BuiltGraphs &, BuiltGraph &graph) {
    if (!node || !original)
      return cudaErrorInvalidValue;
    auto found = std::find_if(graph.nodes().begin(), graph.nodes().end(),
                              [&](const Node &other) { return other.original == original; });
    if (found == graph.nodes().end())
      return cudaErrorInvalidValue;
    *node = found->handle;
    return cudaSuccess;
  });
}
