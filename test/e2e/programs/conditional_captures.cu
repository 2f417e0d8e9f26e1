//===- conditional_captures.cu - Captures that decide what runs -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditional nodes that are added to a capture in progress. Bodies get nodes during the capture or
// after it.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -o %t.x %s
// RUN: timeout 60 %t.x | FileCheck %s
// CHECK: conditional_captures: ok
#include "conditional_graph.h"

/// A capture to which nodes are added.
class Capture {
public:
  Capture() {
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    update();
  }
  /// Gives the graph.
  cudaGraph_t end() {
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaStreamDestroy(stream));
    return graph;
  }
  /// Adds a conditional node after what the stream has captured; the stream continues after it.
  Bodies add(cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type, unsigned size) {
    update();
    Bodies bodies = addCondition(graph, nodes, count, handle, type, size);
    CHECK(cudaStreamUpdateCaptureDependencies(stream, &bodies.node, nullptr, 1,
                                              cudaStreamSetCaptureDependencies));
    return bodies;
  }

  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;

private:
  void update() {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &nodes, nullptr, &count));
  }

  const cudaGraphNode_t *nodes = nullptr;
  size_t count = 0;
};

/// Captures a kernel into a body.
static void captureStep(cudaGraph_t body, unsigned *number, unsigned *steps,
                        cudaGraphConditionalHandle handle) {
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                      cudaStreamCaptureModeGlobal));
  step<<<1, 1, 0, stream>>>(number, steps, handle);
  CHECK(cudaStreamEndCapture(stream, nullptr));
  CHECK(cudaStreamDestroy(stream));
}

/// The body is captured after the capture that has the loop.
static void testWhile(unsigned flags) {
  DeviceArray<unsigned> value(1), number(1), steps(1), after(1);
  Capture capture;
  cudaGraphConditionalHandle handle = makeHandle(capture.graph, 1, flags);
  if (!flags)
    set<<<1, 1, 0, capture.stream>>>(handle, value);
  Bodies bodies = capture.add(handle, cudaGraphCondTypeWhile, 1);
  add<<<1, 1, 0, capture.stream>>>(after, 1);
  cudaGraph_t graph = capture.end();
  captureStep(bodies.graphs[0], number, steps, handle);
  Executable executable(graph);
  unsigned wanted = 0, launches = 0;
  for (unsigned start : {7u, 27u, 97u}) {
    unsigned runs = launches % 2 ? 0 : 1;
    CHECK(cudaMemcpy(number, &start, sizeof start, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(value, &runs, sizeof runs, cudaMemcpyHostToDevice));
    launch(executable.handle);
    wanted += flags || runs ? collatz(start) : 0;
    expectEqual("steps", start, steps.host()[0], wanted);
    expectEqual("after the loop", start, after.host()[0], ++launches);
  }
  CHECK(cudaGraphDestroy(graph));
}

/// The bodies get their nodes during the capture.
static void testIfAndSwitch(cudaGraphConditionalNodeType type, unsigned size) {
  DeviceArray<unsigned> value(1), data(1);
  Capture capture;
  cudaGraphConditionalHandle handle = makeHandle(capture.graph);
  set<<<1, 1, 0, capture.stream>>>(handle, value);
  Bodies bodies = capture.add(handle, type, size);
  unsigned amounts[] = {1, 10, 100};
  for (unsigned i = 0; i < size; ++i)
    addKernel<unsigned *, unsigned>(bodies.graphs[i], {}, 1, add, data, amounts[i]);
  add<<<1, 1, 0, capture.stream>>>(data, 1000);
  cudaGraph_t graph = capture.end();
  Executable executable(graph);
  CHECK(cudaGraphDestroy(graph));
  unsigned wanted = 0;
  for (unsigned condition : {0u, 1u, 2u, 3u}) {
    CHECK(cudaMemcpy(value, &condition, sizeof condition, cudaMemcpyHostToDevice));
    launch(executable.handle);
    unsigned body = type == cudaGraphCondTypeIf ? condition == 0 : condition;
    wanted += 1000 + (body < size ? amounts[body] : 0);
    expectEqual("if or switch", condition, data.host()[0], wanted);
  }
}

/// Starts an inner loop of as many runs as the outer one has left.
__global__ void startInner(unsigned *left, unsigned *inner, cudaGraphConditionalHandle innerLoop) {
  *inner = *left;
  cudaGraphSetConditional(innerLoop, *inner != 0);
}
__global__ void countInner(unsigned *inner, unsigned *total, cudaGraphConditionalHandle innerLoop) {
  ++*total;
  cudaGraphSetConditional(innerLoop, --*inner != 0);
}
__global__ void countOuter(unsigned *left, cudaGraphConditionalHandle loop) {
  cudaGraphSetConditional(loop, --*left != 0);
}

/// A loop in the body of a captured loop.
static void testNested() {
  DeviceArray<unsigned> left(1), inner(1), total(1);
  Capture capture;
  cudaGraphConditionalHandle loop = makeHandle(capture.graph, 1, cudaGraphCondAssignDefault);
  Bodies loopBody = capture.add(loop, cudaGraphCondTypeWhile, 1);
  cudaGraph_t graph = capture.end();
  cudaGraph_t body = loopBody.graphs[0];
  cudaGraphConditionalHandle innerLoop = makeHandle(body);
  cudaGraphNode_t first = addKernel<unsigned *, unsigned *, cudaGraphConditionalHandle>(
      body, {}, 1, startInner, left, inner, innerLoop);
  Bodies innerBody = addCondition(body, {first}, innerLoop, cudaGraphCondTypeWhile, 1);
  addKernel<unsigned *, unsigned *, cudaGraphConditionalHandle>(
      innerBody.graphs[0], {}, 1, countInner, inner, total, innerLoop);
  addKernel<unsigned *, cudaGraphConditionalHandle>(body, {innerBody.node}, 1, countOuter, left,
                                                    loop);
  Executable executable(graph);
  for (unsigned launches = 1; launches <= 2; ++launches) {
    unsigned count = 4;
    CHECK(cudaMemcpy(left, &count, sizeof count, cudaMemcpyHostToDevice));
    launch(executable.handle);
    expectEqual("nested", launches, total.host()[0], launches * (4 + 3 + 2 + 1));
  }
  CHECK(cudaGraphDestroy(graph));
}

int main() {
  testWhile(0);
  testWhile(cudaGraphCondAssignDefault);
  testIfAndSwitch(cudaGraphCondTypeIf, 1);
  testIfAndSwitch(cudaGraphCondTypeIf, 2);
  testIfAndSwitch(cudaGraphCondTypeSwitch, 3);
  testNested();
  return verdict("conditional_captures");
}
