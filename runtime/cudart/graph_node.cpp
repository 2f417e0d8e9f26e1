//===- graph_node.cpp - Nodes of graphs of the runtime API ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These are the nodes of graphs that are built node by node. A kernel node launches the
// original, so that it stays one node and its parameters can be changed.
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/graph_node.h"
#include "runtime/core/built_graph.h"
#include "runtime/core/launch.h"
#include "runtime/cudart/capture.h"
#include "runtime/cudart/copy.h"
#include "runtime/cudart/entry.h"
#include "runtime/cudart/launch_configuration.h"

#include <algorithm>
#include <cstring>

using namespace regrain;

namespace {

using Node = BuiltGraph::Node;

std::shared_ptr<const KernelNode> copyOf(const cudaKernelNodeParams &parameters,
                                         std::span<const ParameterLayout> layout) {
  auto copy = std::make_shared<KernelNode>();
  copy->parameters = parameters;
  for (size_t i = 0; i < layout.size(); ++i) {
    auto *value = static_cast<const std::byte *>(parameters.kernelParams[i]);
    copy->arguments.emplace_back(value, value + layout[i].size);
  }
  for (std::vector<std::byte> &argument : copy->arguments)
    copy->pointers.push_back(argument.data());
  copy->parameters.kernelParams = copy->pointers.data();
  return copy;
}

/// Fills elements of 1, 2 or 4 bytes: elements of one byte at once, otherwise each
/// byte of the elements separately.
cudaError_t fill(Device &device, const cudaMemsetParams &fill, cudaStream_t stream) {
  uint8_t bytes[4];
  std::memcpy(bytes, &fill.value, sizeof bytes);
  bool isUniform = std::equal(bytes + 1, bytes + fill.elementSize, bytes);
  auto *target = static_cast<char *>(fill.dst);
  size_t pitch = fill.height > 1 ? fill.pitch : fill.width * fill.elementSize;
  if (isUniform)
    return device.fill(target, pitch, bytes[0], {fill.width * fill.elementSize, fill.height},
                       stream, /*async=*/true);
  for (size_t row = 0; row < fill.height; ++row)
    for (unsigned byte = 0; byte < fill.elementSize; ++byte)
      if (cudaError_t status = device.fill(target + row * pitch + byte, fill.elementSize,
                                           bytes[byte], {1, fill.width}, stream, /*async=*/true);
          status != cudaSuccess)
        return status;
  return cudaSuccess;
}

} // namespace

cudaError_t regrain::toIndices(const BuiltGraph &graph, std::span<const cudaGraphNode_t> nodes,
                               std::vector<size_t> &out) {
  for (cudaGraphNode_t node : nodes) {
    std::optional<size_t> index = graph.indexOf(node);
    if (!index || std::find(out.begin(), out.end(), *index) != out.end())
      return cudaErrorInvalidValue;
    out.push_back(*index);
  }
  return cudaSuccess;
}

cudaError_t regrain::addNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *dependencies, size_t count,
                             const MakeNode &make) {
  return onDevice([&](Device &device) {
    if (!node || !graph || (count && !dependencies))
      return cudaErrorInvalidValue;
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    BuiltGraph *target = graphs.find(graph);
    if (!target)
      return addToCapture(
          device, graphs, graph, {dependencies, count},
          [&](Node &out) { return make(graphs, out); }, *node);
    Node made = {};
    cudaError_t status = toIndices(*target, {dependencies, count}, made.after);
    if (status == cudaSuccess)
      status = make(graphs, made);
    if (status == cudaSuccess)
      *node = target->add(std::move(made));
    return status;
  });
}

cudaError_t regrain::makeKernel(const cudaKernelNodeParams *parameters, Node &out) {
  if (!parameters)
    return cudaErrorInvalidValue;
  if (parameters->extra)
    return cudaErrorNotSupported;
  LaunchPlan *plan = nullptr;
  if (cudaError_t status = findPlan(parameters->func, plan); status != cudaSuccess)
    return status;
  LaunchShape shape = {toExtent(parameters->gridDim), toExtent(parameters->blockDim),
                       parameters->sharedMemBytes};
  if (cudaError_t status = plan->validate(shape); status != cudaSuccess)
    return status;
  if (!parameters->kernelParams && !plan->parameterLayout().empty())
    return cudaErrorInvalidValue;
  auto kernel = copyOf(*parameters, plan->parameterLayout());
  Togetherness together;
  for (auto &[id, value] : out.attributes)
    addTo(together, id, value);
  together.mayBeginEarly = false; // edges of the graph are plain
  out.type = cudaGraphNodeTypeKernel;
  out.kernel = kernel;
  out.work = [kernel, shape, together](Device &, cudaStream_t stream) {
    // The plan is looked up again, because a reset of the device ends plans.
    LaunchPlan *current = nullptr;
    cudaError_t status = findPlan(kernel->parameters.func, current);
    return status == cudaSuccess
               ? current->launchOriginal(shape, together, kernel->parameters.kernelParams, stream)
               : status;
  };
  return cudaSuccess;
}

