//===- graph.h - Graphs of the CPU device -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launched graph executes its nodes one after the other, in the order in which
// they were captured: a node never precedes its dependencies, and a kernel uses all
// threads of the device by itself.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plugins/cpu/stream.h"

#include <deque>
#include <optional>

namespace regrain::cpu {

enum class NodeKind : uint8_t {
  Kernel,
  Copy,
  Fill,
  HostFunction,
  EventRecord,
  EventWait,
  Graph,
  Conditional
};

struct Graph;

/// The work that a stream was given while it captured.
struct Node {
  NodeKind kind;
  Work work;                   ///< may run any number of times
  cudaEvent_t event = nullptr; ///< of a node that records an event, or waits for one
  /// The graphs that `work` runs, of a node that is a graph, or a conditional one.
  std::vector<std::shared_ptr<const Graph>> inner = {};
  std::shared_ptr<unsigned> value = nullptr; ///< of a conditional node
  std::vector<size_t> after = {};            ///< indices of the node's dependencies
};

struct Graph {
  std::deque<Node> nodes; ///< each after its dependencies; they do not move

  cudaGraphNode_t handleOf(size_t node) { return reinterpret_cast<cudaGraphNode_t>(&nodes[node]); }
  /// Returns nothing if the graph has no such node.
  std::optional<size_t> indexOf(cudaGraphNode_t node);
  void run() const;
  /// Calls `visit` for each node, also of inner graphs.
  void visitNodes(const std::function<void(const Node &)> &visit) const;
};

class Graphs {
public:
  cudaGraph_t add(std::unique_ptr<Graph> graph);
  /// Returns a copy; null if there is no such graph.
  [[nodiscard]] std::unique_ptr<Graph> copyOf(cudaGraph_t handle);
  [[nodiscard]] cudaError_t destroy(cudaGraph_t handle);
  /// Fills in the nodes as Device::graphNodes does.
  [[nodiscard]] cudaError_t nodes(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t &count);
  [[nodiscard]] cudaError_t nodeType(cudaGraphNode_t node, cudaGraphNodeType &type);
  [[nodiscard]] cudaError_t instantiate(cudaGraph_t handle, cudaGraphExec_t &out);
  [[nodiscard]] cudaError_t destroyExecutable(cudaGraphExec_t handle);
  [[nodiscard]] cudaError_t update(cudaGraphExec_t executable, cudaGraph_t graph,
                                   cudaGraphExecUpdateResultInfo &result);

  /// Adds an empty body of a conditional node, which the node owns.
  cudaGraph_t addBody(const std::shared_ptr<Graph> &body);
  /// Returns cudaErrorInvalidValue if the node does not exist any more.
  [[nodiscard]] cudaError_t fillBody(cudaGraph_t body, Graph nodes);

  /// Queues a launch on the stream, after the latest one of the executable; `done` is its end.
  [[nodiscard]] cudaError_t launch(cudaGraphExec_t handle, Streams &streams,
                                   const std::shared_ptr<Stream> &stream, Ticket &done);
  /// Returns the events of the executable's nodes of this kind.
  std::vector<cudaEvent_t> eventsOf(cudaGraphExec_t handle, NodeKind kind);
  [[nodiscard]] bool isExecutable(cudaGraphExec_t handle);
  void destroyAll();

private:
  struct Executable {
    std::shared_ptr<const Graph> graph; ///< exists while a launch of it is in progress
    Ticket last;                        ///< the end of its latest launch
  };
  Graph *find(cudaGraph_t handle);
  Executable *find(cudaGraphExec_t handle);

  std::mutex mutex;
  std::map<cudaGraph_t, std::unique_ptr<Graph>> graphs;
  std::map<cudaGraphExec_t, std::unique_ptr<Executable>> executables;
  std::map<cudaGraph_t, std::weak_ptr<Graph>> bodies;
};

} // namespace regrain::cpu
