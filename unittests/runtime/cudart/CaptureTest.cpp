//===- cudart/CaptureTest.cpp - Capture on the CPU device -----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These are the cases that runtime/conformance does not ask of every device.
//
//===----------------------------------------------------------------------===//
#include "unittests/runtime/cudart/Program.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

using namespace regrain::test;

namespace {

void add(void *counter) { ++*static_cast<std::atomic<int> *>(counter); }

void ignore(cudaStream_t, cudaError_t, void *) {}

class Capture : public testing::Test {
protected:
  void SetUp() override {
    useProgram();
    for (cudaStream_t *stream : {&first, &second})
      ASSERT_EQ(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), cudaSuccess);
    for (cudaEvent_t *event : {&fork, &joined})
      ASSERT_EQ(cudaEventCreate(event), cudaSuccess);
  }
  void TearDown() override {
    for (cudaStream_t stream : {first, second})
      if (stream)
        EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    for (cudaEvent_t event : {fork, joined})
      EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
    static_cast<void>(cudaGetLastError());
  }

  void begin() {
    ASSERT_EQ(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal), cudaSuccess);
  }
  /// Ends the capture that a call has invalidated.
  void endSpoilt() {
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(graph, nullptr);
  }

  cudaStream_t first = nullptr, second = nullptr;
  cudaEvent_t fork = nullptr, joined = nullptr;
};

TEST_F(Capture, CallsThatNoGraphHolds_SpoilIt) {
  begin();
  EXPECT_EQ(cudaStreamAddCallback(first, ignore, nullptr, 0), cudaErrorStreamCaptureUnsupported);
  endSpoilt();
  void *pointer = nullptr;
  ASSERT_EQ(cudaMallocManaged(&pointer, 64, cudaMemAttachGlobal), cudaSuccess);
  begin();
  EXPECT_EQ(cudaStreamAttachMemAsync(first, pointer), cudaErrorStreamCaptureUnsupported);
  endSpoilt();
  begin();
  EXPECT_EQ(cudaMemPrefetchAsync(pointer, 64, 0, first), cudaErrorStreamCaptureUnsupported);
  endSpoilt();
  begin();
  EXPECT_EQ(cudaFree(pointer), cudaErrorStreamCaptureUnsupported);
  endSpoilt();
  ASSERT_EQ(cudaFree(pointer), cudaSuccess);
}

