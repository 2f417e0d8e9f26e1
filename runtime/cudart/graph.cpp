//===- graph.cpp - Graphs of the runtime API ------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/built_graph.h"
#include "runtime/cudart/capture.h"
#include "runtime/cudart/entry.h"
#include "runtime/cudart/graph_node.h"
#include "runtime/cudart/memory.h"

#include <vector>

using namespace regrain;

namespace {

/// Calls the body with a temporary graph of the device for a built graph.
template <typename Body>
cudaError_t withDeviceGraph(Device &device, const BuiltGraph &built, Body body) {
  cudaGraph_t captured = nullptr;
  cudaError_t status = built.capture(device, captured);
  if (status != cudaSuccess)
    return status;
  status = body(captured);
  cudaError_t destroyed = device.destroyGraph(captured);
  return status != cudaSuccess ? status : destroyed;
}

/// Waits for work that may use the objects that an executable's graph keeps alive; `made` is
/// null for a captured graph.
cudaError_t waitForObjects(Device &device, const BuiltGraph *made) {
  return made && !made->objects.empty() ? device.synchronize() : cudaSuccess;
}

/// Returns whether a launch frees what the launch before it has allocated.
bool freesFirst(cudaGraphExec_t executable) {
  BuiltGraphs &graphs = BuiltGraphs::get();
  std::lock_guard lock(graphs.mutex);
  return graphs.flagsOf(executable).value_or(0) & cudaGraphInstantiateFlagAutoFreeOnLaunch;
}

} // namespace

cudaError_t regrain::updateExecutable(Device &device, cudaGraphExec_t executable,
                                      const BuiltGraph &built,
                                      cudaGraphExecUpdateResultInfo &result) {
  cudaError_t status = withDeviceGraph(device, built, [&](cudaGraph_t captured) {
    return device.updateExecutable(executable, captured, result);
  });
  result.errorNode = result.errorFromNode = nullptr; // the program does not know those nodes
  return status;
}

cudaError_t regrain::instantiateBuilt(Device &device, const BuiltGraph &built,
                                      unsigned long long flags, cudaGraphExec_t &executable) {
  return withDeviceGraph(device, built, [&](cudaGraph_t captured) {
    return device.instantiate(captured, flags, executable);
  });
}

