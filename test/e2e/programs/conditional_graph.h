//===- conditional_graph.h - Graphs with conditional nodes ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "expect.h"

#include <initializer_list>

__global__ void set(cudaGraphConditionalHandle handle, const unsigned *value) {
  cudaGraphSetConditional(handle, *value);
}

__global__ void add(unsigned *data, unsigned value) { data[threadIdx.x] += value; }

/// One step of the Collatz sequence; stops the loop at 1.
__global__ void step(unsigned *number, unsigned *steps, cudaGraphConditionalHandle handle) {
  *number = *number % 2 ? 3 * *number + 1 : *number / 2;
  cudaGraphSetConditional(handle, *number != 1);
  ++*steps;
}

inline cudaGraphConditionalHandle makeHandle(cudaGraph_t graph, unsigned value = 0,
                                             unsigned flags = 0) {
  cudaGraphConditionalHandle handle = 0;
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, value, flags));
  return handle;
}

template <class... Arguments>
cudaGraphNode_t addKernel(cudaGraph_t graph, std::initializer_list<cudaGraphNode_t> after,
                          unsigned threads, void (*kernel)(Arguments...), Arguments... arguments) {
  void *pointers[] = {&arguments...};
  cudaKernelNodeParams launch = {};
  launch.func = reinterpret_cast<void *>(kernel);
  launch.gridDim = 1;
  launch.blockDim = threads;
  launch.kernelParams = pointers;
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddKernelNode(&node, graph, after.begin(), after.size(), &launch));
  return node;
}

struct Bodies {
  cudaGraphNode_t node = nullptr;
  cudaGraph_t graphs[5] = {};
};

inline Bodies addCondition(cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                           cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                           unsigned size) {
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = handle;
  parameters.conditional.type = type;
  parameters.conditional.size = size;
  Bodies bodies;
  CHECK(cudaGraphAddNode(&bodies.node, graph, after, nullptr, count, &parameters));
  for (unsigned i = 0; i < size; ++i)
    bodies.graphs[i] = parameters.conditional.phGraph_out[i];
  return bodies;
}

inline Bodies addCondition(cudaGraph_t graph, std::initializer_list<cudaGraphNode_t> after,
                           cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                           unsigned size) {
  return addCondition(graph, after.begin(), after.size(), handle, type, size);
}

inline void launch(cudaGraphExec_t executable) {
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
}

struct Executable {
  explicit Executable(cudaGraph_t graph) { CHECK(cudaGraphInstantiate(&handle, graph, 0)); }
  ~Executable() { cudaGraphExecDestroy(handle); }
  cudaGraphExec_t handle = nullptr;
};

inline unsigned collatz(unsigned number) {
  unsigned steps = 0;
  for (; number != 1; ++steps)
    number = number % 2 ? 3 * number + 1 : number / 2;
  return steps;
}
