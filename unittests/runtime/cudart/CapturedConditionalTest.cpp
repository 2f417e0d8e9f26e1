//===- cudart/CapturedConditionalTest.cpp - Conditions in captures --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// test/e2e/programs/conditional_captures.cu tests what such graphs compute.
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Conditional.h"

using namespace regrain::test;

namespace {

/// Conditional nodes of a capture in progress.
class CapturedConditional : public Conditional {
protected:
  void SetUp() override {
    Conditional::SetUp();
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    Conditional::TearDown();
  }

  void begin() {
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    captured = current();
  }
  cudaGraph_t current() {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaGraph_t found = nullptr;
    EXPECT_EQ(cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, &found, nullptr, nullptr),
              cudaSuccess);
    return found;
  }
  void end() {
    cudaGraph_t ended = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(stream, &ended), cudaSuccess);
    EXPECT_EQ(ended, captured);
  }
  cudaGraphConditionalHandle makeCapturedHandle(unsigned value = 1) {
    cudaGraphConditionalHandle handle = 0;
    EXPECT_EQ(
        cudaGraphConditionalHandleCreate(&handle, captured, value, cudaGraphCondAssignDefault),
        cudaSuccess);
    return handle;
  }
  cudaError_t instantiateCaptured(cudaGraphExec_t &executable) {
    return cudaGraphInstantiate(&executable, captured, 0);
  }

  cudaStream_t stream = nullptr;
  cudaGraph_t captured = nullptr;
};

TEST_F(CapturedConditional, ABody_IsFilledOnce) {
  static int one = 1, two = 2;
  begin();
  ASSERT_EQ(addNode(captured, makeCapturedHandle(), cudaGraphCondTypeIf), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(body()), cudaErrorInvalidValue);
  end();
  cudaGraphNodeType type = {};
  EXPECT_EQ(cudaGraphNodeGetType(node, &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeConditional);
  cudaGraphNode_t copy = addCopy(body(), memory, &one);
  cudaGraphExec_t executable = nullptr, other = nullptr;
  ASSERT_EQ(instantiateCaptured(other), cudaSuccess);
  ASSERT_EQ(cudaGraphExecDestroy(other), cudaSuccess);
  ASSERT_EQ(instantiateCaptured(executable), cudaSuccess);
  ASSERT_EQ(cudaGraphMemcpyNodeSetParams1D(copy, memory, &two, sizeof(int), cudaMemcpyDefault),
            cudaSuccess);
  EXPECT_EQ(instantiateCaptured(other), cudaErrorNotSupported);
  cudaGraphExecUpdateResultInfo result = {};
  EXPECT_EQ(cudaGraphExecUpdate(executable, captured, &result), cudaErrorNotSupported);
  ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(value(), 1);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(captured), cudaSuccess);
}

TEST_F(CapturedConditional, SuchAGraph_IsNeitherClonedNorAChild) {
  begin();
  ASSERT_EQ(addNode(captured, makeCapturedHandle(), cudaGraphCondTypeIf), cudaSuccess);
  end();
  cudaGraph_t other = nullptr;
  cudaGraphNode_t child = nullptr;
  EXPECT_EQ(cudaGraphClone(&other, captured), cudaErrorNotSupported);
  EXPECT_EQ(cudaGraphAddChildGraphNode(&child, graph, nullptr, 0, captured), cudaErrorNotSupported);
  EXPECT_EQ(cudaGraphDestroy(captured), cudaSuccess);
}

TEST_F(CapturedConditional, WrongNodes_AreRefused) {
  begin();
  cudaGraphConditionalHandle handle = makeCapturedHandle(), stranger = makeHandle();
  EXPECT_EQ(addNode(captured, stranger, cudaGraphCondTypeIf), cudaErrorInvalidValue);
  EXPECT_EQ(addNode(captured, handle, cudaGraphCondTypeWhile, 2), cudaErrorInvalidValue);
  ASSERT_EQ(addNode(graph, stranger, cudaGraphCondTypeIf), cudaSuccess);
  EXPECT_EQ(addNode(graph, handle, cudaGraphCondTypeIf), cudaErrorInvalidValue);
  end();
  cudaGraphExec_t executable = nullptr;
  EXPECT_EQ(instantiateCaptured(executable), cudaErrorInvalidValue) << "without a node";
  EXPECT_EQ(addNode(captured, handle, cudaGraphCondTypeIf), cudaErrorNotSupported) << "complete";
  EXPECT_EQ(cudaGraphConditionalHandleCreate(&handle, captured, 0, 0), cudaErrorNotSupported);
  EXPECT_EQ(cudaGraphDestroy(captured), cudaSuccess);
}

