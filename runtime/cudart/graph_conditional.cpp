//===- graph_conditional.cpp - Conditional nodes of graphs ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handle is the address of the value, so that a kernel sets a condition by a store
// (cuda_device_runtime_api.h). The executables of one graph share its values, so launches of such
// graphs wait for each other.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/relaxed_capture.h"
#include "runtime/core/settings.h"
#include "runtime/core/stream_captures.h"
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
  // A capture has conditions if the program has made handles for its graph.
  if (!graphs.find(graph) && !graphs.findConditionals(graph))
    return cudaErrorNotSupported;
  const Condition *condition = graphs.findCondition(parameters.handle, graph);
  if (!condition || graphs.isUsed(parameters.handle) || !isSize(parameters))
    return cudaErrorInvalidValue;
  out.type = cudaGraphNodeTypeConditional;
  out.conditional = std::make_shared<ConditionalNode>(parameters.type, *condition, parameters.size);
  parameters.phGraph_out = out.conditional->handles.data();
  return cudaSuccess;
}

cudaError_t regrain::addCapturedConditional(Device &device, BuiltGraphs &graphs, cudaGraph_t graph,
                                            cudaStream_t stream, Node &made) {
  Conditional captured;
  cudaError_t status = made.conditional->begin(device, stream, captured);
  if (status != cudaSuccess)
    return status;
  made.conditional->captured = std::move(captured);
  graphs.conditionalsOf(graph).add(made);
  return cudaSuccess;
}

cudaError_t regrain::fillCapturedConditionals(Device &device, BuiltGraphs &graphs,
                                              cudaGraph_t graph) {
  BuiltGraph *conditionals = graphs.findConditionals(graph);
  if (!conditionals)
    return cudaSuccess;
  std::vector<uint64_t> revision = conditionals->revision();
  if (conditionals->filled)
    return *conditionals->filled == revision ? cudaSuccess : cudaErrorNotSupported;
  conditionals->filled.emplace();
  for (const Node &node : conditionals->nodes())
    if (cudaError_t status = node.conditional->fill(device, *node.conditional->captured);
        status != cudaSuccess)
      return status;
  conditionals->filled = std::move(revision);
  return cudaSuccess;
}

cudaError_t regrain::launchConditional(OpenDevice &current, cudaGraphExec_t executable,
                                       const std::vector<Condition> &conditions,
                                       cudaStream_t stream) {
  Device &device = *current.device;
  CaptureInfo info;
  cudaError_t status = device.captureInfo(stream, info);
  if (status != cudaSuccess || info.status != cudaStreamCaptureStatusNone)
    return device.launchExecutable(executable, stream); // the device refuses it
  std::lock_guard lock(current.conditionalLaunches);
  cudaEvent_t &last = current.lastConditionalLaunch;
  status = last ? device.streamWaitEvent(stream, last, 0)
                : device.createEvent(cudaEventDisableTiming, last);
  for (const Condition &condition : conditions)
    if (status == cudaSuccess && condition.atStart)
      status = device.assignConditionValue(condition.value.get(), *condition.atStart, stream);
  if (status == cudaSuccess)
    status = device.launchExecutable(executable, stream);
  return status == cudaSuccess ? device.recordEvent(last, stream, cudaEventRecordDefault) : status;
}

/// Returns the graph that gets a condition; null if it takes none.
static BuiltGraph *findTaker(BuiltGraphs &graphs, cudaGraph_t graph) {
  if (BuiltGraph *found = graphs.find(graph))
    return found;
  bool isTaker = false; // a captured graph that is complete is not
  StreamCaptures::get().with(
      graph, [&](StreamCapture &capture, cudaStream_t) { isTaker = !capture.target; });
  return isTaker ? &graphs.conditionalsOf(graph) : nullptr;
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int value, unsigned int flags) {
  return onDevice([&](Device &device) {
    if (!handle || !graph || (flags & ~unsigned(cudaGraphCondAssignDefault)))
      return cudaErrorInvalidValue;
    Condition condition;
    std::string reason;
    {
      RelaxedCapture relaxed(device);
      cudaError_t status = device.makeConditionValue(condition.value, reason);
      if (status != cudaSuccess) {
        if (!reason.empty())
          sayVerbose("cudaGraphConditionalHandleCreate: " + reason);
        return status;
      }
    }
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    BuiltGraph *taker = findTaker(graphs, graph);
    if (!taker)
      return cudaErrorNotSupported;
    if (flags & cudaGraphCondAssignDefault)
      condition.atStart = value;
    *handle = condition.handle();
    taker->conditions.push_back(std::move(condition));
    return cudaSuccess;
  });
}
