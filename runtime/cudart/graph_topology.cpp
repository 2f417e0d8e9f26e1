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

/// Gives `all` to an array of the program: up to `count`, and then nothing. Without an array,
/// it gives the number.
template <typename T> void giveAll(const std::vector<T> &all, T *out, size_t &count) {
  for (size_t i = 0; out && i < count; ++i)
    out[i] = i < all.size() ? all[i] : T{};
}

size_t givenCount(bool isAsked, size_t count, size_t all) {
  return isAsked ? std::min(count, all) : all;
}

template <typename Body> cudaError_t withGraph(cudaGraph_t graph, Body body) {
  return onOpenDevice([&](OpenDevice &) {
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    BuiltGraph *found = graphs.find(graph);
    if (!found)
      return graph ? cudaErrorNotSupported : cudaErrorInvalidValue;
    return body(*found);
  });
}

template <typename Body> cudaError_t withGraphOf(cudaGraphNode_t node, Body body) {
  return onOpenDevice([&](OpenDevice &) {
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    BuiltGraph *found = graphs.findWith(node);
    if (!found)
      return node ? cudaErrorNotSupported : cudaErrorInvalidValue;
    return body(*found, *found->indexOf(node));
  });
}

cudaError_t giveNodes(const std::vector<cudaGraphNode_t> &nodes, cudaGraphNode_t *out,
                      size_t &count) {
  giveAll(nodes, out, count);
  count = givenCount(out != nullptr, count, nodes.size());
  return cudaSuccess;
}

/// All edges are plain.
void givePlain(cudaGraphEdgeData *edges, size_t count) {
  for (size_t i = 0; edges && i < count; ++i)
    edges[i] = {};
}

} // namespace

bool regrain::arePlain(const cudaGraphEdgeData *edges, size_t count) {
  static constexpr cudaGraphEdgeData plain = {};
  return !edges || std::all_of(edges, edges + count, [](const cudaGraphEdgeData &edge) {
    return std::memcmp(&edge, &plain, sizeof plain) == 0;
  });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  return withGraph(graph, [&](BuiltGraph &found) {
    if (!count)
      return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> roots;
    for (const Node &node : found.nodes())
      if (node.after.empty())
        roots.push_back(node.handle);
    return giveNodes(roots, nodes, *count);
  });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              size_t *count) {
  return withGraph(graph, [&](BuiltGraph &found) {
    if (!count || !from != !to)
      return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> before, after;
    for (const Node &node : found.nodes())
      for (size_t index : node.after) {
        before.push_back(found.nodes()[index].handle);
        after.push_back(node.handle);
      }
    giveAll(before, from, *count);
    return giveNodes(after, to, *count);
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
  return withGraphOf(node, [&](BuiltGraph &graph, size_t index) {
    if (!dependencyCount)
      return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> before;
    for (size_t other : graph.nodes()[index].after)
      before.push_back(graph.nodes()[other].handle);
    return giveNodes(before, dependencies, *dependencyCount);
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
  return withGraphOf(node, [&](BuiltGraph &graph, size_t index) {
    if (!dependentCount)
      return cudaErrorInvalidValue;
    std::vector<cudaGraphNode_t> next;
    for (const Node &other : graph.nodes())
      if (std::find(other.after.begin(), other.after.end(), index) != other.after.end())
        next.push_back(other.handle);
    return giveNodes(next, dependents, *dependentCount);
  });
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *dependents,
                                              cudaGraphEdgeData *edges, size_t *dependentCount) {
  if (dependentCount)
    givePlain(edges, *dependentCount);
  return cudaGraphNodeGetDependentNodes(node, dependents, dependentCount);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t dependencyCount) {
  return withGraph(graph, [&](BuiltGraph &found) {
    if (dependencyCount && (!from || !to))
      return cudaErrorInvalidValue;
    BuiltGraph changed = found; // removes all edges or none
    for (size_t i = 0; i < dependencyCount; ++i) {
      std::optional<size_t> before = changed.indexOf(from[i]), after = changed.indexOf(to[i]);
      if (!before || !after)
        return cudaErrorInvalidValue;
      if (cudaError_t status = changed.removeEdge(*before, *after); status != cudaSuccess)
        return status;
    }
    found = std::move(changed);
    return cudaSuccess;
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
  return withGraphOf(node, [&](BuiltGraph &graph, size_t index) {
    graph.remove(index);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  return withGraph(clone, [&](BuiltGraph &graph) {
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
