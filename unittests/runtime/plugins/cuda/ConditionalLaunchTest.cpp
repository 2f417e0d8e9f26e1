//===- cuda/ConditionalLaunchTest.cpp - Launches with conditions ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the driver is asked for a launch, and for the nodes of a capture in progress.
//
//===----------------------------------------------------------------------===//
#include "include/cuda/cuda_runtime_api.h"
#include "unittests/runtime/plugins/cuda/fake_driver.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace {

class ConditionalLaunch : public testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("REGRAIN_DEVICE", "cuda", /*overwrite=*/1);
    setenv("REGRAIN_DB", "off", /*overwrite=*/1);
  }
  void SetUp() override {
    fakeDriver().reset();
    fakeDriver().captureStatus = cudaStreamCaptureStatusNone;
  }

  /// Adds a loop to the graph, whose body is returned.
  static cudaGraph_t addLoop(cudaGraph_t graph, unsigned flags) {
    cudaGraphConditionalHandle handle = 0;
    EXPECT_EQ(cudaGraphConditionalHandleCreate(&handle, graph, 3, flags), cudaSuccess);
    cudaGraphNodeParams parameters = {};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = handle;
    parameters.conditional.type = cudaGraphCondTypeWhile;
    parameters.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddNode(&node, graph, nullptr, 0, &parameters), cudaSuccess);
    return parameters.conditional.phGraph_out ? parameters.conditional.phGraph_out[0] : nullptr;
  }
  static cudaGraphExec_t instantiate(cudaGraph_t graph) {
    auto executable = reinterpret_cast<cudaGraphExec_t>(64); // the fake driver gives none
    EXPECT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    return executable;
  }
  static std::vector<std::string> callsOfLaunch(cudaGraphExec_t executable) {
    fakeDriver().calls.clear();
    EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
    return only(
        {"cuStreamWaitEvent", "cuMemsetD32Async", "cuGraphLaunch", "cuEventRecordWithFlags"});
  }
  static std::vector<std::string> only(const std::set<std::string> &wanted) {
    std::vector<std::string> found;
    for (const std::string &call : fakeDriver().calls)
      if (wanted.contains(call))
        found.push_back(call);
    return found;
  }
};

using Calls = std::vector<std::string>;

TEST_F(ConditionalLaunch, Launches_AssignTheValueAndWaitForEachOther) {
  cudaGraph_t graph = nullptr, plain = nullptr;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  addLoop(graph, cudaGraphCondAssignDefault);
  addLoop(graph, 0);
  cudaGraphExec_t executable = instantiate(graph);
  EXPECT_EQ(callsOfLaunch(executable),
            (Calls{"cuMemsetD32Async", "cuGraphLaunch", "cuEventRecordWithFlags"}));
  EXPECT_EQ(callsOfLaunch(executable), (Calls{"cuStreamWaitEvent", "cuMemsetD32Async",
                                              "cuGraphLaunch", "cuEventRecordWithFlags"}));
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  ASSERT_EQ(cudaGraphCreate(&plain, 0), cudaSuccess);
  EXPECT_EQ(callsOfLaunch(instantiate(plain)), Calls{"cuGraphLaunch"});
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(plain), cudaSuccess);
}

TEST_F(ConditionalLaunch, ADriverWithoutTheFunction_GivesNoHandle) {
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess); // the function may have been loaded
  fakeDriver().results["cuModuleLoadDataEx"] = static_cast<CUresult>(cudaErrorInvalidPtx);
  cudaGraph_t graph = nullptr;
  cudaGraphConditionalHandle handle = 5;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0), cudaErrorNotSupported);
  EXPECT_EQ(handle, 5u);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

/// Code is loaded and memory allocated although the thread captures.
TEST_F(ConditionalLaunch, AHandleDuringACapture_IsMadeInTheRelaxedMode) {
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  cudaGraph_t graph = nullptr;
  cudaGraphConditionalHandle handle = 0;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  fakeDriver().captureModesOfLoading.clear();
  EXPECT_EQ(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0), cudaSuccess);
  EXPECT_EQ(fakeDriver().captureModesOfLoading, std::vector<int>{cudaStreamCaptureModeRelaxed});
  EXPECT_EQ(fakeDriver().captureMode, cudaStreamCaptureModeGlobal);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

} // namespace
