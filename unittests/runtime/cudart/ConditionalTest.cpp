//===- cudart/ConditionalTest.cpp - Conditional nodes on the CPU ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy sets the condition here, at the address that is its handle.
// test/e2e/programs/conditional_nodes.cu tests what kernels set.
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Conditional.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

using namespace regrain::test;

namespace {

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

} // namespace
