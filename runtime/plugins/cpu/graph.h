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

namespace regrain::cpu {

enum class NodeKind : uint8_t { Kernel, Copy, Fill, HostFunction, EventRecord, EventWait };

/// The work that a stream was given while it captured.
struct Node {
  NodeKind kind;
  Work work;                 ///< may run any number of times
  std::vector<size_t> after; ///< indices of the node's dependencies
  cudaEvent_t event = nullptr; ///< of a node that records an event, or waits for one
};

struct Graph {
  std::deque<Node> nodes; ///< each after its dependencies; they do not move

  cudaGraphNode_t handleOf(size_t node) { return reinterpret_cast<cudaGraphNode_t>(&nodes[node]); }
  void run() const;
};

class Graphs {
public:
  cudaGraph_t add(std::unique_ptr<Graph> graph);
  [[nodiscard]] cudaError_t destroy(cudaGraph_t handle);
  /// Fills in the nodes as Device::graphNodes does.
  [[nodiscard]] cudaError_t nodes(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t &count);
  [[nodiscard]] cudaError_t nodeType(cudaGraphNode_t node, cudaGraphNodeType &type);
  [[nodiscard]] cudaError_t instantiate(cudaGraph_t handle, cudaGraphExec_t &out);
  [[nodiscard]] cudaError_t destroyExecutable(cudaGraphExec_t handle);
  [[nodiscard]] cudaError_t update(cudaGraphExec_t executable, cudaGraph_t graph,
                                   cudaGraphExecUpdateResultInfo &result);

  /// Queues a launch on the stream, after the latest one; `done` is its end.
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
};

} // namespace regrain::cpu