cudaError_t regrain::makeCopy(const cudaMemcpy3DParms *parameters, Node &out) {
  if (!parameters)
    return cudaErrorInvalidValue;
  if (cudaError_t status = checkBox(*parameters); status != cudaSuccess)
    return status;
  out.type = cudaGraphNodeTypeMemcpy;
  out.parameters = *parameters;
  out.work = [box = *parameters](Device &device, cudaStream_t stream) {
    return copyBox(device, &box, {stream, true});
  };
  return cudaSuccess;
}

cudaError_t regrain::makeLinearCopy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                    Node &out) {
  if (!to || !from || !bytes)
    return cudaErrorInvalidValue;
  cudaMemcpy3DParms box = {};
  box.dstPtr = {to, bytes, bytes, 1};
  box.srcPtr = {const_cast<void *>(from), bytes, bytes, 1};
  box.extent = {bytes, 1, 1};
  box.kind = kind;
  return makeCopy(&box, out);
}

cudaError_t regrain::makeFill(const cudaMemsetParams *parameters, Node &out) {
  if (!parameters || !parameters->dst || !parameters->width || !parameters->height)
    return cudaErrorInvalidValue;
  unsigned size = parameters->elementSize;
  bool isSize = size == 1 || size == 2 || size == 4;
  if (!isSize || (parameters->height > 1 && parameters->pitch < parameters->width * size))
    return cudaErrorInvalidValue;
  out.type = cudaGraphNodeTypeMemset;
  out.parameters = *parameters;
  out.work = [parameters = *parameters](Device &device, cudaStream_t stream) {
    return fill(device, parameters, stream);
  };
  return cudaSuccess;
}

cudaError_t regrain::makeHostCall(const cudaHostNodeParams *parameters, Node &out) {
  if (!parameters || !parameters->fn)
    return cudaErrorInvalidValue;
  out.type = cudaGraphNodeTypeHost;
  out.parameters = *parameters;
  out.work = [call = *parameters](Device &device, cudaStream_t stream) {
    return device.launchHostFunction(stream, call.fn, call.userData);
  };
  return cudaSuccess;
}

cudaError_t regrain::makeChild(BuiltGraphs &graphs, cudaGraph_t child, Node &out) {
  if (!child)
    return cudaErrorInvalidValue;
  const BuiltGraph *source = graphs.find(child);
  if (!source) {
    OpenDevice *current = nullptr;
    cudaGraph_t copy = nullptr;
    cudaError_t status = currentDevice(current);
    if (status == cudaSuccess)
      status = cloneCaptured(*current->device, child, copy);
    if (status == cudaSuccess)
      makeCaptured(std::make_shared<const CapturedGraph>(*current->device, copy), out);
    return status;
  }
  if (hasMemoryNodes(*source) || hasConditionalNodes(*source))
    return cudaErrorNotSupported;
  out.type = cudaGraphNodeTypeGraph;
  out.child = std::make_shared<BuiltGraph>(source->clone());
  return cudaSuccess;
}

cudaError_t regrain::makeEmpty(Node &out) {
  out.type = cudaGraphNodeTypeEmpty;
  return cudaSuccess;
}

cudaError_t regrain::withBuiltNode(cudaGraphNode_t node, cudaGraphNodeType type,
                                   const UseNode &use) {
  return withGraphOf(node, [&](BuiltGraphs &, BuiltGraph &graph, size_t index) {
    Node &found = graph.nodes()[index];
    return found.type == type ? use(found) : cudaErrorInvalidValue;
  });
}

/// Changes what a node does, and neither its handle nor its dependencies.
static cudaError_t replaceWork(Node &node, BuiltGraphs &graphs, const MakeNode &make) {
  Node changed = {};
  changed.attributes = node.attributes;
  changed.isEnabled = node.isEnabled;
  cudaError_t status = make(graphs, changed);
  if (status != cudaSuccess)
    return status;
  if (changed.type != node.type)
    return cudaErrorInvalidValue;
  changed.after = std::move(node.after);
  changed.handle = node.handle;
  changed.original = node.original;
  node = std::move(changed);
  return cudaSuccess;
}

