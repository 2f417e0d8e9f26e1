//===- cudart/GraphAttributesTest.cpp - Attributes of graphs --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Program.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

using namespace regrain::test;

namespace {

class GraphAttributes : public testing::Test {
protected:
  void SetUp() override {
    useProgram();
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&memory), 64 * sizeof(int)), cudaSuccess);
    ASSERT_EQ(cudaMemset(memory, 0, 64 * sizeof(int)), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
    static_cast<void>(cudaGetLastError());
  }
  /// Adds a node that writes the numbers below 32.
  cudaGraphNode_t addKernel(unsigned grid = 4) {
    void *arguments[] = {&memory, &how, &count};
    cudaKernelNodeParams parameters = {};
    parameters.func = &shadows.iota;
    parameters.gridDim = dim3(grid);
    parameters.blockDim = dim3(8);
    parameters.kernelParams = arguments;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters), cudaSuccess);
    return node;
  }
  cudaGraphNode_t addFill(cudaGraph_t to, int *at, unsigned value) {
    cudaMemsetParams fill = {};
    fill.dst = at;
    fill.value = value;
    fill.elementSize = 4;
    fill.width = fill.height = 1;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddMemsetNode(&node, to, nullptr, 0, &fill), cudaSuccess);
    return node;
  }
  cudaGraphExec_t instantiate(unsigned long long flags = 0) {
    cudaGraphExec_t executable = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&executable, graph, flags), cudaSuccess);
    return executable;
  }
  void run(cudaGraphExec_t executable) {
    ASSERT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }

  cudaGraph_t graph = nullptr;
  int *memory = nullptr;
  unsigned shape[8] = {}, *how = shape;
  int count = 32;
};

TEST_F(GraphAttributes, OfAKernelNode_AreKeptAndCopied) {
  cudaGraphNode_t node = addKernel(), other = addKernel();
  cudaLaunchAttributeValue value = {}, read = {};
  value.priority = -3;
  ASSERT_EQ(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &value),
            cudaSuccess);
  ASSERT_EQ(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &read), cudaSuccess);
  EXPECT_EQ(read.priority, -3);
  ASSERT_EQ(cudaGraphKernelNodeGetAttribute(other, cudaLaunchAttributePriority, &read),
            cudaSuccess);
  EXPECT_EQ(read.priority, 0);
  ASSERT_EQ(cudaGraphKernelNodeCopyAttributes(other, node), cudaSuccess);
  ASSERT_EQ(cudaGraphKernelNodeGetAttribute(other, cudaLaunchAttributePriority, &read),
            cudaSuccess);
  EXPECT_EQ(read.priority, -3);
  cudaKernelNodeParams parameters = {};
  ASSERT_EQ(cudaGraphKernelNodeGetParams(node, &parameters), cudaSuccess);
  ASSERT_EQ(cudaGraphKernelNodeSetParams(node, &parameters), cudaSuccess);
  ASSERT_EQ(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &read), cudaSuccess);
  EXPECT_EQ(read.priority, -3) << "new parameters leave the attributes";
  EXPECT_EQ(
      cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value),
      cudaErrorNotSupported);
  EXPECT_EQ(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeIgnore, &value),
            cudaErrorInvalidValue);
  cudaGraphNode_t fill = addFill(graph, memory, 1);
  EXPECT_EQ(cudaGraphKernelNodeSetAttribute(fill, cudaLaunchAttributePriority, &value),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphKernelNodeCopyAttributes(fill, node), cudaErrorInvalidValue);
}

TEST_F(GraphAttributes, Clusters_AreThoseOfTheLaunch) {
  cudaGraphNode_t node = addKernel();
  cudaLaunchAttributeValue value = {};
  value.clusterDim.x = 2;
  ASSERT_EQ(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value),
            cudaSuccess);
  cudaGraphExec_t executable = instantiate();
  run(executable);
  EXPECT_EQ(memory[31], 31);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  value.clusterDim.x = 3;
  ASSERT_EQ(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value),
            cudaSuccess);
  EXPECT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaErrorInvalidClusterSize);
}

