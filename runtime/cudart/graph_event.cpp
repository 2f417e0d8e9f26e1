//===- graph_event.cpp - Nodes that record an event, or wait for one ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/graph_node.h"

using namespace regrain;

namespace {

using Node = BuiltGraph::Node;

cudaError_t giveEvent(cudaGraphNode_t node, cudaGraphNodeType type, cudaEvent_t *event) {
  return withBuiltNode(node, type, [&](const Node &found) {
    if (!event)
      return cudaErrorInvalidValue;
    *event = std::get<cudaEvent_t>(found.parameters);
    return cudaSuccess;
  });
}

} // namespace

cudaError_t regrain::makeEventRecord(cudaEvent_t event, Node &out) {
  if (!event)
    return cudaErrorInvalidValue;
  out.type = cudaGraphNodeTypeEventRecord;
  out.parameters = event;
  out.work = [event](Device &device, cudaStream_t stream) {
    return device.recordEvent(event, stream, cudaEventRecordExternal);
  };
  return cudaSuccess;
}

cudaError_t regrain::makeEventWait(cudaEvent_t event, Node &out) {
  if (!event)
    return cudaErrorInvalidValue;
  out.type = cudaGraphNodeTypeWaitEvent;
  out.parameters = event;
  out.work = [event](Device &device, cudaStream_t stream) {
    return device.streamWaitEvent(stream, event, cudaEventWaitExternal);
  };
  return cudaSuccess;
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *dependencies, size_t dependencyCount,
                                        cudaEvent_t event) {
  return addNode(node, graph, dependencies, dependencyCount,
                 [&](BuiltGraphs &, Node &out) { return makeEventRecord(event, out); });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *dependencies, size_t dependencyCount,
                                      cudaEvent_t event) {
  return addNode(node, graph, dependencies, dependencyCount,
                 [&](BuiltGraphs &, Node &out) { return makeEventWait(event, out); });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  return giveEvent(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  return giveEvent(node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return changeNode(node, [&](BuiltGraphs &, Node &out) { return makeEventRecord(event, out); });
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return changeNode(node, [&](BuiltGraphs &, Node &out) { return makeEventWait(event, out); });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return changeExecutable(executable, node,
                          [&](BuiltGraphs &, Node &out) { return makeEventRecord(event, out); });
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return changeExecutable(executable, node,
                          [&](BuiltGraphs &, Node &out) { return makeEventWait(event, out); });
}
