//===- conditional_nodes.cu - Graphs that decide what runs ------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IF with and without else, WHILE, SWITCH, one inside of another, bodies that are captured, and
// other nodes in bodies. The host computes the same.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -o %t.x %s
// RUN: timeout 60 %t.x | FileCheck %s
// CHECK: conditional_nodes: ok
#include "conditional_graph.h"

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

/// Counts `*left` down.
__global__ void countDown(unsigned *left, cudaGraphConditionalHandle loop) {
  cudaGraphSetConditional(loop, --*left != 0);
}
__global__ void runOnce(unsigned *runs, cudaGraphConditionalHandle self) {
  ++*runs;
  cudaGraphSetConditional(self, 0);
}

/// The value at the start holds for the whole launch, and not for each run of the loop.
static void testStartInALoop() {
  DeviceArray<unsigned> left(1), runs(1);
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle loop = makeHandle(graph, 1, cudaGraphCondAssignDefault);
  cudaGraphConditionalHandle once = makeHandle(graph, 2, cudaGraphCondAssignDefault);
  Bodies loopBody = addCondition(graph, {}, loop, cudaGraphCondTypeWhile, 1);
  Bodies onceBody = addCondition(loopBody.graphs[0], {}, once, cudaGraphCondTypeIf, 1);
  addKernel<unsigned *, cudaGraphConditionalHandle>(onceBody.graphs[0], {}, 1, runOnce, runs, once);
  addKernel<unsigned *, cudaGraphConditionalHandle>(loopBody.graphs[0], {onceBody.node}, 1,
                                                    countDown, left, loop);
  Executable executable(graph);
  for (unsigned launches = 1; launches <= 3; ++launches) {
    unsigned count = 4;
    CHECK(cudaMemcpy(left, &count, sizeof count, cudaMemcpyHostToDevice));
    launch(executable.handle);
    expectEqual("start in a loop", launches, runs.host()[0], launches);
    expectEqual("loop", launches, left.host()[0], 0);
  }
  CHECK(cudaGraphDestroy(graph));
}

/// A body without nodes, and one that copies, fills and has a child.
static void testOtherNodes() {
  DeviceArray<unsigned> value(1), from(std::vector<unsigned>{5}), to(2);
  cudaGraph_t graph = nullptr, child = nullptr;
  cudaGraphNode_t node = nullptr, childNode = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphCreate(&child, 0));
  addKernel<unsigned *, unsigned>(child, {}, 2, add, to, 7);
  cudaGraphConditionalHandle handle = makeHandle(graph);
  cudaGraphNode_t first = addKernel<cudaGraphConditionalHandle, const unsigned *>(
      graph, {}, 1, set, handle, static_cast<unsigned *>(value));
  Bodies bodies = addCondition(graph, {first}, handle, cudaGraphCondTypeSwitch, 2);
  cudaMemsetParams fill = {};
  fill.dst = to;
  fill.elementSize = 4;
  fill.value = 3;
  fill.width = 2;
  fill.height = 1;
  CHECK(cudaGraphAddMemsetNode(&node, bodies.graphs[1], nullptr, 0, &fill));
  CHECK(cudaGraphAddChildGraphNode(&childNode, bodies.graphs[1], &node, 1, child));
  CHECK(cudaGraphAddMemcpyNode1D(&node, bodies.graphs[1], &childNode, 1, to, from, sizeof(unsigned),
                                 cudaMemcpyDeviceToDevice));
  Executable executable(graph);
  launch(executable.handle);
  expectEqual("empty body", 0, to.host()[1], 0);
  unsigned one = 1;
  CHECK(cudaMemcpy(value, &one, sizeof one, cudaMemcpyHostToDevice));
  launch(executable.handle);
  expectEqual("copy in a body", 0, to.host()[0], 5);
  expectEqual("fill and child in a body", 1, to.host()[1], 10);
  CHECK(cudaGraphDestroy(child));
  CHECK(cudaGraphDestroy(graph));
}

int main() {
  testIfAndSwitch(cudaGraphCondTypeIf, 1);
  testIfAndSwitch(cudaGraphCondTypeIf, 2);
  testIfAndSwitch(cudaGraphCondTypeSwitch, 3);
  testWhile(/*isCaptured=*/false);
  testWhile(/*isCaptured=*/true);
  testNested();
  testStartInALoop();
  testOtherNodes();
  return verdict("conditional_nodes");
}
