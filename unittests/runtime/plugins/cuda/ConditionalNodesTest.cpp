//===- cuda/ConditionalNodesTest.cpp - Conditional nodes on NVIDIA --------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// test/e2e/programs/conditional_nodes.cu tests what such graphs compute.
//
//===----------------------------------------------------------------------===//
#include "runtime/core/built_graph.h"
#include "runtime/plugins/cuda/device.h"
#include "unittests/runtime/plugins/cuda/fake_driver.h"

#include <gtest/gtest.h>

#include <set>

using namespace regrain;

namespace {

class ConditionalNodes : public testing::Test {
protected:
  void SetUp() override {
    fakeDriver().reset();
    std::string reason;
    ASSERT_EQ(cuda::loadDriver("libcuda.so.1", driver, reason), cudaSuccess) << reason;
    ASSERT_EQ(device.bindThread(), cudaSuccess);
  }

  std::shared_ptr<unsigned> makeValue() {
    std::shared_ptr<unsigned> value;
    EXPECT_EQ(device.makeConditionValue(value, reason), cudaSuccess) << reason;
    return value;
  }
  cudaError_t refusal() {
    std::shared_ptr<unsigned> value;
    cudaError_t status = device.makeConditionValue(value, reason);
    EXPECT_EQ(value, nullptr);
    return status;
  }
  /// Makes a node for a graph whose bodies have a kernel each; `bodyCalls` notes the kernel's
  /// place.
  BuiltGraph::Node makeNode(cudaGraphConditionalNodeType type, size_t size) {
    BuiltGraph::Node node = {};
    node.type = cudaGraphNodeTypeConditional;
    node.conditional =
        std::make_shared<ConditionalNode>(type, Condition{makeValue(), std::nullopt}, size);
    for (auto &body : node.conditional->bodies) {
      BuiltGraph::Node kernel = {};
      kernel.type = cudaGraphNodeTypeKernel;
      kernel.work = [](Device &, cudaStream_t) {
        fakeDriver().calls.push_back("kernel");
        return cudaSuccess;
      };
      body->add(std::move(kernel));
    }
    return node;
  }
  /// Returns the calls that make nodes, and begin and end captures.
  static std::vector<std::string> steps() {
    const std::set<std::string> wanted = {"kernel",
                                          "cuStreamBeginCapture_v2",
                                          "cuGraphConditionalHandleCreate",
                                          "cuLaunchKernel",
                                          "cuGraphAddNode_v2",
                                          "cuStreamUpdateCaptureDependencies",
                                          "cuStreamBeginCaptureToGraph",
                                          "cuStreamEndCapture",
                                          "cuGraphDestroy"};
    std::vector<std::string> found;
    for (const std::string &call : fakeDriver().calls)
      if (wanted.contains(call))
        found.push_back(call);
    return found;
  }

