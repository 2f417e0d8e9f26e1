//===- cudart/BuiltGraphTest.cpp - Graphs that the program builds ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Program.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace regrain::test;

namespace {

void addOne(void *counter) { ++*static_cast<int *>(counter); }

class BuiltGraph : public testing::Test {
protected:
  void SetUp() override {
    useProgram();
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&memory), 4 * sizeof(int)), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
    static_cast<void>(cudaGetLastError());
  }

  cudaMemsetParams fillWith(unsigned value) {
    cudaMemsetParams fill = {};
    fill.dst = memory;
    fill.value = value;
    fill.elementSize = 4;
    fill.width = 4;
    fill.height = 1;
    return fill;
  }
  cudaGraphNode_t addEmpty(std::vector<cudaGraphNode_t> after = {}) {
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddEmptyNode(&node, graph, after.data(), after.size()), cudaSuccess);
    return node;
  }
  cudaGraphExec_t instantiate() {
    cudaGraphExec_t executable = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    return executable;
  }
  void run(cudaGraphExec_t executable) {
    ASSERT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  int firstElement() {
    int value = 0;
    EXPECT_EQ(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDefault), cudaSuccess);
    return value;
  }

  cudaGraph_t graph = nullptr;
  int *memory = nullptr;
};

TEST_F(BuiltGraph, Edges_CanBeReadAndRemoved) {
  cudaGraphNode_t first = addEmpty(), second = addEmpty({first}), third = addEmpty({first, second});
  size_t count = 0;
  ASSERT_EQ(cudaGraphGetRootNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
  cudaGraphNode_t from[4] = {first, first, first, first}, to[4] = {};
  cudaGraphEdgeData edges[4];
  edges[0].type = 1;
  count = 4;
  ASSERT_EQ(cudaGraphGetEdges_v2(graph, from, to, edges, &count), cudaSuccess);
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(from[0], first);
  EXPECT_EQ(to[0], second);
  EXPECT_EQ(from[3], nullptr) << "there is no fourth edge";
  EXPECT_EQ(edges[0].type, 0);
  count = 4;
  ASSERT_EQ(cudaGraphNodeGetDependencies(third, from, &count), cudaSuccess);
  EXPECT_EQ(count, 2u);
  ASSERT_EQ(cudaGraphNodeGetDependentNodes(second, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(cudaGraphRemoveDependencies(graph, &second, &third, 1), cudaSuccess);
  EXPECT_EQ(cudaGraphRemoveDependencies(graph, &second, &third, 1), cudaErrorInvalidValue);
  ASSERT_EQ(cudaGraphNodeGetDependencies(third, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
}

TEST_F(BuiltGraph, ADestroyedNode_TakesItsEdgesAlong) {
  cudaGraphNode_t first = addEmpty(), second = addEmpty({first}), third = addEmpty({second});
  ASSERT_EQ(cudaGraphDestroyNode(first), cudaSuccess);
  cudaGraphNode_t before = nullptr;
  size_t count = 1;
  ASSERT_EQ(cudaGraphNodeGetDependencies(third, &before, &count), cudaSuccess);
  EXPECT_EQ(before, second);
  ASSERT_EQ(cudaGraphNodeGetDependencies(second, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 0u);
}

TEST_F(BuiltGraph, AFill_IsChangedInTheGraphAndInTheExecutable) {
  cudaGraphNode_t node = nullptr;
  cudaMemsetParams fill = fillWith(1), read = {};
  ASSERT_EQ(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill), cudaSuccess);
  cudaGraphExec_t executable = instantiate();
  run(executable);
  EXPECT_EQ(firstElement(), 1);
  fill = fillWith(2);
  ASSERT_EQ(cudaGraphMemsetNodeSetParams(node, &fill), cudaSuccess);
  ASSERT_EQ(cudaGraphMemsetNodeGetParams(node, &read), cudaSuccess);
  EXPECT_EQ(read.value, 2u);
  run(executable);
  EXPECT_EQ(firstElement(), 1) << "the executable is not the graph";
  fill = fillWith(3);
  ASSERT_EQ(cudaGraphExecMemsetNodeSetParams(executable, node, &fill), cudaSuccess);
  run(executable);
  EXPECT_EQ(firstElement(), 3);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
}

TEST_F(BuiltGraph, ACopy_IsGivenAsABox) {
  int source = 7, other = 8;
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, memory, &source, sizeof source,
                                     cudaMemcpyDefault),
            cudaSuccess);
  cudaMemcpy3DParms box = {};
  ASSERT_EQ(cudaGraphMemcpyNodeGetParams(node, &box), cudaSuccess);
  EXPECT_EQ(box.srcPtr.ptr, &source);
  EXPECT_EQ(box.extent.width, sizeof source);
  cudaGraphExec_t executable = instantiate();
  ASSERT_EQ(cudaGraphExecMemcpyNodeSetParams1D(executable, node, memory, &other, sizeof other,
                                               cudaMemcpyDefault),
            cudaSuccess);
  run(executable);
  EXPECT_EQ(firstElement(), 8);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
}

TEST_F(BuiltGraph, ACopyToAVariable_IsANode) {
  int value = 41, read = 0;
  cudaGraphNode_t to = nullptr, from = nullptr;
  ASSERT_EQ(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, &shadows.counter, &value,
                                           sizeof value, 0, cudaMemcpyHostToDevice),
            cudaSuccess);
  ASSERT_EQ(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, &read, &shadows.counter,
                                             sizeof read, 0, cudaMemcpyDeviceToHost),
            cudaSuccess);
  cudaGraphExec_t executable = instantiate();
  run(executable);
  EXPECT_EQ(read, 41);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphMemcpyNodeSetParamsToSymbol(to, &shadows.counter, &value, sizeof value,
                                                 1 << 20, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
}

TEST_F(BuiltGraph, ANodeOfAnyType_IsAddedAndChanged) {
  int first = 0, second = 0;
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeHost;
  parameters.host = {addOne, &first};
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphAddNode(&node, graph, nullptr, 0, &parameters), cudaSuccess);
  cudaGraphExec_t executable = instantiate();
  parameters.host.userData = &second;
  ASSERT_EQ(cudaGraphExecNodeSetParams(executable, node, &parameters), cudaSuccess);
  run(executable);
  EXPECT_EQ(first, 0);
  EXPECT_EQ(second, 1);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  parameters.type = cudaGraphNodeTypeEmpty;
  EXPECT_EQ(cudaGraphNodeSetParams(node, &parameters), cudaErrorInvalidValue);
  parameters.type = cudaGraphNodeTypeConditional;
  EXPECT_EQ(cudaGraphAddNode(&node, graph, nullptr, 0, &parameters), cudaErrorInvalidValue);
}

/// Says when it runs, and goes on when it may.
struct Stop {
  std::atomic<bool> isReached = false, mayGo = false;
  static void at(void *self) {
    auto *stop = static_cast<Stop *>(self);
    stop->isReached = true;
    while (!stop->mayGo)
      std::this_thread::yield();
  }
};

TEST_F(BuiltGraph, AnEvent_IsRecordedByTheLaunch) {
  Stop stop;
  cudaEvent_t event = nullptr, other = nullptr, read = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&other), cudaSuccess);
  cudaHostNodeParams call = {Stop::at, &stop};
  cudaGraphNode_t host = nullptr, record = nullptr;
  ASSERT_EQ(cudaGraphAddHostNode(&host, graph, nullptr, 0, &call), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEventRecordNode(&record, graph, &host, 1, other), cudaSuccess);
  ASSERT_EQ(cudaGraphEventRecordNodeSetEvent(record, event), cudaSuccess);
  ASSERT_EQ(cudaGraphEventRecordNodeGetEvent(record, &read), cudaSuccess);
  EXPECT_EQ(read, event);
  EXPECT_EQ(cudaGraphEventWaitNodeGetEvent(record, &read), cudaErrorInvalidValue);
  cudaGraphExec_t executable = instantiate();
  EXPECT_EQ(cudaEventQuery(event), cudaSuccess) << "it was never recorded";
  ASSERT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  EXPECT_EQ(cudaEventQuery(other), cudaSuccess);
  stop.mayGo = true;
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_TRUE(stop.isReached);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(other), cudaSuccess);
}

