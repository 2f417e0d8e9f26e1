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

#include <atomic>
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

/// A graph that a device made by a capture; it ends with the object.
struct CapturedGraph {
  CapturedGraph(Device &device, cudaGraph_t graph) : device(device), graph(graph) {}
  ~CapturedGraph() { static_cast<void>(device.destroyGraph(graph)); }
  CapturedGraph(const CapturedGraph &) = delete;

  Device &device;
  cudaGraph_t graph;
};

/// The value that decides what a conditional node runs. Its address is the program's handle.
struct Condition {
  std::shared_ptr<unsigned> value; ///< of the device
  std::optional<unsigned> atStart; ///< the value with which each launch of the graph begins

  [[nodiscard]] cudaGraphConditionalHandle handle() const {
    return reinterpret_cast<uintptr_t>(value.get());
  }
};

class BuiltGraph;

struct ConditionalNode {
  ConditionalNode(cudaGraphConditionalNodeType type, Condition condition, size_t bodyCount);
  /// The copy has bodies of its own, without an array of their handles.
  ConditionalNode(const ConditionalNode &other);

  /// Makes the next node of a stream that captures, with empty bodies.
  [[nodiscard]] cudaError_t begin(Device &device, cudaStream_t stream, Conditional &out) const;
  /// Fills the bodies, once.
  [[nodiscard]] cudaError_t fill(Device &device, const Conditional &made) const;

  cudaGraphConditionalNodeType type;
  Condition condition;
  std::vector<std::shared_ptr<BuiltGraph>> bodies;
  std::vector<cudaGraph_t> handles; ///< of the bodies, for the program
  /// Only for a node that was added to a capture in progress: the device's node, whose bodies are
  /// empty until the captured graph is instantiated.
  std::optional<Conditional> captured = std::nullopt;
};

class BuiltGraph {
public:
  /// Gives a node's work to a stream that captures.
  using Work = std::function<cudaError_t(Device &device, cudaStream_t stream)>;

  struct Node {
    cudaGraphNodeType type;
    Work work;                                ///< null for an empty node
    std::shared_ptr<BuiltGraph> child;        ///< only for a node that is a graph; its own copy
    std::shared_ptr<const KernelNode> kernel; ///< only for a node that is a kernel
    /// Only for a node that is a graph of a device; `work` captures it.
    std::shared_ptr<const CapturedGraph> captured = nullptr;
    std::shared_ptr<ConditionalNode> conditional = nullptr; ///< only for a conditional node
    /// The program's parameters of a node that is no kernel, and a node's event.
    std::variant<std::monostate, cudaMemcpy3DParms, cudaMemsetParams, cudaHostNodeParams,
                 cudaEvent_t, cudaMemAllocNodeParams, cudaMemFreeNodeParams>
        parameters = {};
    /// The attributes of a kernel node that the program has set.
    std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes = {};
    bool isEnabled = true;              ///< a node of an executable that is not does nothing
    std::vector<size_t> after = {};     ///< indices of the node's dependencies
    cudaGraphNode_t handle = nullptr;   ///< nodes of a copy keep the original's
    cudaGraphNode_t original = nullptr; ///< in the graph that was cloned
    uint64_t revision = newRevision();  ///< another one after each change, copies keep it

    /// Makes the next node of a stream that captures. Returns cudaErrorNotSupported for a node
    /// without work.
    [[nodiscard]] cudaError_t capture(Device &device, cudaStream_t stream) const;
    /// Returns the graphs of the program that are parts of the node.
    std::vector<BuiltGraph *> inner() const;
    static uint64_t newRevision();
  };

  BuiltGraph() = default;
  /// Copies share no graph that is a node, or the body of one.
  BuiltGraph(const BuiltGraph &other);
  BuiltGraph(BuiltGraph &&) = default;
  BuiltGraph &operator=(BuiltGraph other);

  /// Returns a copy whose nodes have handles of their own.
  [[nodiscard]] BuiltGraph clone() const;
  /// Returns the node of the graph, or of a graph that is a node of it; null if there is none.
  Node *find(cudaGraphNode_t handle);

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
  /// Fills the empty body of a device's conditional node.
  [[nodiscard]] cudaError_t captureBody(Device &device, const Conditional &node, size_t body) const;