// A graph that the program makes takes nodes from the program; a device gets it when it
// is instantiated.
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags) {
  return onOpenDevice([&](OpenDevice &) {
    if (!graph || flags != 0)
      return cudaErrorInvalidValue;
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    *graph = graphs.add({});
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!graph)
      return cudaErrorInvalidValue;
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    if (!graphs.remove(graph)) {
      bool isNode = graphs.find(graph) != nullptr; // its graph owns it
      cudaError_t status = isNode ? cudaErrorInvalidValue : current.device->destroyGraph(graph);
      if (status != cudaSuccess)
        return status;
      graphs.removeConditionals(graph);
    }
    return endGraphMemory(current, graph);
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count) {
  return onDevice([&](Device &device) {
    if (!graph || !count)
      return cudaErrorInvalidValue;
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    if (const BuiltGraph *built = graphs.find(graph)) {
      std::vector<cudaGraphNode_t> all;
      for (const BuiltGraph::Node &node : built->nodes())
        all.push_back(node.handle);
      giveNodes(all, nodes, *count);
      return cudaSuccess;
    }
    return device.graphNodes(graph, nodes, *count);
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 unsigned long long flags) {
  return onDevice([&](Device &device) {
    if (!executable || !graph)
      return cudaErrorInvalidValue;
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    const BuiltGraph *built = graphs.find(graph);
    const BuiltGraph *conditional = built ? built : graphs.findConditionals(graph);
    cudaError_t status = conditional ? checkConditions(*conditional) : cudaSuccess;
    if (status == cudaSuccess)
      status = GraphMemory::get().checkInstantiation(graph, nullptr);
    if (status == cudaSuccess && !built)
      status = fillCapturedConditionals(device, graphs, graph);
    if (status == cudaSuccess)
      status = built ? instantiateBuilt(device, *built, flags, *executable)
                     : device.instantiate(graph, flags, *executable);
    if (status != cudaSuccess)
      return status;
    GraphMemory::get().instantiated(graph, *executable);
    if (built)
      graphs.addExecutable(*executable, *built);
    graphs.setFlags(*executable, flags);
    graphs.setConditions(*executable, conditional);
    return status;
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *executable, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *parameters) {
  if (!parameters)
    return entry([] { return cudaErrorInvalidValue; });
  parameters->errNode_out = nullptr;
  constexpr unsigned long long upload = cudaGraphInstantiateFlagUpload;
  cudaError_t status = cudaGraphInstantiate(executable, graph, parameters->flags & ~upload);
  if (status == cudaSuccess && (parameters->flags & upload))
    status = cudaGraphUpload(*executable, parameters->uploadStream);
  parameters->result_out =
      status == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  BuiltGraphs &graphs = BuiltGraphs::get();
  std::lock_guard lock(graphs.mutex);
  const BuiltGraph *conditional = graphs.find(graph);
  if (!conditional)
    conditional = graphs.findConditionals(graph);
  if (status != cudaSuccess && conditional && checkConditions(*conditional) != cudaSuccess)
    parameters->result_out = cudaGraphInstantiateConditionalHandleUnused;
  return status;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return onOpenDevice([&](OpenDevice &current) {
    Device &device = *current.device;
    if (!executable)
      return cudaErrorInvalidValue;
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    cudaError_t failed = waitForObjects(device, graphs.findExecutable(executable));
    std::vector<cudaGraphExec_t> others = graphs.replacementsOf(executable);
    graphs.removeExecutable(executable);
    cudaError_t status = device.destroyExecutable(executable);
    for (cudaGraphExec_t other : others)
      if (cudaError_t destroyed = device.destroyExecutable(other); status == cudaSuccess)
        status = destroyed;
    if (cudaError_t freed = endGraphMemory(current, executable); failed == cudaSuccess)
      failed = freed;
    return status == cudaSuccess ? failed : status;
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result) {
  return onOpenDevice([&](OpenDevice &opened) {
    Device &device = *opened.device;
    if (!executable || !graph || !result)
      return cudaErrorInvalidValue;
    *result = {cudaGraphExecUpdateError, nullptr, nullptr};
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    const BuiltGraph *built = graphs.find(graph);
    std::vector<cudaGraphExec_t> others = graphs.replacementsOf(executable);
    cudaGraphExec_t current = others.empty() ? executable : others.back();
    const BuiltGraph *conditional = built ? built : graphs.findConditionals(graph);
    cudaError_t status = conditional ? checkConditions(*conditional) : cudaSuccess;
    if (status == cudaSuccess)
      status = GraphMemory::get().checkInstantiation(graph, executable);
    if (status == cudaSuccess && !built)
      status = fillCapturedConditionals(device, graphs, graph);
    if (status == cudaSuccess)
      status = built ? updateExecutable(device, current, *built, *result)
                     : device.updateExecutable(current, graph, *result);
    if (status == cudaSuccess) {
      status = waitForObjects(device, graphs.findExecutable(executable));
      graphs.forgetGraph(executable);
      if (built)
        graphs.addExecutable(executable, *built);
      graphs.setConditions(executable, conditional);
      cudaError_t freed = endGraphMemory(opened, executable);
      GraphMemory::get().instantiated(graph, executable);
      if (status == cudaSuccess)
        status = freed;
    }
    return status;
  });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return onDevice([&](Device &device) {
    return executable ? device.uploadExecutable(BuiltGraphs::get().onDevice(executable), stream)
                      : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!executable)
      return cudaErrorInvalidValue;
    GraphMemory &memory = GraphMemory::get();
    cudaError_t status = memory.isUsedBy(executable)
                             ? memory.checkLaunch(executable, freesFirst(executable))
                             : cudaSuccess;
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::vector<Condition> conditions = graphs.conditionsOf(executable);
    cudaGraphExec_t onDevice = graphs.onDevice(executable);
    if (status == cudaSuccess)
      status = conditions.empty() ? current.device->launchExecutable(onDevice, stream)
                                  : launchConditional(current, onDevice, conditions, stream);
    if (status == cudaSuccess)
      memory.launched(executable);
    return status;
  });
}
