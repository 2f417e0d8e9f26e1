//===- conditional_executables.cu - Executables with conditions -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several executables of one graph with conditional nodes, launched to several streams, and their
// updates. CUDA allows one executable at a time.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -o %t.x %s
// RUN: timeout 60 %t.x | FileCheck %s
// CHECK: conditional_executables: ok
#include "conditional_graph.h"

/// Counts down from `*number`, and adds up the numbers.
__global__ void addDown(unsigned *number, unsigned *sum, unsigned start,
                        cudaGraphConditionalHandle loop) {
  if (*number == 0)
    *number = start;
  *sum += *number;
  cudaGraphSetConditional(loop, --*number != 0);
}

struct Loop {
  explicit Loop(unsigned start) : number(1), sum(1) {
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphConditionalHandle handle = makeHandle(graph, 1, cudaGraphCondAssignDefault);
    Bodies bodies = addCondition(graph, {}, handle, cudaGraphCondTypeWhile, 1);
    body = bodies.graphs[0];
    node = addKernel<unsigned *, unsigned *, unsigned, cudaGraphConditionalHandle>(
        body, {}, 1, addDown, number, sum, start, handle);
  }
  ~Loop() { cudaGraphDestroy(graph); }

  DeviceArray<unsigned> number, sum;
  cudaGraph_t graph = nullptr, body = nullptr;
  cudaGraphNode_t node = nullptr;
};

/// Both executables use the same memory, and the same value.
static void testTwoExecutables() {
  constexpr unsigned start = 50, launches = 20;
  Loop loop(start);
  Executable first(loop.graph), second(loop.graph);
  cudaStream_t streams[2];
  for (cudaStream_t &stream : streams)
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (unsigned i = 0; i < launches; ++i) {
    CHECK(cudaGraphLaunch(first.handle, streams[0]));
    CHECK(cudaGraphLaunch(second.handle, streams[1]));
  }
  CHECK(cudaDeviceSynchronize());
  expectEqual("two executables", 0, loop.sum.host()[0], 2 * launches * (start * (start + 1) / 2));
  for (cudaStream_t stream : streams)
    CHECK(cudaStreamDestroy(stream));
}

/// An update from another graph takes that graph's memory and value.
static void testUpdate() {
  Loop loop(3);
  cudaGraphExecUpdateResultInfo result = {};
  Executable executable(loop.graph);
  launch(executable.handle);
  expectEqual("before the update", 0, loop.sum.host()[0], 6);
  add<<<1, 1>>>(loop.sum, 100);
  CHECK(cudaGraphExecUpdate(executable.handle, loop.graph, &result));
  launch(executable.handle);
  expectEqual("after the update", 0, loop.sum.host()[0], 112);
}

int main() {
  testTwoExecutables();
  testUpdate();
  return verdict("conditional_executables");
}
