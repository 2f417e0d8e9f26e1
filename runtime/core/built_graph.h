//===- built_graph.h - Graphs that a program builds -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the core knows a graph that is built node by node. A device gets it when it is
// instantiated: then its nodes are captured, each into a stream that waits for the node's
// dependencies, so that a device only needs capture.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

namespace regrain {

/// A kernel node's parameters with copies of the arguments.
struct KernelNode {
  cudaKernelNodeParams parameters = {};
  std::vector<std::vector<std::byte>> arguments;
  std::vector<void *> pointers; ///< pointers to the arguments
};

/// An object of the program that lives as long as somebody refers to it.
struct UserObject {
  UserObject(cudaHostFn_t destroy, void *data) : destroy(destroy), data(data) {}
  ~UserObject() { destroy(data); }
  UserObject(const UserObject &) = delete;

  cudaHostFn_t destroy;
  void *data;
};

class BuiltGraph {
public:
  /// Gives a node's work to a stream that captures.
  using Work = std::function<cudaError_t(Device &device, cudaStream_t stream)>;

  struct Node {
    cudaGraphNodeType type;
    Work work;                                ///< null for an empty node
    std::shared_ptr<const BuiltGraph> child;  ///< only for a node that is a graph
    std::shared_ptr<const KernelNode> kernel; ///< only for a node that is a kernel
    /// The program's parameters of a copy, a fill or a call of the host, and a node's event.
    std::variant<std::monostate, cudaMemcpy3DParms, cudaMemsetParams, cudaHostNodeParams,
                 cudaEvent_t>
        parameters = {};
    std::vector<size_t> after = {};     ///< indices of the node's dependencies
    cudaGraphNode_t handle = nullptr;   ///< nodes of a copy keep the original's
    cudaGraphNode_t original = nullptr; ///< in the graph that was cloned
  };

  cudaGraphNode_t add(Node node);
  /// Returns the index of the node; nothing if it is not in this graph.
  std::optional<size_t> indexOf(cudaGraphNode_t handle) const;
  /// Returns cudaErrorInvalidValue if the edge exists, or connects a node with
  /// itself.
  [[nodiscard]] cudaError_t addEdge(size_t from, size_t to);
  /// Returns cudaErrorInvalidValue if there is no such edge.
  [[nodiscard]] cudaError_t removeEdge(size_t from, size_t to);
  /// Removes the node and its edges.
  void remove(size_t index);
  std::vector<Node> &nodes() { return all; }
  const std::vector<Node> &nodes() const { return all; }

  /// Makes a graph of the device, which the caller destroys. Returns
  /// cudaErrorInvalidValue if the dependencies have a cycle.
  [[nodiscard]] cudaError_t capture(Device &device, cudaGraph_t &out) const;

  /// The program's objects that the graph keeps alive, with the references that it holds.
  std::map<std::shared_ptr<UserObject>, unsigned> objects;

private:
  std::vector<Node> all;
};

/// The graphs that the program builds, and the executables made from them.
class BuiltGraphs {
public:
  static BuiltGraphs &get();

  /// Each call holds this as long as it uses the results of the other members.
  std::mutex mutex;

  cudaGraph_t add(BuiltGraph graph);
  /// Returns null for a captured graph, and for a handle that is not a graph.
  BuiltGraph *find(cudaGraph_t handle);
  /// Returns the graph that contains the node, or null.
  BuiltGraph *findWith(cudaGraphNode_t node);
  /// Returns false if there is no such graph.
  bool remove(cudaGraph_t handle);

  void addExecutable(cudaGraphExec_t handle, BuiltGraph made);
  /// Returns the graph of the executable; null unless the program built that
  /// graph.
  BuiltGraph *findExecutable(cudaGraphExec_t handle);
  void removeExecutable(cudaGraphExec_t handle);

private:
  std::map<cudaGraph_t, std::unique_ptr<BuiltGraph>> graphs;
  std::map<cudaGraphExec_t, BuiltGraph> executables;
};

} // namespace regrain