  /// Returns the same numbers as long as the graph and those in it have the same nodes and edges.
  std::vector<uint64_t> revision() const;

  /// The conditions whose handles were made for the graph. Copies share the values.
  std::vector<Condition> conditions;
  bool isBody = false; ///< of a conditional node
  /// Only for the conditional nodes of a captured graph whose bodies have been filled: the revision
  /// of what they were filled with, or nothing after an error.
  std::optional<std::vector<uint64_t>> filled = std::nullopt;

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
  /// Returns null for a captured graph, and for a handle that is not a graph. A graph that is a
  /// node of another one is found, too.
  BuiltGraph *find(cudaGraph_t handle);
  /// Returns the graph that contains the node, which may be a node of another one; or null.
  BuiltGraph *findWith(cudaGraphNode_t node);
  /// Returns false if there is no such graph, or if it is a node of another one.
  bool remove(cudaGraph_t handle);
  /// Gives the conditional nodes of a captured graph of a device, and its conditions; null if
  /// it has neither. They end with the graph.
  BuiltGraph *findConditionals(cudaGraph_t captured);
  /// Does the same, and makes it first if there is none.
  BuiltGraph &conditionalsOf(cudaGraph_t captured);
  void removeConditionals(cudaGraph_t captured) { conditionals.erase(captured); }
  /// Returns whether a graph has a conditional node with the handle.
  bool isUsed(cudaGraphConditionalHandle handle);
  /// Returns the condition of the handle if the graph, or one that contains it, has that; or null.
  const Condition *findCondition(cudaGraphConditionalHandle handle, cudaGraph_t graph);

  void addExecutable(cudaGraphExec_t handle, BuiltGraph made);
  /// Keeps the flags of an executable, whichever graph it was made from.
  void setFlags(cudaGraphExec_t handle, unsigned long long value) { flags[handle] = value; }
  /// Returns nothing if there is no such executable.
  std::optional<unsigned long long> flagsOf(cudaGraphExec_t handle) const;
  /// Gives the device's executable for the program's, which is another one after a node was
  /// switched on or off. Needs no lock.
  cudaGraphExec_t onDevice(cudaGraphExec_t handle);
  /// The next launches of the program's executable launch `current`, which is made from `made`.
  void replaceExecutable(cudaGraphExec_t handle, cudaGraphExec_t current, BuiltGraph made);
  /// Returns the executables of the device that the program's one has been, but for the first.
  std::vector<cudaGraphExec_t> replacementsOf(cudaGraphExec_t handle);
  /// Returns the graph of the executable; null unless the program built that
  /// graph.
  BuiltGraph *findExecutable(cudaGraphExec_t handle);
  /// The executable was updated from another graph.
  void forgetGraph(cudaGraphExec_t handle) { executables.erase(handle); }
  void removeExecutable(cudaGraphExec_t handle);

  /// Keeps the conditions of an executable's graph and of the graphs in it; `graph` may be null.
  void setConditions(cudaGraphExec_t handle, const BuiltGraph *graph);
  /// Gives the conditions of an executable. Needs no lock.
  std::vector<Condition> conditionsOf(cudaGraphExec_t handle);

private:
  /// Returns the first graph for which `isWanted` holds, among all graphs of the program and those
  /// in them; null if there is none.
  template <typename IsWanted> BuiltGraph *findInAll(IsWanted isWanted);

  std::map<cudaGraph_t, std::unique_ptr<BuiltGraph>> graphs;
  std::map<cudaGraph_t, std::unique_ptr<BuiltGraph>> conditionals; ///< of captured graphs
  std::map<cudaGraphExec_t, std::vector<Condition>> conditions;
  std::atomic<bool> hasConditions = false; ///< an executable has had conditions
  std::map<cudaGraphExec_t, BuiltGraph> executables;
  std::map<cudaGraphExec_t, unsigned long long> flags;
  /// The last one is current.
  std::map<cudaGraphExec_t, std::vector<cudaGraphExec_t>> replacements;
  std::atomic<bool> hasReplaced = false;
};

} // namespace regrain
