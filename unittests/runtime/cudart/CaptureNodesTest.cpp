//===- cudart/CaptureNodesTest.cpp - Nodes that a capture is given --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// test/e2e/programs/capture_dependencies.cu tests what such graphs compute.
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Program.h"

#include <gtest/gtest.h>

using namespace regrain::test;

namespace {

void addOne(void *counter) { ++*static_cast<int *>(counter); }

class CaptureNodes : public testing::Test {
protected:
  void SetUp() override {
    useProgram();
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    static_cast<void>(cudaGetLastError());
  }

  void begin() {
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  }
  void call(int &counter) { ASSERT_EQ(cudaLaunchHostFunc(stream, addOne, &counter), cudaSuccess); }
  cudaGraph_t end() {
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    return graph;
  }
  /// Returns the graph that is captured, and the node on which the stream depends.
  cudaGraph_t captured(cudaGraphNode_t &node) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaGraph_t graph = nullptr;
    const cudaGraphNode_t *nodes = nullptr;
    size_t count = 0;
    EXPECT_EQ(cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, &graph, &nodes, &count),
              cudaSuccess);
    node = count == 1 ? *nodes : nullptr;
    return graph;
  }
  size_t nodesOf(cudaGraph_t graph) {
    size_t count = 0;
    EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
    return count;
  }
  void run(cudaGraph_t graph) {
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  }

  cudaStream_t stream = nullptr;
};

TEST_F(CaptureNodes, WrongDependencies_AreRefused) {
  int counter = 0;
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaStreamUpdateCaptureDependencies(stream, nullptr, 0, 0), cudaErrorIllegalState);
  begin();
  call(counter);
  captured(node);
  ASSERT_NE(node, nullptr);
  EXPECT_EQ(cudaStreamUpdateCaptureDependencies(stream, &node, 1, 2), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamUpdateCaptureDependencies(stream, nullptr, 1, 0), cudaErrorInvalidValue);
  auto absent = reinterpret_cast<cudaGraphNode_t>(&counter);
  EXPECT_EQ(cudaStreamUpdateCaptureDependencies(stream, &absent, 1, 0), cudaErrorInvalidValue);
  cudaGraphEdgeData edge = {};
  edge.type = cudaGraphDependencyTypeProgrammatic;
  EXPECT_EQ(cudaStreamUpdateCaptureDependencies_v2(stream, &node, &edge, 1, 0),
            cudaErrorNotSupported);
  EXPECT_EQ(cudaStreamUpdateCaptureDependencies(stream, &node, 1, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(end()), cudaSuccess);
}

/// Without an update, a stream that is not joined is an error.
TEST_F(CaptureNodes, ReplacedNodes_NeedNotBeJoined) {
  int counter = 0;
  cudaStream_t other = nullptr;
  cudaEvent_t fork = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&fork), cudaSuccess);
  for (bool isReplaced : {true, false}) {
    begin();
    ASSERT_EQ(cudaEventRecord(fork, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(other, fork, 0), cudaSuccess);
    ASSERT_EQ(cudaLaunchHostFunc(other, addOne, &counter), cudaSuccess);
    if (isReplaced)
      ASSERT_EQ(
          cudaStreamUpdateCaptureDependencies(other, nullptr, 0, cudaStreamSetCaptureDependencies),
          cudaSuccess);
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph),
              isReplaced ? cudaSuccess : cudaErrorStreamCaptureUnjoined);
    if (graph) {
      run(graph);
      EXPECT_EQ(counter, 1);
      EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    }
  }
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(fork), cudaSuccess);
}