TEST_F(Capture, ExternalEvents_BecomeNodes) {
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaEventRecord(fork, second), cudaSuccess);
  begin();
  EXPECT_EQ(cudaStreamWaitEvent(first, fork, cudaEventWaitExternal), cudaSuccess);
  EXPECT_EQ(cudaEventRecordWithFlags(fork, first, cudaEventRecordExternal), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(fork), cudaSuccess) << "it is recorded in no capture";
  ASSERT_EQ(cudaStreamEndCapture(first, &graph), cudaSuccess);
  cudaGraphNode_t nodes[3] = {};
  size_t count = 3;
  ASSERT_EQ(cudaGraphGetNodes(graph, nodes, &count), cudaSuccess);
  ASSERT_EQ(count, 2u);
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  EXPECT_EQ(cudaGraphNodeGetType(nodes[0], &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeWaitEvent);
  EXPECT_EQ(cudaGraphNodeGetType(nodes[1], &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeEventRecord);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Capture, OtherStreams_AllocateInTheirOrder) {
  void *pointer = nullptr;
  cudaGraph_t graph = nullptr;
  begin();
  EXPECT_EQ(cudaMallocAsync(&pointer, 64, second), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(pointer, 0, 64, second), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(pointer, second), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(first, &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Capture, AnEventThatWasNeverRecorded_IsNothingToWaitFor) {
  cudaGraph_t graph = nullptr;
  begin();
  EXPECT_EQ(cudaStreamWaitEvent(first, fork), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(first, &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Capture, AnEventOfACaptureThatIsOver_StandsForNothing) {
  cudaGraph_t graph = nullptr;
  begin();
  ASSERT_EQ(cudaEventRecord(fork, first), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(first, &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  float milliseconds = 0;
  EXPECT_EQ(cudaEventQuery(fork), cudaErrorCapturedEvent);
  EXPECT_EQ(cudaEventSynchronize(fork), cudaErrorCapturedEvent);
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, fork, fork), cudaErrorCapturedEvent);
  EXPECT_EQ(cudaStreamWaitEvent(second, fork), cudaErrorCapturedEvent);
  // This holds until it is recorded again.
  ASSERT_EQ(cudaEventRecord(fork, second), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(fork), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(first, fork), cudaSuccess);
}

TEST_F(Capture, ADestroyedStream_TakesItsCaptureAlong) {
  begin();
  ASSERT_EQ(cudaEventRecord(fork, first), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second, fork), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(first), cudaSuccess);
  first = nullptr;
  EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(Capture, WorkOfADestroyedStream_IsMissed) {
  std::atomic<int> count = 0;
  cudaGraph_t graph = nullptr;
  begin();
  ASSERT_EQ(cudaEventRecord(fork, first), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second, fork), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(second, add, &count), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(second), cudaSuccess);
  second = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureUnjoined);
}

TEST_F(Capture, DependenciesAreThoseOfTheEvents) {
  std::atomic<int> count = 0;
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const cudaGraphNode_t *dependencies = nullptr;
  size_t number = 0;
  begin();
  ASSERT_EQ(cudaEventRecord(fork, first), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second, fork), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(second, add, &count), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(first, add, &count), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(joined, second), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(first, joined), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(first, joined), cudaSuccess); // adds nothing
  ASSERT_EQ(cudaStreamGetCaptureInfo(first, &status, nullptr, nullptr, &dependencies, &number),
            cudaSuccess);
  EXPECT_EQ(number, 2u);
  EXPECT_NE(dependencies[0], dependencies[1]);
  ASSERT_EQ(cudaStreamEndCapture(first, &graph), cudaSuccess);
  cudaGraphNode_t nodes[4] = {};
  size_t room = 4;
  ASSERT_EQ(cudaGraphGetNodes(graph, nodes, &room), cudaSuccess);
  EXPECT_EQ(room, 2u);
  EXPECT_EQ(nodes[2], nullptr);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

/// The work of a node, which lasts until it is released.
struct Gate {
  std::atomic<int> entered = 0;
  std::atomic<bool> isOpen = false;

  static void pass(void *gate) {
    auto &self = *static_cast<Gate *>(gate);
    ++self.entered;
    while (!self.isOpen)
      std::this_thread::yield();
  }
};

TEST_F(Capture, ALaunch_WaitsForTheLastOneInAnotherStream) {
  Gate gate;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  begin();
  ASSERT_EQ(cudaLaunchHostFunc(first, Gate::pass, &gate), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(first, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, first), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, second), cudaSuccess);
  while (gate.entered == 0)
    std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(gate.entered, 1);
  gate.isOpen = true;
  EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(gate.entered, 2);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

TEST_F(Capture, UnknownHandles_AreRefused) {
  auto *graph = reinterpret_cast<cudaGraph_t>(this);
  auto *executable = reinterpret_cast<cudaGraphExec_t>(this);
  cudaGraphExecUpdateResultInfo result;
  size_t count = 0;
  for (cudaError_t status :
       {cudaGraphDestroy(graph), cudaGraphExecDestroy(executable),
        cudaGraphLaunch(executable, first), cudaGraphUpload(executable, first),
        cudaGraphInstantiate(&executable, graph), cudaGraphGetNodes(graph, nullptr, &count),
        cudaGraphExecUpdate(executable, graph, &result), cudaGraphCreate(&graph, 1),
        cudaStreamBeginCapture(first, cudaStreamCaptureMode(7))})
    EXPECT_EQ(status, cudaErrorInvalidValue);
  auto *stream = reinterpret_cast<cudaStream_t>(this);
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorInvalidResourceHandle);
}

/// A kernel that fails in a graph leaves its error like any other.
TEST_F(Capture, AFailingKernel_FailsTheDevice) {
  EXPECT_EXIT(
      {
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
        begin();
        EXPECT_EQ(launch(&shadows.trap, 1, 1, 0, first), cudaSuccess);
        ASSERT_EQ(cudaStreamEndCapture(first, &graph), cudaSuccess);
        ASSERT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
        EXPECT_EQ(cudaGraphLaunch(executable, first), cudaSuccess);
        EXPECT_EQ(cudaStreamSynchronize(first), cudaErrorLaunchFailure);
        EXPECT_EQ(cudaGraphLaunch(executable, first), cudaErrorLaunchFailure);
        _exit(testing::Test::HasFailure());
      },
      testing::ExitedWithCode(0), "");
}

} // namespace
