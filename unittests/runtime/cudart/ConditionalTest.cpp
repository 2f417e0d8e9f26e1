//===- cudart/ConditionalTest.cpp - Conditional nodes on the CPU ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy sets the condition here, at the address that is its handle.
// test/e2e/programs/conditional_nodes.cu tests what kernels set.
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Program.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

using namespace regrain::test;

namespace {

void ignore(void *) {}

/// Counts the calls, and holds each until it may go on.
struct Hold {
  std::atomic<int> reached = 0;
  std::atomic<bool> mayGo = false;
  static void at(void *self) {
    auto *hold = static_cast<Hold *>(self);
    ++hold->reached;
    while (!hold->mayGo)
      std::this_thread::yield();
  }
};

class Conditional : public testing::Test {
protected:
  void SetUp() override {
    useProgram();
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&memory), sizeof(int)), cudaSuccess);
    ASSERT_EQ(cudaMemset(memory, 0, sizeof(int)), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
    static_cast<void>(cudaGetLastError());
  }

  cudaGraphConditionalHandle makeHandle(unsigned value = 0, unsigned flags = 0) {
    cudaGraphConditionalHandle handle = 0;
    EXPECT_EQ(cudaGraphConditionalHandleCreate(&handle, graph, value, flags), cudaSuccess);
    return handle;
  }
  cudaError_t addNode(cudaGraph_t to, cudaGraphConditionalHandle handle,
                      cudaGraphConditionalNodeType type, unsigned size = 1) {
    parameters = {};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = type;
    parameters.conditional.size = size;
    return cudaGraphAddNode(&node, to, nullptr, 0, &parameters);
  }
  cudaGraph_t body() { return parameters.conditional.phGraph_out[0]; }
  /// Adds a copy between any two places.
  cudaGraphNode_t addCopy(cudaGraph_t to, void *target, const void *source) {
    cudaGraphNode_t copy = nullptr;
    EXPECT_EQ(cudaGraphAddMemcpyNode1D(&copy, to, nullptr, 0, target, source, sizeof(int),
                                       cudaMemcpyDefault),
              cudaSuccess);
    return copy;
  }
  cudaError_t instantiate(cudaGraphExec_t &executable) {
    return cudaGraphInstantiate(&executable, graph, 0);
  }
  int value() {
    int result = 0;
    EXPECT_EQ(cudaMemcpy(&result, memory, sizeof result, cudaMemcpyDefault), cudaSuccess);
    return result;
  }

  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphNodeParams parameters = {};
  int *memory = nullptr;
};