cudaError_t regrain::changeNode(cudaGraphNode_t node, const MakeNode &make) {
  return withGraphOf(node, [&](BuiltGraphs &graphs, BuiltGraph &graph, size_t index) {
    return replaceWork(graph.nodes()[index], graphs, make);
  });
}

cudaError_t regrain::changeExecutable(cudaGraphExec_t executable, cudaGraphNode_t node,
                                      const MakeNode &make) {
  return onDevice([&](Device &device) {
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    if (!executable || !node)
      return cudaErrorInvalidValue;
    BuiltGraph *made = graphs.findExecutable(executable);
    if (!made)
      return cudaErrorNotSupported;
    std::optional<size_t> index = made->indexOf(node);
    if (!index)
      return cudaErrorInvalidValue;
    BuiltGraph changed = *made;
    cudaError_t status = replaceWork(changed.nodes()[*index], graphs, make);
    if (status != cudaSuccess)
      return status;
    std::vector<cudaGraphExec_t> others = graphs.replacementsOf(executable);
    cudaGraphExecUpdateResultInfo result;
    status = updateExecutable(device, others.empty() ? executable : others.back(), changed, result);
    if (status == cudaSuccess)
      *made = std::move(changed);
    return status;
  });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t dependencyCount,
                                   const cudaKernelNodeParams *parameters) {
  return addNode(node, graph, dependencies, dependencyCount,
                 [&](BuiltGraphs &, Node &out) { return makeKernel(parameters, out); });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t dependencyCount,
                                   const cudaMemcpy3DParms *parameters) {
  return addNode(node, graph, dependencies, dependencyCount,
                 [&](BuiltGraphs &, Node &out) { return makeCopy(parameters, out); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t dependencyCount,
                                     void *to, const void *from, size_t bytes,
                                     cudaMemcpyKind kind) {
  return addNode(node, graph, dependencies, dependencyCount, [&](BuiltGraphs &, Node &out) {
    return makeLinearCopy(to, from, bytes, kind, out);
  });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t dependencyCount,
                                   const cudaMemsetParams *parameters) {
  return addNode(node, graph, dependencies, dependencyCount,
                 [&](BuiltGraphs &, Node &out) { return makeFill(parameters, out); });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *dependencies, size_t dependencyCount,
                                 const cudaHostNodeParams *parameters) {
  return addNode(node, graph, dependencies, dependencyCount,
                 [&](BuiltGraphs &, Node &out) { return makeHostCall(parameters, out); });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *dependencies, size_t dependencyCount) {
  return addNode(node, graph, dependencies, dependencyCount,
                 [&](BuiltGraphs &, Node &out) { return makeEmpty(out); });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *dependencies, size_t dependencyCount,
                                       cudaGraph_t child) {
  return addNode(node, graph, dependencies, dependencyCount,
                 [&](BuiltGraphs &graphs, Node &out) { return makeChild(graphs, child, out); });
}

// A node waits for the whole end of another one; other edges are not supported.
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                        size_t count) {
  if (!arePlain(edges, count))
    return entry([] { return cudaErrorNotSupported; });
  return cudaGraphAddDependencies(graph, from, to, count);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type) {
  return onDevice([&](Device &device) {
    if (!node || !type)
      return cudaErrorInvalidValue;
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    BuiltGraph *graph = graphs.findWith(node);
    if (!graph)
      return device.nodeType(node, *type);
    *type = graph->nodes()[*graph->indexOf(node)].type;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams *parameters) {
  return withBuiltNode(node, cudaGraphNodeTypeKernel, [&](const Node &found) {
    if (!parameters)
      return cudaErrorInvalidValue;
    *parameters = found.kernel->parameters;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t original) {
  return onDevice([&](Device &device) {
    BuiltGraphs &graphs = BuiltGraphs::get();
    std::lock_guard lock(graphs.mutex);
    if (!clone || !original)
      return cudaErrorInvalidValue;
    const BuiltGraph *source = graphs.find(original);
    if (!source)
      return cloneCaptured(device, original, *clone);
    if (hasMemoryNodes(*source) || hasConditionalNodes(*source))
      return cudaErrorNotSupported;
    *clone = graphs.add(source->clone());
    return cudaSuccess;
  });
}
