//===- graph_attributes.cpp - Attributes of nodes and executables ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These are of graphs that the program builds. A device cannot switch a node off, so an executable
// of which a node is switched gets another executable of the device.
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/capture.h"
#include "runtime/cudart/entry.h"
#include "runtime/cudart/graph_node.h"

using namespace regrain;

namespace {

using Node = BuiltGraph::Node;

bool isNodeAttribute(cudaLaunchAttributeID id) {
  switch (id) {
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributeCooperative:
  case cudaLaunchAttributeClusterDimension:
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
  case cudaLaunchAttributePriority:
  case cudaLaunchAttributeMemSyncDomainMap:
  case cudaLaunchAttributeMemSyncDomain:
  case cudaLaunchAttributePreferredSharedMemoryCarveout:
    return true;
  default:
    return false;
  }
}

/// Gives a kernel node these attributes.
cudaError_t setAttributes(Node &node, decltype(Node::attributes) attributes) {
  Node changed = node;
  changed.attributes = std::move(attributes);
  changed.revision = Node::newRevision();
  cudaError_t status = makeKernel(&node.kernel->parameters, changed);
  if (status == cudaSuccess)
    node = std::move(changed);
  return status;
}

/// Calls the body with a node of an executable that was made from a built graph.
template <typename Body>
cudaError_t withNodeOf(cudaGraphExec_t executable, cudaGraphNode_t node, Body body) {
  return onDevice([&](Device &device) {
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    BuiltGraph *made = executable ? graphs.findExecutable(executable) : nullptr;
    if (!made)
      return executable && node ? cudaErrorNotSupported : cudaErrorInvalidValue;
    std::optional<size_t> index = made->indexOf(node);
    bool canBeSwitched = index && (made->nodes()[*index].type == cudaGraphNodeTypeKernel ||
                                   made->nodes()[*index].type == cudaGraphNodeTypeMemcpy ||
                                   made->nodes()[*index].type == cudaGraphNodeTypeMemset);
    return canBeSwitched ? body(device, graphs, *made, *index) : cudaErrorInvalidValue;
  });
}

} // namespace

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue *value) {
  return withBuiltNode(node, cudaGraphNodeTypeKernel, [&](Node &found) {
    if (value && attribute == cudaLaunchAttributeDeviceUpdatableKernelNode)
      return cudaErrorNotSupported; // kernels change no nodes
    if (!value || !isNodeAttribute(attribute))
      return cudaErrorInvalidValue;
    auto attributes = found.attributes;
    attributes[attribute] = *value;
    return setAttributes(found, std::move(attributes));
  });
}

// An attribute that is not set is zero.
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue *value) {
  return withBuiltNode(node, cudaGraphNodeTypeKernel, [&](const Node &found) {
    if (!value || !isNodeAttribute(attribute))
      return cudaErrorInvalidValue;
    auto set = found.attributes.find(attribute);
    *value = set == found.attributes.end() ? cudaLaunchAttributeValue{} : set->second;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return withGraphOf(from, [&](BuiltGraphs &graphs, BuiltGraph &graph, size_t index) {
    const Node &source = graph.nodes()[index];
    BuiltGraph *other = graphs.findWith(to);
    Node *target = other ? other->find(to) : nullptr;
    if (!target || source.type != cudaGraphNodeTypeKernel ||
        target->type != cudaGraphNodeTypeKernel)
      return cudaErrorInvalidValue;
    return setAttributes(*target, source.attributes);
  });
}

// The graph belongs to the node; changes of it are changes of the node.
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *child) {
  return withBuiltNode(node, cudaGraphNodeTypeGraph, [&](const Node &found) {
    if (!child)
      return cudaErrorInvalidValue;
    *child =
        found.captured ? found.captured->graph : reinterpret_cast<cudaGraph_t>(found.child.get());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long *flags) {
  return onOpenDevice([&](OpenDevice &) {
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    std::optional<unsigned long long> known = graphs.flagsOf(executable);
    if (!flags || !known)
      return cudaErrorInvalidValue;
    *flags = *known;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int isEnabled) {
  return withNodeOf(
      executable, node, [&](Device &device, BuiltGraphs &graphs, BuiltGraph &made, size_t index) {
        if (made.nodes()[index].isEnabled == (isEnabled != 0))
          return cudaSuccess;
        BuiltGraph changed = made;
        changed.nodes()[index].isEnabled = isEnabled != 0;
        cudaGraphExec_t current = nullptr;
        cudaError_t status =
            instantiateBuilt(device, changed, graphs.flagsOf(executable).value_or(0), current);
        if (status == cudaSuccess)
          graphs.replaceExecutable(executable, current, std::move(changed));
        return status;
      });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int *isEnabled) {
  return withNodeOf(executable, node, [&](Device &, BuiltGraphs &, BuiltGraph &made, size_t index) {
    if (!isEnabled)
      return cudaErrorInvalidValue;
    *isEnabled = made.nodes()[index].isEnabled;
    return cudaSuccess;
  });
}