TEST_F(CaptureNodes, TheProgramAddsNodes_WhileTheCaptureLasts) {
  int counter = 0;
  cudaGraphNode_t first = nullptr, added = nullptr;
  cudaHostNodeParams host = {addOne, &counter};
  begin();
  call(counter);
  cudaGraph_t graph = captured(first);
  ASSERT_EQ(cudaGraphAddHostNode(&added, graph, &first, 1, &host), cudaSuccess);
  EXPECT_NE(added, first);
  ASSERT_EQ(cudaGraphAddHostNode(&added, graph, nullptr, 0, &host), cudaSuccess);
  EXPECT_EQ(cudaGraphAddEmptyNode(&added, graph, nullptr, 0), cudaErrorNotSupported);
  auto absent = reinterpret_cast<cudaGraphNode_t>(&counter);
  EXPECT_EQ(cudaGraphAddHostNode(&added, graph, &absent, 1, &host), cudaErrorInvalidValue);
  graph = end();
  EXPECT_EQ(nodesOf(graph), 3u);
  EXPECT_EQ(cudaGraphAddHostNode(&added, graph, nullptr, 0, &host), cudaErrorNotSupported);
  run(graph);
  EXPECT_EQ(counter, 3);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(CaptureNodes, ACaptureToAGraph_IsOneNodeOfIt) {
  int counter = 0;
  cudaGraph_t graph = nullptr, ended = nullptr;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  auto absent = reinterpret_cast<cudaGraphNode_t>(&counter);
  EXPECT_EQ(cudaStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0,
                                          cudaStreamCaptureModeGlobal),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamBeginCaptureToGraph(stream, graph, &absent, nullptr, 1,
                                          cudaStreamCaptureModeGlobal),
            cudaErrorInvalidValue);
  for (int calls : {0, 2}) {
    ASSERT_EQ(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
                                            cudaStreamCaptureModeGlobal),
              cudaSuccess);
    for (int i = 0; i < calls; ++i)
      call(counter);
    ASSERT_EQ(cudaStreamEndCapture(stream, calls ? nullptr : &ended), cudaSuccess);
    EXPECT_EQ(ended, graph);
    EXPECT_EQ(nodesOf(graph), size_t(calls > 0));
  }
  run(graph);
  EXPECT_EQ(counter, 2);
  void *memory = nullptr;
  ASSERT_EQ(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
                                          cudaStreamCaptureModeRelaxed),
            cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&memory, 64, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream, &ended), cudaErrorNotSupported) << "memory of a graph";
  EXPECT_EQ(ended, nullptr);
  EXPECT_EQ(nodesOf(graph), 1u);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(CaptureNodes, ACapturedGraph_IsClonedAndIsAChild) {
  int counter = 0;
  begin();
  call(counter);
  cudaGraphNode_t node = nullptr;
  cudaGraph_t clone = nullptr, parent = nullptr, inner = nullptr;
  EXPECT_EQ(cudaGraphClone(&clone, captured(node)), cudaErrorNotSupported) << "in progress";
  cudaGraph_t graph = end();
  ASSERT_EQ(cudaGraphClone(&clone, graph), cudaSuccess);
  ASSERT_EQ(cudaGraphCreate(&parent, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  ASSERT_EQ(cudaGraphChildGraphNodeGetGraph(node, &inner), cudaSuccess);
  EXPECT_EQ(nodesOf(inner), 1u);
  run(clone);
  run(parent);
  EXPECT_EQ(counter, 2);
  EXPECT_EQ(cudaGraphDestroy(clone), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(parent), cudaSuccess);
}

/// A change of edges, also one that fails, keeps the handle of a child.
TEST_F(CaptureNodes, AChildGraph_StaysTheSameWhenEdgesChange) {
  cudaGraph_t child = nullptr, parent = nullptr, before = nullptr, after = nullptr;
  cudaGraphNode_t node = nullptr, other = nullptr;
  ASSERT_EQ(cudaGraphCreate(&child, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphCreate(&parent, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, child), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&other, parent, nullptr, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphChildGraphNodeGetGraph(node, &before), cudaSuccess);
  cudaGraphNode_t from[] = {node, node}, to[] = {other, other};
  EXPECT_EQ(cudaGraphAddDependencies(parent, from, to, 2), cudaErrorInvalidValue);
  size_t edges = 0;
  ASSERT_EQ(cudaGraphGetEdges(parent, nullptr, nullptr, &edges), cudaSuccess);
  EXPECT_EQ(edges, 0u);
  ASSERT_EQ(cudaGraphAddDependencies(parent, from, to, 1), cudaSuccess);
  ASSERT_EQ(cudaGraphChildGraphNodeGetGraph(node, &after), cudaSuccess);
  EXPECT_EQ(before, after);
  EXPECT_EQ(cudaGraphDestroy(parent), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(child), cudaSuccess);
}

} // namespace
