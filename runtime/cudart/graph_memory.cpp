//===- graph_memory.cpp - Nodes that allocate and free memory -------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Such a node does nothing when it is launched: the memory is there as long as the graph
// (runtime/core/graph_memory.h).
//
//===----------------------------------------------------------------------===//
#include "runtime/core/graph_memory.h"

#include "runtime/cudart/graph_node.h"
#include "runtime/cudart/memory.h"

#include <algorithm>

using namespace regrain;

namespace {

using Node = BuiltGraph::Node;

bool isMemoryNode(const Node &node) {
  return node.type == cudaGraphNodeTypeMemAlloc || node.type == cudaGraphNodeTypeMemFree;
}

/// Returns whether only the device that has the memory accesses it.
bool isOwnAccess(const cudaMemAllocNodeParams &parameters) {
  return std::all_of(parameters.accessDescs, parameters.accessDescs + parameters.accessDescCount,
                     [&](const cudaMemAccessDesc &access) {
                       return access.location.type == cudaMemLocationTypeDevice &&
                              access.location.id == parameters.poolProps.location.id;
                     });
}

cudaError_t checkAllocation(const cudaMemAllocNodeParams &parameters) {
  const cudaMemPoolProps &pool = parameters.poolProps;
  if (!parameters.bytesize || (parameters.accessDescCount && !parameters.accessDescs))
    return cudaErrorInvalidValue;
  if (pool.location.type != cudaMemLocationTypeDevice ||
      pool.allocType != cudaMemAllocationTypePinned || pool.handleTypes != cudaMemHandleTypeNone ||
      !isOwnAccess(parameters))
    return cudaErrorNotSupported;
  return Platform::get().hasDevice(pool.location.id) ? cudaSuccess : cudaErrorInvalidDevice;
}

/// The body of a conditional node takes none, as in CUDA, and a captured graph takes them only from
/// its streams.
bool takesMemoryNodes(BuiltGraphs &graphs, cudaGraph_t graph) {
  const BuiltGraph *found = graphs.find(graph);
  return found && !found->isBody;
}

/// Allocates on a device which need not be the thread's.
cudaError_t allocateOn(int ordinal, cudaGraph_t graph, size_t bytes, void **pointer) {
  int own = 0;
  OpenDevice *device = nullptr;
  cudaError_t status = currentOrdinal(own);
  if (status == cudaSuccess)
    status = setCurrentDevice(ordinal);
  if (status != cudaSuccess)
    return status;
  status = currentDevice(device);
  if (status == cudaSuccess)
    status = allocateInGraph(*device, graph, bytes, pointer);
  cudaError_t back = setCurrentDevice(own);
  return status == cudaSuccess ? back : status;
}

template <typename Body> cudaError_t withOrdinal(int ordinal, Body body) {
  return onDevice([&](Device &) {
    return Platform::get().hasDevice(ordinal) ? body() : cudaErrorInvalidDevice;
  });
}

} // namespace

bool regrain::hasMemoryNodes(const BuiltGraph &graph) {
  return std::any_of(graph.nodes().begin(), graph.nodes().end(), isMemoryNode);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t dependencyCount,
                                     cudaMemAllocNodeParams *parameters) {
  return addNode(node, graph, dependencies, dependencyCount, [&](BuiltGraphs &graphs, Node &out) {
    if (!parameters)
      return cudaErrorInvalidValue;
    if (!takesMemoryNodes(graphs, graph))
      return cudaErrorNotSupported;
    cudaError_t status = checkAllocation(*parameters);
    if (status == cudaSuccess)
      status = allocateOn(parameters->poolProps.location.id, graph, parameters->bytesize,
                          &parameters->dptr);
    if (status != cudaSuccess)
      return status;
    // The program's array of accesses may end, and says nothing that is not known.
    cudaMemAllocNodeParams kept = *parameters;
    kept.accessDescs = nullptr;
    kept.accessDescCount = 0;
    out.type = cudaGraphNodeTypeMemAlloc;
    out.parameters = kept;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies, size_t dependencyCount,
                                    void *pointer) {
  return addNode(node, graph, dependencies, dependencyCount, [&](BuiltGraphs &graphs, Node &out) {
    if (!takesMemoryNodes(graphs, graph))
      return cudaErrorNotSupported;
    out.type = cudaGraphNodeTypeMemFree;
    out.parameters = cudaMemFreeNodeParams{pointer};
    return GraphMemory::get().frees(graph, pointer);
  });
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           cudaMemAllocNodeParams *parameters) {
  return withBuiltNode(node, cudaGraphNodeTypeMemAlloc, [&](const Node &found) {
    if (!parameters)
      return cudaErrorInvalidValue;
    *parameters = std::get<cudaMemAllocNodeParams>(found.parameters);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *pointer) {
  return withBuiltNode(node, cudaGraphNodeTypeMemFree, [&](const Node &found) {
    if (!pointer)
      return cudaErrorInvalidValue;
    *static_cast<void **>(pointer) = std::get<cudaMemFreeNodeParams>(found.parameters).dptr;
    return cudaSuccess;
  });
}

// What is reserved is what graphs use: memory that none uses is freed at once.
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void *value) {
  return withOrdinal(device, [&] {
    if (!value || attribute < cudaGraphMemAttrUsedMemCurrent ||
        attribute > cudaGraphMemAttrReservedMemHigh)
      return cudaErrorInvalidValue;
    bool isHigh =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    GraphMemory::Bytes bytes = GraphMemory::get().bytesOf(device);
    *static_cast<uint64_t *>(value) = isHigh ? bytes.mostUsed : bytes.used;
    return cudaSuccess;
  });
}

// The high marks can be set back.
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void *value) {
  return withOrdinal(device, [&] {
    bool isHigh =
        attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
    if (!value || !isHigh || *static_cast<const uint64_t *>(value) != 0)
      return cudaErrorInvalidValue;
    GraphMemory::get().resetMostUsed(device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return withOrdinal(device, [] { return cudaSuccess; });
}
