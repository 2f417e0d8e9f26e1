//===- graph_node.h - Nodes of graphs that the program builds ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/built_graph.h"
#include "runtime/cudart/entry.h"

#include <span>

namespace regrain {

using MakeNode = std::function<cudaError_t(BuiltGraphs &graphs, BuiltGraph::Node &out)>;
using UseNode = std::function<cudaError_t(BuiltGraph::Node &node)>;

/// Calls the body with a graph that the program built, while it may use the graphs. Captured
/// graphs are not supported.
template <typename Body> cudaError_t withGraph(cudaGraph_t graph, Body body) {
  return onOpenDevice([&](OpenDevice &) {
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    BuiltGraph *found = graphs.find(graph);
    if (!found)
      return graph ? cudaErrorNotSupported : cudaErrorInvalidValue;
    return body(graphs, *found);
  });
}

/// Does the same for the graph that has the node, and for the node's index there.
template <typename Body> cudaError_t withGraphOf(cudaGraphNode_t node, Body body) {
  return onOpenDevice([&](OpenDevice &) {
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    BuiltGraph *found = graphs.findWith(node);
    if (!found)
      return node ? cudaErrorNotSupported : cudaErrorInvalidValue;
    return body(graphs, *found, *found->indexOf(node));
  });
}

/// Gives `nodes` to an array of the program: up to `count`, then null; and their number, with an
/// array at most `count`.
void giveNodes(const std::vector<cudaGraphNode_t> &nodes, cudaGraphNode_t *out, size_t &count);

/// These fill in what a node does. Each returns the errors of the entry that adds the node.
[[nodiscard]] cudaError_t makeKernel(const cudaKernelNodeParams *parameters, BuiltGraph::Node &out);
[[nodiscard]] cudaError_t makeCopy(const cudaMemcpy3DParms *parameters, BuiltGraph::Node &out);
[[nodiscard]] cudaError_t makeLinearCopy(void *to, const void *from, size_t bytes,
                                         cudaMemcpyKind kind, BuiltGraph::Node &out);
[[nodiscard]] cudaError_t makeFill(const cudaMemsetParams *parameters, BuiltGraph::Node &out);
[[nodiscard]] cudaError_t makeHostCall(const cudaHostNodeParams *parameters, BuiltGraph::Node &out);
[[nodiscard]] cudaError_t makeChild(BuiltGraphs &graphs, cudaGraph_t child, BuiltGraph::Node &out);
[[nodiscard]] cudaError_t makeEmpty(BuiltGraph::Node &out);
/// Makes a node of a graph that a device captured.
void makeCaptured(std::shared_ptr<const CapturedGraph> graph, BuiltGraph::Node &out);
/// Makes a conditional node of `graph`, and gives the program its bodies.
[[nodiscard]] cudaError_t makeConditional(BuiltGraphs &graphs, cudaGraph_t graph,
                                          cudaConditionalNodeParams &parameters,
                                          BuiltGraph::Node &out);
[[nodiscard]] cudaError_t makeEventRecord(cudaEvent_t event, BuiltGraph::Node &out);
[[nodiscard]] cudaError_t makeEventWait(cudaEvent_t event, BuiltGraph::Node &out);

/// Returns whether the graph allocates or frees memory. As in CUDA, such a graph loses no node and
/// no edge, and is neither cloned nor a node: each allocation has one address.
[[nodiscard]] bool hasMemoryNodes(const BuiltGraph &graph);

/// Returns whether the graph, or one in it, has conditional nodes. Such a graph is neither cloned
/// nor a node: each condition has one handle.
[[nodiscard]] bool hasConditionalNodes(const BuiltGraph &graph);

/// Returns cudaErrorInvalidValue if the graph cannot be instantiated for its conditions.
[[nodiscard]] cudaError_t checkConditions(const BuiltGraph &graph);

/// Adds a conditional node to a graph that `stream` is capturing.
[[nodiscard]] cudaError_t addCapturedConditional(Device &device, BuiltGraphs &graphs,
                                                 cudaGraph_t graph, cudaStream_t stream,
                                                 BuiltGraph::Node &made);
/// Fills the bodies of a captured graph's conditional nodes, if that was not done before. Returns
/// cudaErrorNotSupported if the program has changed them since.
[[nodiscard]] cudaError_t fillCapturedConditionals(Device &device, BuiltGraphs &graphs,
                                                   cudaGraph_t graph);

/// Launches an executable whose graph has conditions.
[[nodiscard]] cudaError_t launchConditional(OpenDevice &current, cudaGraphExec_t executable,
                                            const std::vector<Condition> &conditions,
                                            cudaStream_t stream);

/// Gives the indices of nodes; it is an error if one is not in the graph, or occurs twice.
[[nodiscard]] cudaError_t toIndices(const BuiltGraph &graph, std::span<const cudaGraphNode_t> nodes,
                                    std::vector<size_t> &out);

/// Adds a node to a graph that a stream is capturing; a captured graph that is complete takes none.
[[nodiscard]] cudaError_t addToCapture(Device &device, BuiltGraphs &graphs, cudaGraph_t graph,
                                       std::span<const cudaGraphNode_t> dependencies,
                                       const std::function<cudaError_t(BuiltGraph::Node &)> &make,
                                       cudaGraphNode_t &node);

/// Gives a copy of a captured graph, which must be complete and have no memory.
[[nodiscard]] cudaError_t cloneCaptured(Device &device, cudaGraph_t graph, cudaGraph_t &out);

/// Returns whether each edge waits for the end of the node before it.
[[nodiscard]] bool arePlain(const cudaGraphEdgeData *edges, size_t count);

/// Adds a node that `make` fills in.
[[nodiscard]] cudaError_t addNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *dependencies, size_t count,
                                  const MakeNode &make);
/// Calls `use` with a node of a built graph; it is an error if its type is another one.
[[nodiscard]] cudaError_t withBuiltNode(cudaGraphNode_t node, cudaGraphNodeType type,
                                        const UseNode &use);
/// Changes what a node of a built graph does; it is an error if `make` makes another type.
[[nodiscard]] cudaError_t changeNode(cudaGraphNode_t node, const MakeNode &make);
/// Does the same for the node in an executable graph that was made from a built one.
[[nodiscard]] cudaError_t changeExecutable(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const MakeNode &make);

} // namespace regrain
