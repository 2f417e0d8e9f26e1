//===- capture_dependencies.cu - Nodes added during a capture ---*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program adds nodes to the graph that it captures, decides on which nodes the capture continues,
// captures into a graph that it builds, and takes captured graphs as children and copies.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -o %t.x %s
// RUN: timeout 60 %t.x | FileCheck %s
// RUN: %regrain cc --targets=cpu --default-stream=per-thread --coarsen='*:block.x=2' -o %t.y %s
// RUN: timeout 60 %t.y | FileCheck %s
// CHECK: capture_dependencies: ok
#include "expect.h"

constexpr unsigned threads = 64, blocks = 5, count = threads * blocks - 3;

__global__ void scale(unsigned *data, unsigned factor, unsigned summand, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = data[i] * factor + summand + i;
}

static void scaleOnHost(std::vector<unsigned> &data, unsigned factor, unsigned summand) {
  for (unsigned i = 0; i < count; ++i)
    data[i] = data[i] * factor + summand + i;
}

static void launchScale(cudaStream_t stream, unsigned *data, unsigned factor, unsigned summand) {
  scale<<<blocks, threads, 0, stream>>>(data, factor, summand, count);
}

static void run(cudaGraph_t graph, unsigned times = 1) {
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (unsigned i = 0; i < times; ++i)
    CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaGraphExecDestroy(executable));
}

static void compare(const char *what, const DeviceArray<unsigned> &data,
                    const std::vector<unsigned> &wanted) {
  std::vector<unsigned> got = data.host();
  for (unsigned i = 0; i < count; ++i)
    expectEqual(what, i, got[i], wanted[i]);
}

struct Capturing {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaGraph_t graph = nullptr;
  std::vector<cudaGraphNode_t> nodes;

  explicit Capturing(cudaStream_t stream) {
    const cudaGraphNode_t *dependencies = nullptr;
    size_t nodeCount = 0;
    unsigned long long id = 0;
    CHECK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &dependencies, &nodeCount));
    nodes.assign(dependencies, dependencies + nodeCount);
  }
};

/// Between two captured launches come a launch and a copy that the program adds.
static void testAddedNodes(cudaStream_t stream) {
  DeviceArray<unsigned> data(count), copy(count);
  std::vector<unsigned> wanted(count), wantedCopy;
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launchScale(stream, data, 3, 1);
  Capturing before(stream);
  expectEqual("status", 0, before.status, cudaStreamCaptureStatusActive);
  expectEqual("dependencies", 0, before.nodes.size(), 1);
  unsigned *pointer = data, factor = 5, summand = 2, n = count;
  void *arguments[] = {&pointer, &factor, &summand, &n};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void *>(scale);
  kernel.gridDim = blocks;
  kernel.blockDim = threads;
  kernel.kernelParams = arguments;
  cudaGraphNode_t added[2] = {};
  CHECK(cudaGraphAddKernelNode(&added[0], before.graph, before.nodes.data(), 1, &kernel));
  CHECK(cudaGraphAddMemcpyNode1D(&added[1], before.graph, &added[0], 1, copy, pointer,
                                 count * sizeof(unsigned), cudaMemcpyDeviceToDevice));
  CHECK(
      cudaStreamUpdateCaptureDependencies(stream, &added[1], 1, cudaStreamSetCaptureDependencies));
  Capturing after(stream);
  expect(after.nodes.size() == 1 && after.nodes[0] == added[1], "new dependency", 0, 0, 1);
  launchScale(stream, data, 7, 3);
  CHECK(cudaStreamEndCapture(stream, &graph));
  run(graph);
  scaleOnHost(wanted, 3, 1);
  scaleOnHost(wanted, 5, 2);
  wantedCopy = wanted;
  scaleOnHost(wanted, 7, 3);
  compare("added nodes", data, wanted);
  compare("copy", copy, wantedCopy);
  CHECK(cudaGraphDestroy(graph));
}

