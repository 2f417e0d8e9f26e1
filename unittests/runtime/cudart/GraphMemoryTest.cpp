//===- cudart/GraphMemoryTest.cpp - Memory that graphs allocate -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Program.h"

#include <cstdint>
#include <gtest/gtest.h>

using namespace regrain::test;

namespace {

constexpr size_t bytes = 64;

class GraphMemory : public testing::Test {
protected:
  void SetUp() override {
    useProgram();
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(attribute(cudaGraphMemAttrUsedMemCurrent), 0u) << "the memory is freed";
    static_cast<void>(cudaGetLastError());
  }

  static uint64_t attribute(cudaGraphMemAttributeType type) {
    uint64_t value = ~uint64_t(0);
    EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, type, &value), cudaSuccess);
    return value;
  }
  static cudaMemAllocNodeParams parameters() {
    cudaMemAllocNodeParams made = {};
    made.poolProps.allocType = cudaMemAllocationTypePinned;
    made.poolProps.location = {cudaMemLocationTypeDevice, 0};
    made.bytesize = bytes;
    return made;
  }
  /// Adds an allocation and a fill of it.
  cudaGraphNode_t addFilled(void *&pointer, unsigned value) {
    cudaMemAllocNodeParams made = parameters();
    EXPECT_EQ(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &made), cudaSuccess);
    pointer = made.dptr;
    cudaMemsetParams fill = {};
    fill.dst = pointer;
    fill.value = value;
    fill.elementSize = 1;
    fill.width = bytes;
    fill.height = 1;
    cudaGraphNode_t filled = nullptr;
    EXPECT_EQ(cudaGraphAddMemsetNode(&filled, graph, &allocation, 1, &fill), cudaSuccess);
    return filled;
  }
  cudaGraphExec_t instantiate(cudaGraph_t from, unsigned long long flags = 0) {
    cudaGraphExec_t executable = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&executable, from, flags), cudaSuccess);
    return executable;
  }
  cudaError_t run(cudaGraphExec_t executable) {
    cudaError_t status = cudaGraphLaunch(executable, stream);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    return status;
  }
  static int firstByte(const void *pointer) {
    unsigned char value = 0;
    EXPECT_EQ(cudaMemcpy(&value, pointer, 1, cudaMemcpyDefault), cudaSuccess);
    return value;
  }

  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t allocation = nullptr;
};

TEST_F(GraphMemory, WhatAGraphFrees_IsAllocatedByEachLaunch) {
  void *pointer = nullptr, *out = nullptr, *freed = nullptr;
  ASSERT_EQ(cudaMalloc(&out, bytes), cudaSuccess);
  cudaGraphNode_t filled = addFilled(pointer, 7), copied = nullptr, free = nullptr;
  ASSERT_EQ(cudaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, out, pointer, bytes,
                                     cudaMemcpyDeviceToDevice),
            cudaSuccess);
  ASSERT_EQ(cudaGraphAddMemFreeNode(&free, graph, &copied, 1, pointer), cudaSuccess);
  EXPECT_EQ(cudaGraphAddMemFreeNode(&free, graph, &copied, 1, pointer), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphAddMemFreeNode(&free, graph, &copied, 1, out), cudaErrorInvalidValue);
  ASSERT_EQ(cudaGraphMemFreeNodeGetParams(free, &freed), cudaSuccess);
  EXPECT_EQ(freed, pointer);
  cudaMemAllocNodeParams made = {};
  ASSERT_EQ(cudaGraphMemAllocNodeGetParams(allocation, &made), cudaSuccess);
  EXPECT_EQ(made.dptr, pointer);
  EXPECT_EQ(made.bytesize, bytes);
  EXPECT_EQ(cudaGraphMemAllocNodeGetParams(free, &made), cudaErrorInvalidValue);
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  ASSERT_EQ(cudaGraphNodeGetType(allocation, &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeMemAlloc);
  cudaGraphExec_t executable = instantiate(graph);
  EXPECT_EQ(run(executable), cudaSuccess);
  EXPECT_EQ(run(executable), cudaSuccess);
  EXPECT_EQ(firstByte(out), 7);
  EXPECT_EQ(cudaFree(pointer), cudaErrorInvalidValue) << "the graph has freed it";
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaFree(out), cudaSuccess);
}

