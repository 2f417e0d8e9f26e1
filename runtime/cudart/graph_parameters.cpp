//===- graph_parameters.cpp - What nodes of built graphs do ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch.h"
#include "runtime/cudart/copy.h"
#include "runtime/cudart/entry.h"
#include "runtime/cudart/graph_node.h"

using namespace regrain;

namespace {

using Node = BuiltGraph::Node;

/// Gives the parameters with which the program made a node of the type.
template <typename Parameters>
cudaError_t giveParameters(cudaGraphNode_t node, cudaGraphNodeType type, Parameters *out) {
  return withBuiltNode(node, type, [&](const Node &found) {
    if (!out)
      return cudaErrorInvalidValue;
    *out = std::get<Parameters>(found.parameters);
    return cudaSuccess;
  });
}

/// Makes a copy to a variable, or from one.
struct SymbolCopy {
  const void *symbol;
  void *memory;
  size_t bytes, offset;
  cudaMemcpyKind kind;

  cudaError_t make(bool isToSymbol, Node &out) const {
    void *address = nullptr;
    if (cudaError_t status = findPart(symbol, bytes, offset, address); status != cudaSuccess)
      return status;
    cudaMemcpyKind unwanted = isToSymbol ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
    if (kind == unwanted || kind == cudaMemcpyHostToHost)
      return cudaErrorInvalidMemcpyDirection;
    return isToSymbol ? makeLinearCopy(address, memory, bytes, kind, out)
                      : makeLinearCopy(memory, address, bytes, kind, out);
  }
};

/// Fills in a node of any type that graphs have.
cudaError_t makeAny(BuiltGraphs &graphs, const cudaGraphNodeParams *parameters, Node &out) {
  if (!parameters)
    return cudaErrorInvalidValue;
  switch (parameters->type) {
  case cudaGraphNodeTypeKernel:
    return makeKernel(&parameters->kernel, out);
  case cudaGraphNodeTypeMemcpy:
    return makeCopy(&parameters->memcpy.copyParams, out);
  case cudaGraphNodeTypeMemset:
    return makeFill(&parameters->memset, out);
  case cudaGraphNodeTypeHost:
    return makeHostCall(&parameters->host, out);
  case cudaGraphNodeTypeGraph:
    return makeChild(graphs, parameters->graph.graph, out);
  case cudaGraphNodeTypeEmpty:
    return makeEmpty(out);
  case cudaGraphNodeTypeEventRecord:
    return makeEventRecord(parameters->eventRecord.event, out);
  case cudaGraphNodeTypeWaitEvent:
    return makeEventWait(parameters->eventWait.event, out);
  default:
    return cudaErrorNotSupported;
  }
}

} // namespace

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const cudaKernelNodeParams *parameters) {
  return changeNode(node, [&](BuiltGraphs &, Node &out) { return makeKernel(parameters, out); });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams *parameters) {
  return changeExecutable(executable, node,
                          [&](BuiltGraphs &, Node &out) { return makeKernel(parameters, out); });
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms *parameters) {
  return giveParameters(node, cudaGraphNodeTypeMemcpy, parameters);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const cudaMemcpy3DParms *parameters) {
  return changeNode(node, [&](BuiltGraphs &, Node &out) { return makeCopy(parameters, out); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms *parameters) {
  return changeExecutable(executable, node,
                          [&](BuiltGraphs &, Node &out) { return makeCopy(parameters, out); });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams *parameters) {
  return giveParameters(node, cudaGraphNodeTypeMemset, parameters);
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams *parameters) {
  return changeNode(node, [&](BuiltGraphs &, Node &out) { return makeFill(parameters, out); });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams *parameters) {
  return changeExecutable(executable, node,
                          [&](BuiltGraphs &, Node &out) { return makeFill(parameters, out); });
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams *parameters) {
  return giveParameters(node, cudaGraphNodeTypeHost, parameters);
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams *parameters) {
  return changeNode(node, [&](BuiltGraphs &, Node &out) { return makeHostCall(parameters, out); });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams *parameters) {
  return changeExecutable(executable, node,
                          [&](BuiltGraphs &, Node &out) { return makeHostCall(parameters, out); });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from,
                                           size_t count, cudaMemcpyKind kind) {
  return changeNode(
      node, [&](BuiltGraphs &, Node &out) { return makeLinearCopy(to, from, count, kind, out); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void *to, const void *from, size_t count,
                                               cudaMemcpyKind kind) {
  return changeExecutable(executable, node, [&](BuiltGraphs &, Node &out) {
    return makeLinearCopy(to, from, count, kind, out);
  });
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol,
                                                 const void *from, size_t count, size_t offset,
                                                 cudaMemcpyKind kind) {
  return changeNode(node, [&](BuiltGraphs &, Node &out) {
    return SymbolCopy{symbol, const_cast<void *>(from), count, offset, kind}.make(true, out);
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable,
                                                     cudaGraphNode_t node, const void *symbol,
                                                     const void *from, size_t count, size_t offset,
                                                     cudaMemcpyKind kind) {
  return changeExecutable(executable, node, [&](BuiltGraphs &, Node &out) {
    return SymbolCopy{symbol, const_cast<void *>(from), count, offset, kind}.make(true, out);
  });
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *to,
                                                   const void *symbol, size_t count, size_t offset,
                                                   cudaMemcpyKind kind) {
  return changeNode(node, [&](BuiltGraphs &, Node &out) {
    return SymbolCopy{symbol, to, count, offset, kind}.make(false, out);
  });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable,
                                                       cudaGraphNode_t node, void *to,
                                                       const void *symbol, size_t count,
                                                       size_t offset, cudaMemcpyKind kind) {
  return changeExecutable(executable, node, [&](BuiltGraphs &, Node &out) {
    return SymbolCopy{symbol, to, count, offset, kind}.make(false, out);
  });
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *dependencies,
                                           size_t dependencyCount, const void *symbol,
                                           const void *from, size_t count, size_t offset,
                                           cudaMemcpyKind kind) {
  return addNode(node, graph, dependencies, dependencyCount, [&](BuiltGraphs &, Node &out) {
    return SymbolCopy{symbol, const_cast<void *>(from), count, offset, kind}.make(true, out);
  });
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *dependencies,
                                             size_t dependencyCount, void *to, const void *symbol,
                                             size_t count, size_t offset, cudaMemcpyKind kind) {
  return addNode(node, graph, dependencies, dependencyCount, [&](BuiltGraphs &, Node &out) {
    return SymbolCopy{symbol, to, count, offset, kind}.make(false, out);
  });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return changeExecutable(executable, node, [&](BuiltGraphs &graphs, Node &out) {
    return makeChild(graphs, child, out);
  });
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *dependencies, size_t dependencyCount,
                             cudaGraphNodeParams *parameters) {
  if (parameters && parameters->type == cudaGraphNodeTypeMemAlloc)
    return cudaGraphAddMemAllocNode(node, graph, dependencies, dependencyCount, &parameters->alloc);
  if (parameters && parameters->type == cudaGraphNodeTypeMemFree)
    return cudaGraphAddMemFreeNode(node, graph, dependencies, dependencyCount,
                                   parameters->free.dptr);
  if (parameters && parameters->type == cudaGraphNodeTypeConditional)
    return addNode(node, graph, dependencies, dependencyCount, [&](BuiltGraphs &graphs, Node &out) {
      return makeConditional(graphs, graph, parameters->conditional, out);
    });
  return addNode(node, graph, dependencies, dependencyCount,
                 [&](BuiltGraphs &graphs, Node &out) { return makeAny(graphs, parameters, out); });
}

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph,
                                const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *edges,
                                size_t dependencyCount, cudaGraphNodeParams *parameters) {
  if (!arePlain(edges, dependencyCount))
    return notSupported("cudaGraphAddNode with an edge that is not plain");
  return cudaGraphAddNode(node, graph, dependencies, dependencyCount, parameters);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams *parameters) {
  return changeNode(
      node, [&](BuiltGraphs &graphs, Node &out) { return makeAny(graphs, parameters, out); });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       cudaGraphNodeParams *parameters) {
  return changeExecutable(executable, node, [&](BuiltGraphs &graphs, Node &out) {
    return makeAny(graphs, parameters, out);
  });
}