/// Two branches of one stream: the second starts anew, and the third launch waits for both.
static void testBranches(cudaStream_t stream) {
  DeviceArray<unsigned> left(count), right(count);
  std::vector<unsigned> wantedLeft(count), wantedRight(count);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launchScale(stream, left, 3, 1);
  Capturing first(stream);
  CHECK(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0,
                                            cudaStreamSetCaptureDependencies));
  expectEqual("dependencies", 0, Capturing(stream).nodes.size(), 0);
  launchScale(stream, right, 2, 9);
  cudaGraphEdgeData plain = {};
  CHECK(cudaStreamUpdateCaptureDependencies(stream, first.nodes.data(), &plain, 1,
                                            cudaStreamAddCaptureDependencies));
  expectEqual("dependencies", 1, Capturing(stream).nodes.size(), 2);
  launchScale(stream, left, 11, 4);
  CHECK(cudaStreamEndCapture(stream, &graph));
  run(graph);
  scaleOnHost(wantedLeft, 3, 1);
  scaleOnHost(wantedLeft, 11, 4);
  scaleOnHost(wantedRight, 2, 9);
  compare("left", left, wantedLeft);
  compare("right", right, wantedRight);
  CHECK(cudaGraphDestroy(graph));
}

/// Fills, then runs what was captured into the graph, then copies.
static void testCaptureToGraph(cudaStream_t stream) {
  DeviceArray<unsigned> data(count), copy(count);
  std::vector<unsigned> wanted(count, 0x01010101);
  cudaGraph_t graph = nullptr, captured = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams fill = {};
  fill.dst = data;
  fill.value = 1;
  fill.elementSize = 1;
  fill.width = count * sizeof(unsigned);
  fill.height = 1;
  cudaGraphNode_t filled = nullptr, copied = nullptr;
  CHECK(cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill));
  CHECK(cudaStreamBeginCaptureToGraph(stream, graph, &filled, nullptr, 1,
                                      cudaStreamCaptureModeGlobal));
  launchScale(stream, data, 3, 1);
  launchScale(stream, data, 5, 2);
  CHECK(cudaStreamEndCapture(stream, &captured));
  expect(captured == graph, "captured graph", 0, 0, 1);
  std::vector<cudaGraphNode_t> leaves(2);
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  leaves.resize(nodes);
  CHECK(cudaGraphGetNodes(graph, leaves.data(), &nodes));
  CHECK(cudaGraphAddMemcpyNode1D(&copied, graph, &leaves.back(), 1, copy,
                                 static_cast<unsigned *>(data), count * sizeof(unsigned),
                                 cudaMemcpyDeviceToDevice));
  run(graph, 2); // each launch begins with the fill
  scaleOnHost(wanted, 3, 1);
  scaleOnHost(wanted, 5, 2);
  compare("capture to graph", copy, wanted);
  CHECK(cudaGraphDestroy(graph));
}

/// A captured graph is copied, and is the child of two nodes of a built one, in a row.
static void testChildren(cudaStream_t stream) {
  DeviceArray<unsigned> data(count);
  std::vector<unsigned> wanted(count);
  cudaGraph_t captured = nullptr, clone = nullptr, parent = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launchScale(stream, data, 3, 1);
  launchScale(stream, data, 5, 2);
  CHECK(cudaStreamEndCapture(stream, &captured));
  CHECK(cudaGraphClone(&clone, captured));
  CHECK(cudaGraphCreate(&parent, 0));
  cudaGraphNode_t first = nullptr, second = nullptr;
  CHECK(cudaGraphAddChildGraphNode(&first, parent, nullptr, 0, captured));
  CHECK(cudaGraphAddChildGraphNode(&second, parent, &first, 1, clone));
  CHECK(cudaGraphDestroy(captured));
  run(clone);
  run(parent);
  for (unsigned i = 0; i < 3; ++i) {
    scaleOnHost(wanted, 3, 1);
    scaleOnHost(wanted, 5, 2);
  }
  compare("children", data, wanted);
  CHECK(cudaGraphDestroy(clone));
  CHECK(cudaGraphDestroy(parent));
}

int main() {
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  testAddedNodes(stream);
  testBranches(stream);
  testCaptureToGraph(stream);
  testChildren(stream);
  CHECK(cudaStreamDestroy(stream));
  return verdict("capture_dependencies");
}