TEST_F(GraphMemory, WhatAGraphKeeps_IsTheProgramsToFree) {
  void *pointer = nullptr;
  addFilled(pointer, 9);
  cudaGraphExec_t executable = instantiate(graph);
  ASSERT_EQ(run(executable), cudaSuccess);
  EXPECT_EQ(run(executable), cudaErrorInvalidValue) << "it is allocated";
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
  EXPECT_EQ(run(executable), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(pointer, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(pointer, stream), cudaErrorInvalidValue);
  EXPECT_EQ(run(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(firstByte(pointer), 9) << "it outlives the graph";
  EXPECT_EQ(attribute(cudaGraphMemAttrReservedMemCurrent), bytes);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
}

TEST_F(GraphMemory, AutomaticFrees_AllowTheNextLaunch) {
  void *pointer = nullptr;
  addFilled(pointer, 3);
  cudaGraphExec_t executable = instantiate(graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  EXPECT_EQ(run(executable), cudaSuccess);
  EXPECT_EQ(run(executable), cudaSuccess);
  EXPECT_EQ(cudaFree(pointer), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
}

TEST_F(GraphMemory, CapturedCalls_AllocateAndFree) {
  void *pointer = nullptr, *out = nullptr;
  ASSERT_EQ(cudaMalloc(&out, bytes), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&pointer, bytes, stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(pointer, 5, bytes, stream), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(out, pointer, bytes, cudaMemcpyDeviceToDevice, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(pointer, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(out, stream), cudaErrorInvalidValue) << "no graph has allocated it";
  cudaGraph_t captured = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &captured), cudaSuccess);
  cudaGraphExec_t executable = instantiate(captured), other = nullptr;
  EXPECT_EQ(cudaGraphInstantiate(&other, captured, 0), cudaErrorNotSupported)
      << "both would have one memory";
  EXPECT_EQ(cudaGraphDestroy(captured), cudaSuccess);
  EXPECT_EQ(run(executable), cudaSuccess);
  EXPECT_EQ(run(executable), cudaSuccess);
  EXPECT_EQ(firstByte(out), 5);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaFree(out), cudaSuccess);
}

TEST_F(GraphMemory, AFailedCapture_KeepsNoMemory) {
  void *pointer = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&pointer, bytes, stream), cudaSuccess);
  EXPECT_EQ(attribute(cudaGraphMemAttrUsedMemCurrent), bytes);
  EXPECT_NE(cudaStreamSynchronize(stream), cudaSuccess) << "which no capture allows";
  cudaGraph_t captured = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &captured), cudaErrorStreamCaptureInvalidated);
}

TEST_F(GraphMemory, AnotherGraph_MayFree) {
  void *pointer = nullptr;
  addFilled(pointer, 1);
  cudaGraph_t second = nullptr;
  cudaGraphNode_t free = nullptr;
  ASSERT_EQ(cudaGraphCreate(&second, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddMemFreeNode(&free, second, nullptr, 0, pointer), cudaSuccess);
  cudaGraphExec_t allocating = instantiate(graph), freeing = instantiate(second);
  EXPECT_EQ(run(freeing), cudaErrorInvalidValue) << "nothing is allocated";
  EXPECT_EQ(run(allocating), cudaSuccess);
  EXPECT_EQ(run(freeing), cudaSuccess);
  EXPECT_EQ(run(allocating), cudaSuccess);
  EXPECT_EQ(run(freeing), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(allocating), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(freeing), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(second), cudaSuccess);
}

TEST_F(GraphMemory, NodesOfAnyType_AllocateAndFree) {
  cudaGraphNodeParams node = {};
  node.type = cudaGraphNodeTypeMemAlloc;
  node.alloc = parameters();
  ASSERT_EQ(cudaGraphAddNode(&allocation, graph, nullptr, 0, &node), cudaSuccess);
  void *pointer = node.alloc.dptr;
  EXPECT_NE(pointer, nullptr);
  cudaGraphNodeParams release = {};
  release.type = cudaGraphNodeTypeMemFree;
  release.free.dptr = pointer;
  cudaGraphNode_t free = nullptr;
  ASSERT_EQ(cudaGraphAddNode(&free, graph, &allocation, 1, &release), cudaSuccess);
  EXPECT_EQ(cudaGraphNodeSetParams(free, &release), cudaErrorNotSupported);
}

TEST_F(GraphMemory, AGraphWithMemory_IsOneOfAKind) {
  void *pointer = nullptr;
  cudaGraphNode_t filled = addFilled(pointer, 1), child = nullptr;
  cudaGraph_t clone = nullptr, outer = nullptr;
  EXPECT_EQ(cudaGraphClone(&clone, graph), cudaErrorNotSupported);
  EXPECT_EQ(cudaGraphDestroyNode(filled), cudaErrorNotSupported);
  EXPECT_EQ(cudaGraphRemoveDependencies(graph, &allocation, &filled, 1), cudaErrorNotSupported);
  ASSERT_EQ(cudaGraphCreate(&outer, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph), cudaErrorNotSupported);
  EXPECT_EQ(cudaGraphDestroy(outer), cudaSuccess);
}

TEST_F(GraphMemory, BadAllocations_AreErrors) {
  cudaMemAllocNodeParams made = parameters();
  EXPECT_EQ(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, nullptr),
            cudaErrorInvalidValue);
  made.bytesize = 0;
  EXPECT_EQ(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &made), cudaErrorInvalidValue);
  made = parameters();
  made.poolProps.location.id = 99;
  EXPECT_EQ(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &made),
            cudaErrorInvalidDevice);
  made = parameters();
  cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite};
  made.accessDescs = &access;
  made.accessDescCount = 1;
  EXPECT_EQ(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &made), cudaErrorNotSupported);
}

TEST_F(GraphMemory, HighMarks_CanBeSetBack) {
  void *pointer = nullptr;
  addFilled(pointer, 1);
  EXPECT_GE(attribute(cudaGraphMemAttrUsedMemHigh), bytes);
  uint64_t zero = 0, one = 1;
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &one),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero), cudaSuccess);
  EXPECT_EQ(attribute(cudaGraphMemAttrUsedMemHigh), bytes);
  EXPECT_EQ(cudaDeviceGraphMemTrim(0), cudaSuccess);
}

} // namespace