TEST_F(BuiltGraph, AWaitForAnEvent_HoldsTheLaunch) {
  Stop stop;
  int count = 0;
  cudaEvent_t event = nullptr;
  cudaStream_t stream = nullptr, launching = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&launching, cudaStreamNonBlocking), cudaSuccess);
  cudaHostNodeParams call = {addOne, &count};
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeWaitEvent;
  parameters.eventWait.event = event;
  cudaGraphNode_t wait = nullptr, host = nullptr;
  ASSERT_EQ(cudaGraphAddNode(&wait, graph, nullptr, 0, &parameters), cudaSuccess);
  ASSERT_EQ(cudaGraphAddHostNode(&host, graph, &wait, 1, &call), cudaSuccess);
  cudaGraphExec_t executable = instantiate();
  ASSERT_EQ(cudaLaunchHostFunc(stream, Stop::at, &stop), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, launching), cudaSuccess);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(cudaStreamQuery(launching), cudaErrorNotReady);
  EXPECT_EQ(count, 0);
  stop.mayGo = true;
  EXPECT_EQ(cudaStreamSynchronize(launching), cudaSuccess);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(launching), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
}

TEST_F(BuiltGraph, ANodeOfAClone_IsFoundByTheOriginal) {
  cudaGraphNode_t node = addEmpty(), found = nullptr;
  cudaGraph_t clone = nullptr;
  ASSERT_EQ(cudaGraphClone(&clone, graph), cudaSuccess);
  ASSERT_EQ(cudaGraphNodeFindInClone(&found, node, clone), cudaSuccess);
  EXPECT_NE(found, node);
  EXPECT_EQ(cudaGraphNodeFindInClone(&found, found, clone), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphDestroy(clone), cudaSuccess);
}

