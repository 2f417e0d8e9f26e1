//===- graph_print.cpp - Graphs as text -----------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This writes a graph that the program built in the language of Graphviz.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch.h"
#include "runtime/cudart/entry.h"
#include "runtime/cudart/graph_node.h"

#include <fstream>
#include <string>

using namespace regrain;

namespace {

using Node = BuiltGraph::Node;

const char *nameOf(cudaGraphNodeType type) {
  switch (type) {
  case cudaGraphNodeTypeKernel:
    return "KERNEL";
  case cudaGraphNodeTypeMemcpy:
    return "MEMCPY";
  case cudaGraphNodeTypeMemset:
    return "MEMSET";
  case cudaGraphNodeTypeHost:
    return "HOST";
  case cudaGraphNodeTypeGraph:
    return "GRAPH";
  case cudaGraphNodeTypeWaitEvent:
    return "EVENT_WAIT";
  case cudaGraphNodeTypeEventRecord:
    return "EVENT_RECORD";
  case cudaGraphNodeTypeMemAlloc:
    return "MEM_ALLOC";
  case cudaGraphNodeTypeMemFree:
    return "MEM_FREE";
  case cudaGraphNodeTypeConditional:
    return "CONDITIONAL";
  default:
    return "EMPTY";
  }
}

std::string labelOf(const Node &node, size_t index) {
  std::string label = std::to_string(index) + "\\n" + nameOf(node.type);
  LaunchPlan *plan = nullptr;
  if (!node.kernel || findPlan(node.kernel->parameters.func, plan) != cudaSuccess)
    return label;
  auto size = [](const dim3 &extent) {
    return std::to_string(extent.x) + "," + std::to_string(extent.y) + "," +
           std::to_string(extent.z);
  };
  const cudaKernelNodeParams &launch = node.kernel->parameters;
  return label + "\\n" + plan->entry().symbol()->str() + "\\n<<<" + size(launch.gridDim) + "; " +
         size(launch.blockDim) + "; " + std::to_string(launch.sharedMemBytes) + ">>>";
}

/// Writes a graph as a cluster of the drawing, and the graphs that are its nodes as further ones.
void print(std::ostream &out, const BuiltGraph &graph, const std::string &name) {
  out << "subgraph cluster_" << name << " {\nlabel=\"graph_" << name << "\"\n";
  const std::vector<Node> &nodes = graph.nodes();
  auto nodeName = [&](size_t index) {
    return "\"graph_" + name + "_node_" + std::to_string(index) + "\"";
  };
  for (size_t i = 0; i < nodes.size(); ++i)
    out << nodeName(i) << "[shape=box label=\"" << labelOf(nodes[i], i) << "\"];\n";
  for (size_t i = 0; i < nodes.size(); ++i)
    for (size_t before : nodes[i].after)
      out << nodeName(before) << " -> " << nodeName(i) << ";\n";
  out << "}\n";
  for (size_t i = 0; i < nodes.size(); ++i)
    for (size_t j = 0; const BuiltGraph *inner : nodes[i].inner())
      print(out, *inner, name + "_" + std::to_string(i) + (j++ ? "_" + std::to_string(j) : ""));
}

} // namespace

// The flags ask for more details, of which none are left out.
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags) {
  return withGraph(graph, [&](BuiltGraphs &, BuiltGraph &found) {
    if (!path)
      return cudaErrorInvalidValue;
    std::ofstream file(path);
    file << "digraph dot {\n";
    print(file, found, "1");
    file << "}\n";
    return file.flush() ? cudaSuccess : cudaErrorOperatingSystem;
  });
}