TEST_F(Conditional, WrongNodes_AreRefused) {
  cudaGraphConditionalHandle handle = makeHandle(), other = 0;
  EXPECT_EQ(cudaGraphConditionalHandleCreate(nullptr, graph, 0, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphConditionalHandleCreate(&other, nullptr, 0, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphConditionalHandleCreate(&other, graph, 0, 2), cudaErrorInvalidValue);
  EXPECT_EQ(addNode(graph, handle, cudaGraphCondTypeIf, 0), cudaErrorInvalidValue);
  EXPECT_EQ(addNode(graph, handle, cudaGraphCondTypeIf, 3), cudaErrorInvalidValue);
  EXPECT_EQ(addNode(graph, handle, cudaGraphCondTypeWhile, 2), cudaErrorInvalidValue);
  EXPECT_EQ(addNode(graph, handle, cudaGraphCondTypeSwitch, 0), cudaErrorInvalidValue);
  EXPECT_EQ(addNode(graph, handle + 4, cudaGraphCondTypeIf), cudaErrorInvalidValue);
  cudaGraph_t stranger = nullptr;
  ASSERT_EQ(cudaGraphCreate(&stranger, 0), cudaSuccess);
  EXPECT_EQ(addNode(stranger, handle, cudaGraphCondTypeIf), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphDestroy(stranger), cudaSuccess);
  ASSERT_EQ(addNode(graph, handle, cudaGraphCondTypeIf), cudaSuccess);
  EXPECT_EQ(addNode(graph, handle, cudaGraphCondTypeIf), cudaErrorInvalidValue) << "used";
}

TEST_F(Conditional, AHandleWithoutNode_PreventsInstantiation) {
  cudaGraphConditionalHandle handle = makeHandle();
  cudaGraphExec_t executable = nullptr;
  EXPECT_EQ(instantiate(executable), cudaErrorInvalidValue);
  cudaGraphInstantiateParams how = {};
  EXPECT_EQ(cudaGraphInstantiateWithParams(&executable, graph, &how), cudaErrorInvalidValue);
  EXPECT_EQ(how.result_out, cudaGraphInstantiateConditionalHandleUnused);
  ASSERT_EQ(addNode(graph, handle, cudaGraphCondTypeIf), cudaSuccess);
  ASSERT_EQ(instantiate(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
}

TEST_F(Conditional, SuchAGraph_IsNeitherClonedNorAChild) {
  ASSERT_EQ(addNode(graph, makeHandle(), cudaGraphCondTypeIf), cudaSuccess);
  cudaGraph_t other = nullptr;
  cudaGraphNode_t child = nullptr;
  cudaGraphNodeType type = {};
  EXPECT_EQ(cudaGraphClone(&other, graph), cudaErrorNotSupported);
  ASSERT_EQ(cudaGraphCreate(&other, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphAddChildGraphNode(&child, other, nullptr, 0, graph), cudaErrorNotSupported);
  ASSERT_EQ(cudaGraphNodeGetType(node, &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeConditional);
  EXPECT_EQ(cudaGraphDestroy(other), cudaSuccess);
}

TEST_F(Conditional, ABody_BelongsToItsNode) {
  ASSERT_EQ(addNode(graph, makeHandle(), cudaGraphCondTypeIf), cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  EXPECT_EQ(cudaGraphDestroy(body()), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphInstantiate(&executable, body(), 0), cudaErrorInvalidValue);
  ASSERT_EQ(instantiate(executable), cudaSuccess);
  cudaGraphExecUpdateResultInfo result = {};
  EXPECT_EQ(cudaGraphExecUpdate(executable, body(), &result), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  cudaMemAllocNodeParams allocation = {};
  allocation.bytesize = 64;
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphNode_t inner = nullptr;
  EXPECT_EQ(cudaGraphAddMemAllocNode(&inner, body(), nullptr, 0, &allocation),
            cudaErrorNotSupported);
  cudaHostNodeParams host = {ignore, nullptr};
  ASSERT_EQ(cudaGraphAddHostNode(&inner, body(), nullptr, 0, &host), cudaSuccess);
  EXPECT_EQ(instantiate(executable), cudaErrorNotSupported) << "CUDA allows no such node there";
  ASSERT_EQ(cudaGraphDestroyNode(inner), cudaSuccess);
  ASSERT_EQ(instantiate(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
}

/// The body ends the loop, whose condition is 1 again at the next launch.
TEST_F(Conditional, TheValueAtTheStart_HoldsForEachLaunch) {
  cudaGraphConditionalHandle handle = makeHandle(1, cudaGraphCondAssignDefault);
  ASSERT_EQ(addNode(graph, handle, cudaGraphCondTypeWhile), cudaSuccess);
  static const int zero = 0;
  static int seven;
  seven = 7;
  cudaGraphNode_t copy = addCopy(body(), memory, &seven);
  cudaGraphNode_t stop = addCopy(body(), reinterpret_cast<void *>(handle), &zero);
  ASSERT_EQ(cudaGraphAddDependencies(body(), &copy, &stop, 1), cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(instantiate(executable), cudaSuccess);
  for (int wanted : {7, 8}) {
    seven = wanted;
    ASSERT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(value(), wanted);
  }
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
}

/// An executable keeps its body, and an update gives it the graph's.
TEST_F(Conditional, AnUpdate_ChangesTheBody) {
  static int one = 1, two = 2;
  ASSERT_EQ(addNode(graph, makeHandle(1, cudaGraphCondAssignDefault), cudaGraphCondTypeIf),
            cudaSuccess);
  cudaGraphNode_t copy = addCopy(body(), memory, &one);
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(instantiate(executable), cudaSuccess);
  ASSERT_EQ(cudaGraphMemcpyNodeSetParams1D(copy, memory, &two, sizeof(int), cudaMemcpyDefault),
            cudaSuccess);
  cudaGraphExecUpdateResultInfo result = {};
  for (int wanted : {1, 2}) {
    ASSERT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(value(), wanted);
    ASSERT_EQ(cudaGraphExecUpdate(executable, graph, &result), cudaSuccess);
  }
  addCopy(body(), memory, &one);
  EXPECT_EQ(cudaGraphExecUpdate(executable, graph, &result), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(result.result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
}

/// The second launch would set the value of the first one's condition.
TEST_F(Conditional, ExecutablesOfOneGraph_DoNotOverlap) {
  Hold hold;
  cudaHostNodeParams host = {Hold::at, &hold};
  cudaGraphNode_t first = nullptr;
  ASSERT_EQ(addNode(graph, makeHandle(1, cudaGraphCondAssignDefault), cudaGraphCondTypeIf),
            cudaSuccess);
  ASSERT_EQ(cudaGraphAddHostNode(&first, graph, nullptr, 0, &host), cudaSuccess);
  ASSERT_EQ(cudaGraphAddDependencies(graph, &first, &node, 1), cudaSuccess);
  cudaGraphExec_t executables[2] = {};
  cudaStream_t streams[2] = {};
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(instantiate(executables[i]), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(executables[i], streams[i]), cudaSuccess);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_LE(hold.reached, 1);
  hold.mayGo = true;
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(hold.reached, 2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(cudaGraphExecDestroy(executables[i]), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(streams[i]), cudaSuccess);
  }
}

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
  EXPECT_EQ(cudaGraphDestroy(captured), cudaSuccess);
}

/// What is captured into a graph becomes a child there, which has no conditional nodes.
TEST_F(CapturedConditional, ACaptureToAGraph_TakesNoConditions) {
  ASSERT_EQ(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
                                          cudaStreamCaptureModeGlobal),
            cudaSuccess);
  captured = current();
  cudaGraphConditionalHandle handle = 0;
  EXPECT_EQ(cudaGraphConditionalHandleCreate(&handle, captured, 0, 0), cudaErrorNotSupported);
  EXPECT_EQ(addNode(captured, makeHandle(), cudaGraphCondTypeIf), cudaErrorInvalidValue);
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