TEST_F(GraphAttributes, ANode_IsSwitchedOffAndOn) {
  cudaGraphNode_t first = addFill(graph, memory, 5), second = addFill(graph, memory + 1, 6);
  cudaGraphExec_t executable = instantiate();
  unsigned isEnabled = 0;
  ASSERT_EQ(cudaGraphNodeGetEnabled(executable, first, &isEnabled), cudaSuccess);
  EXPECT_EQ(isEnabled, 1u);
  ASSERT_EQ(cudaGraphNodeSetEnabled(executable, first, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphNodeGetEnabled(executable, first, &isEnabled), cudaSuccess);
  EXPECT_EQ(isEnabled, 0u);
  run(executable);
  EXPECT_EQ(memory[0], 0);
  EXPECT_EQ(memory[1], 6);
  cudaMemsetParams fill = {};
  ASSERT_EQ(cudaGraphMemsetNodeGetParams(second, &fill), cudaSuccess);
  fill.value = 7;
  ASSERT_EQ(cudaGraphExecMemsetNodeSetParams(executable, second, &fill), cudaSuccess);
  run(executable);
  EXPECT_EQ(memory[0], 0) << "it is still off";
  EXPECT_EQ(memory[1], 7);
  ASSERT_EQ(cudaGraphNodeSetEnabled(executable, first, 1), cudaSuccess);
  run(executable);
  EXPECT_EQ(memory[0], 5);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphNodeSetEnabled(executable, first, 1), cudaErrorNotSupported);
}

TEST_F(GraphAttributes, Flags_AreThoseOfTheInstantiation) {
  addFill(graph, memory, 1);
  cudaGraphExec_t executable = instantiate(cudaGraphInstantiateFlagAutoFreeOnLaunch);
  unsigned long long flags = 0;
  ASSERT_EQ(cudaGraphExecGetFlags(executable, &flags), cudaSuccess);
  EXPECT_EQ(flags, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  ASSERT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphExecGetFlags(executable, &flags), cudaErrorInvalidValue);
}

TEST_F(GraphAttributes, ChangesOfAChildGraph_AreChangesOfItsNode) {
  cudaGraph_t source = nullptr, child = nullptr;
  ASSERT_EQ(cudaGraphCreate(&source, 0), cudaSuccess);
  cudaGraphNode_t original = addFill(source, memory, 5), node = nullptr, inner = nullptr;
  ASSERT_EQ(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, source), cudaSuccess);
  ASSERT_EQ(cudaGraphChildGraphNodeGetGraph(node, &child), cudaSuccess);
  EXPECT_NE(child, source);
  size_t count = 1;
  ASSERT_EQ(cudaGraphGetNodes(child, &inner, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_NE(inner, original);
  cudaGraphNode_t found = nullptr;
  ASSERT_EQ(cudaGraphNodeFindInClone(&found, original, child), cudaSuccess);
  EXPECT_EQ(found, inner);
  cudaMemsetParams fill = {};
  ASSERT_EQ(cudaGraphMemsetNodeGetParams(inner, &fill), cudaSuccess);
  fill.value = 8;
  ASSERT_EQ(cudaGraphMemsetNodeSetParams(inner, &fill), cudaSuccess);
  addFill(child, memory + 1, 9);
  cudaGraphNode_t beside = addFill(graph, memory + 2, 1);
  cudaGraphExec_t executable = instantiate();
  run(executable);
  EXPECT_EQ(memory[0], 8);
  EXPECT_EQ(memory[1], 9);
  ASSERT_EQ(cudaGraphMemsetNodeGetParams(original, &fill), cudaSuccess);
  EXPECT_EQ(fill.value, 5u);

  fill.value = 3;
  ASSERT_EQ(cudaGraphMemsetNodeSetParams(inner, &fill), cudaSuccess);
  ASSERT_EQ(cudaGraphNodeSetEnabled(executable, beside, 0), cudaSuccess);
  run(executable);
  EXPECT_EQ(memory[0], 8) << "the executable has a child graph of its own";
  EXPECT_EQ(cudaGraphDestroy(child), cudaErrorInvalidValue) << "its node owns it";
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(source), cudaSuccess);
}

TEST_F(GraphAttributes, AGraph_IsPrinted) {
  cudaGraphNode_t first = addFill(graph, memory, 5), second = addKernel();
  ASSERT_EQ(cudaGraphAddDependencies(graph, &first, &second, 1), cudaSuccess);
  std::string path = testing::TempDir() + "graph.dot";
  ASSERT_EQ(cudaGraphDebugDotPrint(graph, path.c_str(), cudaGraphDebugDotFlagsVerbose),
            cudaSuccess);
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_TRUE(text.starts_with("digraph dot {\n"));
  EXPECT_NE(text.find("MEMSET"), std::string::npos);
  EXPECT_NE(text.find("iotaKernel\\n<<<4,1,1; 8,1,1; 0>>>"), std::string::npos) << text;
  EXPECT_NE(text.find("\"graph_1_node_0\" -> \"graph_1_node_1\";"), std::string::npos) << text;
  EXPECT_EQ(cudaGraphDebugDotPrint(graph, "/absent/graph.dot", 0), cudaErrorOperatingSystem);
  std::remove(path.c_str());
}

} // namespace