TEST_F(BuiltGraph, Instantiation_UploadsToTheStream) {
  addEmpty();
  cudaGraphExec_t executable = nullptr;
  cudaGraphInstantiateParams parameters = {};
  parameters.flags = cudaGraphInstantiateFlagUpload;
  parameters.result_out = cudaGraphInstantiateError;
  ASSERT_EQ(cudaGraphInstantiateWithParams(&executable, graph, &parameters), cudaSuccess);
  EXPECT_EQ(parameters.result_out, cudaGraphInstantiateSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
}

TEST_F(BuiltGraph, AnObject_LivesAsLongAsAGraphOrAnExecutableHasIt) {
  int destroyed = 0;
  cudaUserObject_t object = nullptr;
  EXPECT_EQ(cudaUserObjectCreate(&object, &destroyed, addOne, 1, 0), cudaErrorInvalidValue);
  ASSERT_EQ(cudaUserObjectCreate(&object, &destroyed, addOne, 1, cudaUserObjectNoDestructorSync),
            cudaSuccess);
  cudaGraph_t keeper = nullptr;
  ASSERT_EQ(cudaGraphCreate(&keeper, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphRetainUserObject(keeper, object, 1, cudaGraphUserObjectMove), cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, keeper, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(keeper), cudaSuccess);
  EXPECT_EQ(destroyed, 0);
  cudaGraphExecUpdateResultInfo result = {};
  ASSERT_EQ(cudaGraphExecUpdate(executable, graph, &result), cudaSuccess);
  EXPECT_EQ(destroyed, 1) << "the updated executable is that of the other graph";
  ASSERT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(destroyed, 1);
}

TEST_F(BuiltGraph, AGraph_OwnsNoMemory) {
  uint64_t bytes = 1, zero = 0;
  ASSERT_EQ(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &bytes),
            cudaSuccess);
  EXPECT_EQ(bytes, 0u);
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero), cudaSuccess);
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGraphMemTrim(0), cudaSuccess);
  EXPECT_EQ(cudaDeviceGraphMemTrim(99), cudaErrorInvalidDevice);
}

TEST_F(BuiltGraph, AHandleOfAKernel_IsItsHostFunction) {
  cudaKernel_t kernel = nullptr;
  ASSERT_EQ(cudaGetKernel(&kernel, &shadows.iota), cudaSuccess);
  const char *name = nullptr;
  EXPECT_EQ(cudaFuncGetName(&name, kernel), cudaSuccess);
  EXPECT_EQ(cudaGetKernel(&kernel, &name), cudaErrorInvalidDeviceFunction);
}

TEST_F(BuiltGraph, AnObjectOfTheProgram_IsReleasedByIt) {
  int destroyed = 0;
  cudaUserObject_t object = nullptr;
  ASSERT_EQ(cudaUserObjectCreate(&object, &destroyed, addOne, 1, cudaUserObjectNoDestructorSync),
            cudaSuccess);
  ASSERT_EQ(cudaUserObjectRetain(object, 1), cudaSuccess);
  ASSERT_EQ(cudaGraphRetainUserObject(graph, object, 1, 0), cudaSuccess);
  EXPECT_EQ(cudaUserObjectRelease(object, 3), cudaErrorInvalidValue);
  ASSERT_EQ(cudaUserObjectRelease(object, 2), cudaSuccess);
  EXPECT_EQ(destroyed, 0);
  ASSERT_EQ(cudaGraphReleaseUserObject(graph, object, 1), cudaSuccess);
  EXPECT_EQ(destroyed, 1);
}

} // namespace
