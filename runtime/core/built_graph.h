//===- built_graph.h - Graphs that a program builds -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph that is built node by node is known to the core alone. A device gets it when it
// is instantiated: its nodes are captured then, each into a stream that waits for what the
// node depends on, so that a device needs no more than capture.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace regrain {

/// A kernel node's parameters with copies of the arguments.
struct KernelNode {
  cudaKernelNodeParams parameters = {};
  std::vector<std::vector<std::byte>> arguments;
  std::vector<void *> pointers; ///< to the arguments
};

class BuiltGraph {
public:
  /// Gives a node's work to a stream that captures.
  using Work = std::function<cudaError_t(Device &device, cudaStream_t stream)>;

  struct Node {
    cudaGraphNodeType type;
    Work work;                                ///< null where there is none
    std::shared_ptr<const BuiltGraph> child;  ///< of a node that is a graph
    std::shared_ptr<const KernelNode> kernel; ///< of a node that is a kernel
    std::vector<size_t> after = {};           ///< indices of the nodes it depends on
    cudaGraphNode_t handle = nullptr;         ///< a copy's nodes have that of the original
  };

  cudaGraphNode_t add(Node node);
  /// The index of the node; nothing where it is not of this graph.
  std::optional<size_t> indexOf(cudaGraphNode_t handle) const;
  /// cudaErrorInvalidValue where the edge is there, or from a node to itself.
  [[nodiscard]] cudaError_t addEdge(size_t from, size_t to);
  std::vector<Node> &nodes() { return all; }
  const std::vector<Node> &nodes() const { return all; }

  /// Makes a graph of the device, which the caller destroys. cudaErrorInvalidValue where
  /// the dependencies have a cycle.
  [[nodiscard]] cudaError_t capture(Device &device, cudaGraph_t &out) const;

private:
  std::vector<Node> all;
};

/// The graphs that the program builds, and the executables that were made of them.
class BuiltGraphs {
public:
  static BuiltGraphs &get();

  /// Held by each call, as long as it uses what the others answer.
  std::mutex mutex;

  cudaGraph_t add(BuiltGraph graph);
  /// Null for a graph that was captured, and for what is none.
  BuiltGraph *find(cudaGraph_t handle);
  /// The graph that the node is of, or null.
  BuiltGraph *findWith(cudaGraphNode_t node);
  /// False where there is no such graph.
  bool remove(cudaGraph_t handle);

  void addExecutable(cudaGraphExec_t handle, BuiltGraph made);
  /// What the executable does; null unless it was made of a graph that was built.
  BuiltGraph *findExecutable(cudaGraphExec_t handle);
  void removeExecutable(cudaGraphExec_t handle);

private:
  std::map<cudaGraph_t, std::unique_ptr<BuiltGraph>> graphs;
  std::map<cudaGraphExec_t, BuiltGraph> executables;
};

} // namespace regrain