TEST_F(CapturedConditional, AHostNodeInABody_IsRefused) {
  begin();
  ASSERT_EQ(addNode(captured, makeCapturedHandle(), cudaGraphCondTypeIf), cudaSuccess);
  end();
  cudaHostNodeParams host = {ignore, nullptr};
  cudaGraphNode_t inner = nullptr;
  ASSERT_EQ(cudaGraphAddHostNode(&inner, body(), nullptr, 0, &host), cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  EXPECT_EQ(instantiateCaptured(executable), cudaErrorNotSupported);
  ASSERT_EQ(cudaGraphDestroyNode(inner), cudaSuccess);
  EXPECT_EQ(instantiateCaptured(executable), cudaErrorNotSupported) << "filled in part";
  EXPECT_EQ(cudaGraphDestroy(captured), cudaSuccess);
}

TEST_F(CapturedConditional, EachChangeOfAFilledBody_IsRefused) {
  static int one = 1;
  for (int change = 0; change < 4; ++change) {
    begin();
    ASSERT_EQ(addNode(captured, makeCapturedHandle(), cudaGraphCondTypeIf), cudaSuccess);
    end();
    cudaGraphNode_t nodes[] = {addCopy(body(), memory, &one), addCopy(body(), memory, &one)};
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(instantiateCaptured(executable), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
    if (change == 0)
      addCopy(body(), memory, &one);
    else if (change == 1)
      ASSERT_EQ(cudaGraphAddDependencies(body(), &nodes[0], &nodes[1], 1), cudaSuccess);
    else if (change == 2)
      ASSERT_EQ(cudaGraphDestroyNode(nodes[0]), cudaSuccess);
    cudaError_t wanted = change == 3 ? cudaSuccess : cudaErrorNotSupported;
    EXPECT_EQ(instantiateCaptured(executable), wanted) << change;
    if (wanted == cudaSuccess)
      EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(captured), cudaSuccess);
  }
}

/// What is captured into a graph becomes a child there, which has no conditional nodes.
TEST_F(CapturedConditional, ACaptureToAGraph_TakesNoConditions) {
  ASSERT_EQ(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
                                          cudaStreamCaptureModeGlobal),
            cudaSuccess);
  captured = current();
  cudaGraphConditionalHandle handle = 0;
  EXPECT_EQ(cudaGraphConditionalHandleCreate(&handle, captured, 0, 0), cudaErrorNotSupported);
  EXPECT_EQ(addNode(captured, makeHandle(), cudaGraphCondTypeIf), cudaErrorNotSupported);
  EXPECT_EQ(cudaStreamEndCapture(stream, nullptr), cudaSuccess);
}

/// A later capture may get the same handle of a graph.
TEST_F(CapturedConditional, AFailedCapture_LeavesNoConditions) {
  for (int i = 0; i < 3; ++i) {
    begin();
    makeCapturedHandle();
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
    cudaGraph_t ended = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream, &ended), cudaErrorStreamCaptureInvalidated);
    begin();
    end();
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(instantiateCaptured(executable), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(captured), cudaSuccess);
  }
}

TEST_F(CapturedConditional, ALaunch_IsRefusedDuringACapture) {
  ASSERT_EQ(addNode(graph, makeHandle(), cudaGraphCondTypeIf), cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(instantiate(executable), cudaSuccess);
  begin();
  EXPECT_EQ(cudaGraphLaunch(executable, stream), cudaErrorStreamCaptureUnsupported);
  cudaGraph_t ended = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &ended), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
}

/// The end of the last launch before the reset is gone.
TEST_F(CapturedConditional, AReset_AllowsNewLaunches) {
  for (int i = 0; i < 2; ++i) {
    cudaGraph_t made = nullptr;
    ASSERT_EQ(cudaGraphCreate(&made, 0), cudaSuccess);
    cudaGraphConditionalHandle handle = 0;
    ASSERT_EQ(cudaGraphConditionalHandleCreate(&handle, made, 0, 0), cudaSuccess);
    ASSERT_EQ(addNode(made, handle, cudaGraphCondTypeIf), cudaSuccess);
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&executable, made, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(made), cudaSuccess);
    ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  }
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&memory), sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
}

} // namespace