  std::string reason;
  cuda::Driver driver;
  cuda::CudaDevice device = cuda::CudaDevice(driver, 0);
};

TEST_F(ConditionalNodes, ALoop_IsDecidedBeforeAndAfterItsBody) {
  BuiltGraph graph;
  graph.add(makeNode(cudaGraphCondTypeWhile, 1));
  uint64_t address = graph.nodes()[0].conditional->condition.handle();
  cudaGraph_t captured = nullptr;
  ASSERT_EQ(graph.capture(device, captured), cudaSuccess);
  std::vector<std::string> wanted = {"cuStreamBeginCapture_v2",
                                     "cuGraphConditionalHandleCreate",
                                     "cuLaunchKernel",
                                     "cuGraphAddNode_v2",
                                     "cuStreamUpdateCaptureDependencies",
                                     "cuStreamBeginCaptureToGraph",
                                     "kernel",
                                     "cuLaunchKernel",
                                     "cuStreamEndCapture",
                                     "cuStreamEndCapture"};
  EXPECT_EQ(steps(), wanted);
  std::pair<uint64_t, uint64_t> parameters = {100, address};
  EXPECT_EQ(fakeDriver().setterParameters, (std::vector{parameters, parameters}));
  ASSERT_EQ(fakeDriver().conditionalNodes.size(), 1u);
  const cuda::DriverConditionalNode &node = fakeDriver().conditionalNodes[0];
  EXPECT_EQ(node.type, cudaGraphNodeTypeConditional);
  EXPECT_EQ(node.handle, 100u);
  EXPECT_EQ(node.kind, cudaGraphCondTypeWhile);
  EXPECT_EQ(node.size, 1u);
  EXPECT_NE(node.context, nullptr);
  EXPECT_EQ(sizeof node, 256u) << "as CUgraphNodeParams";
}

TEST_F(ConditionalNodes, BothBodiesOfAnIf_AreCaptured) {
  BuiltGraph graph;
  graph.add(makeNode(cudaGraphCondTypeIf, 2));
  cudaGraph_t captured = nullptr;
  ASSERT_EQ(graph.capture(device, captured), cudaSuccess);
  std::vector<std::string> wanted = {"cuStreamBeginCapture_v2",
                                     "cuGraphConditionalHandleCreate",
                                     "cuLaunchKernel",
                                     "cuGraphAddNode_v2",
                                     "cuStreamUpdateCaptureDependencies",
                                     "cuStreamBeginCaptureToGraph",
                                     "kernel",
                                     "cuStreamEndCapture",
                                     "cuStreamBeginCaptureToGraph",
                                     "kernel",
                                     "cuStreamEndCapture",
                                     "cuStreamEndCapture"};
  EXPECT_EQ(steps(), wanted);
}

TEST_F(ConditionalNodes, ANestedNode_IsMadeInTheBody) {
  BuiltGraph graph;
  BuiltGraph::Node loop = makeNode(cudaGraphCondTypeWhile, 1);
  loop.conditional->bodies[0]->remove(0);
  loop.conditional->bodies[0]->add(makeNode(cudaGraphCondTypeIf, 1));
  graph.add(std::move(loop));
  cudaGraph_t captured = nullptr;
  ASSERT_EQ(graph.capture(device, captured), cudaSuccess);
  std::vector<std::string> wanted = {"cuStreamBeginCapture_v2",
                                     "cuGraphConditionalHandleCreate",
                                     "cuLaunchKernel",
                                     "cuGraphAddNode_v2",
                                     "cuStreamUpdateCaptureDependencies",
                                     "cuStreamBeginCaptureToGraph",
                                     "cuGraphConditionalHandleCreate",
                                     "cuLaunchKernel",
                                     "cuGraphAddNode_v2",
                                     "cuStreamUpdateCaptureDependencies",
                                     "cuStreamBeginCaptureToGraph",
                                     "kernel",
                                     "cuStreamEndCapture",
                                     "cuLaunchKernel",
                                     "cuStreamEndCapture",
                                     "cuStreamEndCapture"};
  EXPECT_EQ(steps(), wanted);
  ASSERT_EQ(fakeDriver().setterParameters.size(), 3u);
  EXPECT_EQ(fakeDriver().setterParameters[0], fakeDriver().setterParameters[2]);
  EXPECT_EQ(fakeDriver().setterParameters[1].first, 101u);
}

/// The driver destroys a body with its graph.
TEST_F(ConditionalNodes, AFailure_EndsAllCaptures) {
  BuiltGraph graph;
  BuiltGraph::Node loop = makeNode(cudaGraphCondTypeWhile, 1);
  loop.conditional->bodies[0]->nodes()[0].work = [](Device &, cudaStream_t) {
    return cudaErrorInvalidConfiguration;
  };
  graph.add(std::move(loop));
  cudaGraph_t captured = nullptr;
  EXPECT_EQ(graph.capture(device, captured), cudaErrorInvalidConfiguration);
  EXPECT_EQ(fakeDriver().bodiesInProgress, 0);
  EXPECT_EQ(fakeDriver().captureStatus, cudaStreamCaptureStatusNone);
  EXPECT_FALSE(fakeDriver().called("cuGraphDestroy"));
}

TEST_F(ConditionalNodes, TheDriversErrors_AreReturned) {
  BuiltGraph graph;
  graph.add(makeNode(cudaGraphCondTypeSwitch, 2));
  cudaGraph_t captured = nullptr;
  for (const char *call : {"cuGraphConditionalHandleCreate", "cuLaunchKernel", "cuGraphAddNode_v2",
                           "cuStreamUpdateCaptureDependencies", "cuStreamBeginCaptureToGraph"}) {
    fakeDriver().results = {{call, CUDA_ERROR_INVALID_VALUE}};
    EXPECT_EQ(graph.capture(device, captured), cudaErrorInvalidValue) << call;
  }
}

TEST_F(ConditionalNodes, AValue_IsAssignedInOrder) {
  std::shared_ptr<unsigned> value = makeValue();
  EXPECT_EQ(device.assignConditionValue(value.get(), 1, nullptr), cudaSuccess);
  EXPECT_TRUE(fakeDriver().called("cuMemsetD32Async"));
}

TEST_F(ConditionalNodes, Values_ShareMemoryAndTheSetter) {
  std::set<unsigned *> places;
  std::vector<std::shared_ptr<unsigned>> values;
  for (int i = 0; i < 300; ++i) {
    values.push_back(makeValue());
    places.insert(values.back().get());
  }
  EXPECT_EQ(places.size(), 300u);
  values.pop_back();
  EXPECT_TRUE(places.contains(makeValue().get())) << "a place is used again";
  auto times = [](const char *call) {
    return std::count(fakeDriver().calls.begin(), fakeDriver().calls.end(), call);
  };
  EXPECT_EQ(times("cuMemAlloc_v2"), 2);
  EXPECT_EQ(times("cuModuleLoadDataEx"), 1);
  EXPECT_NE(fakeDriver().loadedCode.find(".extern .func cudaGraphSetConditional"),
            std::string::npos);
  ASSERT_EQ(device.reset(), cudaSuccess);
  ASSERT_EQ(device.bindThread(), cudaSuccess);
  values.clear();
  EXPECT_FALSE(places.contains(makeValue().get())) << "memory from before the reset is gone";
  EXPECT_EQ(times("cuModuleLoadDataEx"), 2);
}

TEST_F(ConditionalNodes, AnOldDriver_IsRefused) {
  driver.graphAddNode = nullptr;
  EXPECT_EQ(refusal(), cudaErrorNotSupported);
  EXPECT_NE(reason.find("too old"), std::string::npos) << reason;
  EXPECT_FALSE(fakeDriver().called("cuModuleLoadDataEx"));
}

TEST_F(ConditionalNodes, ADriverThatDoesNotLinkTheSetter_IsRefused) {
  fakeDriver().results["cuModuleLoadDataEx"] = static_cast<CUresult>(cudaErrorInvalidPtx);
  fakeDriver().jitLog = "unresolved";
  EXPECT_EQ(refusal(), cudaErrorNotSupported);
  EXPECT_NE(reason.find("unresolved"), std::string::npos) << reason;
  fakeDriver().results["cuModuleLoadDataEx"] = CUDA_ERROR_OUT_OF_MEMORY;
  EXPECT_EQ(refusal(), cudaErrorMemoryAllocation);
}

} // namespace
