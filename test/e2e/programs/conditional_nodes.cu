//===- conditional_nodes.cu - Graphs that decide what runs ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IF with and without else, WHILE, SWITCH, one inside of another, and bodies that are captured. The
// host computes the same.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -o %t.x %s
// RUN: timeout 60 %t.x | FileCheck %s
// CHECK: conditional_nodes: ok
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

static cudaGraphConditionalHandle makeHandle(cudaGraph_t graph, unsigned value = 0,
                                             unsigned flags = 0) {
  cudaGraphConditionalHandle handle = 0;
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, value, flags));
  return handle;
}

template <class... Arguments>
static cudaGraphNode_t addKernel(cudaGraph_t graph, std::initializer_list<cudaGraphNode_t> after,
                                 unsigned threads, void (*kernel)(Arguments...),
                                 Arguments... arguments) {
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

static Bodies addCondition(cudaGraph_t graph, std::initializer_list<cudaGraphNode_t> after,
                           cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                           unsigned size) {
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = handle;
  parameters.conditional.type = type;
  parameters.conditional.size = size;
  Bodies bodies;
  CHECK(cudaGraphAddNode(&bodies.node, graph, after.begin(), after.size(), &parameters));
  for (unsigned i = 0; i < size; ++i)
    bodies.graphs[i] = parameters.conditional.phGraph_out[i];
  return bodies;
}

static void launch(cudaGraphExec_t executable) {
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
}

struct Executable {
  explicit Executable(cudaGraph_t graph) { CHECK(cudaGraphInstantiate(&handle, graph, 0)); }
  ~Executable() { cudaGraphExecDestroy(handle); }
  cudaGraphExec_t handle = nullptr;
};

/// Adds 1, 10 or 100 to the data, and then 1000.
static void testIfAndSwitch(cudaGraphConditionalNodeType type, unsigned size) {
  constexpr unsigned threads = 32;
  DeviceArray<unsigned> value(1), data(threads);
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle = makeHandle(graph);
  cudaGraphNode_t first = addKernel<cudaGraphConditionalHandle, const unsigned *>(
      graph, {}, 1, set, handle, static_cast<unsigned *>(value));
  Bodies bodies = addCondition(graph, {first}, handle, type, size);
  unsigned amounts[] = {1, 10, 100};
  for (unsigned i = 0; i < size; ++i)
    addKernel<unsigned *, unsigned>(bodies.graphs[i], {}, threads, add, data, amounts[i]);
  addKernel<unsigned *, unsigned>(graph, {bodies.node}, threads, add, data, 1000);
  Executable executable(graph);
  CHECK(cudaGraphDestroy(graph));
  unsigned wanted = 0;
  for (unsigned condition : {0u, 1u, 2u, 3u, 0u, 1u}) {
    CHECK(cudaMemcpy(value, &condition, sizeof condition, cudaMemcpyHostToDevice));
    launch(executable.handle);
    unsigned body = type == cudaGraphCondTypeIf ? condition == 0 : condition;
    wanted += 1000 + (body < size ? amounts[body] : 0);
    std::vector<unsigned> got = data.host();
    for (unsigned i = 0; i < threads; ++i)
      expectEqual("if or switch", i, got[i], wanted);
  }
}

static unsigned collatz(unsigned number) {
  unsigned steps = 0;
  for (; number != 1; ++steps)
    number = number % 2 ? 3 * number + 1 : number / 2;
  return steps;
}

/// The loop runs at each launch, because the condition is set when the graph starts.
static void testWhile(bool isCaptured) {
  DeviceArray<unsigned> number(1), steps(1);
  cudaGraph_t graph = nullptr, captured = nullptr;
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle = makeHandle(graph, 1, cudaGraphCondAssignDefault);
  Bodies bodies = addCondition(graph, {}, handle, cudaGraphCondTypeWhile, 1);
  if (isCaptured) {
    CHECK(cudaStreamBeginCaptureToGraph(stream, bodies.graphs[0], nullptr, nullptr, 0,
                                        cudaStreamCaptureModeGlobal));
    step<<<1, 1, 0, stream>>>(number, steps, handle);
    CHECK(cudaStreamEndCapture(stream, &captured));
    expect(captured == bodies.graphs[0], "captured graph", 0, 0, 1);
  } else {
    addKernel<unsigned *, unsigned *, cudaGraphConditionalHandle>(bodies.graphs[0], {}, 1, step,
                                                                  number, steps, handle);
  }
  Executable executable(graph);
  unsigned wanted = 0;
  for (unsigned start : {7u, 27u, 97u}) {
    CHECK(cudaMemcpy(number, &start, sizeof start, cudaMemcpyHostToDevice));
    launch(executable.handle);
    wanted += collatz(start);
    expectEqual("while", start, steps.host()[0], wanted);
  }
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}

/// Counts `*outer` down, and lets an inner loop count to 3 each time.
__global__ void countOuter(unsigned *outer, cudaGraphConditionalHandle loop,
                           cudaGraphConditionalHandle inner, unsigned *count) {
  cudaGraphSetConditional(loop, --*outer != 0);
  cudaGraphSetConditional(inner, 1);
  *count = 0;
}
__global__ void countInner(unsigned *count, unsigned *total, cudaGraphConditionalHandle inner) {
  ++*total;
  cudaGraphSetConditional(inner, ++*count < 3);
}

static void testNested() {
  DeviceArray<unsigned> outer(std::vector<unsigned>{5}), count(1), total(1);
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle loop = makeHandle(graph, 1, cudaGraphCondAssignDefault);
  cudaGraphConditionalHandle inner = makeHandle(graph);
  Bodies loopBody = addCondition(graph, {}, loop, cudaGraphCondTypeWhile, 1);
  cudaGraphNode_t first =
      addKernel<unsigned *, cudaGraphConditionalHandle, cudaGraphConditionalHandle, unsigned *>(
          loopBody.graphs[0], {}, 1, countOuter, outer, loop, inner, count);
  Bodies innerBody = addCondition(loopBody.graphs[0], {first}, inner, cudaGraphCondTypeWhile, 1);
  addKernel<unsigned *, unsigned *, cudaGraphConditionalHandle>(innerBody.graphs[0], {}, 1,
                                                                countInner, count, total, inner);
  Executable executable(graph);
  launch(executable.handle);
  expectEqual("nested", 0, total.host()[0], 15);
  CHECK(cudaGraphDestroy(graph));
}

int main() {
  testIfAndSwitch(cudaGraphCondTypeIf, 1);
  testIfAndSwitch(cudaGraphCondTypeIf, 2);
  testIfAndSwitch(cudaGraphCondTypeSwitch, 3);
  testWhile(/*isCaptured=*/false);
  testWhile(/*isCaptured=*/true);
  testNested();
  return verdict("conditional_nodes");
}
