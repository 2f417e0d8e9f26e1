//===- graphs.cpp - Graphs through both interfaces --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: graphs MODULE
//
// The runtime API makes and launches the graphs, and the driver API changes them. The kernel is
// that of a module.
//
//===----------------------------------------------------------------------===//
#include "expect_code.h"

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int count = 300, threads = 64, blocks = (count + threads - 1) / threads;

/// Multiplies by a factor, and adds 5.
struct Kernel {
  CUfunction function = nullptr;
  int *values = nullptr;
  int number = count, factor = 1;
  void *arguments[3] = {&values, &number, &factor};
  Kernel() = default;
  Kernel(const Kernel &) = delete;
};

static void run(cudaGraph_t graph, const Kernel &kernel, int wanted) {
  std::vector<int> values(count, 2);
  CHECK(cudaMemcpy(kernel.values, values.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, nullptr));
  CHECK(cudaMemcpy(values.data(), kernel.values, count * sizeof(int), cudaMemcpyDeviceToHost));
  for (int value : values)
    expect(value, wanted, "value", wanted);
  CHECK(cudaGraphExecDestroy(executable));
}

static void testBuilt(Kernel &kernel) {
  cudaGraph_t graph = nullptr;
  CUgraph clone = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaKernelNodeParams launch = {};
  launch.func = reinterpret_cast<void *>(kernel.function);
  launch.gridDim = blocks;
  launch.blockDim = threads;
  launch.sharedMemBytes = threads * sizeof(int);
  launch.kernelParams = kernel.arguments;
  CHECK(cudaGraphCreate(&graph, 0));
  kernel.factor = 3;
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &launch));
  CHECK(cuGraphClone(&clone, graph));
  CUDA_KERNEL_NODE_PARAMS changed = {};
  changed.func = kernel.function;
  changed.gridDimX = blocks;
  changed.blockDimX = threads;
  changed.gridDimY = changed.gridDimZ = changed.blockDimY = changed.blockDimZ = 1;
  changed.sharedMemBytes = threads * sizeof(int);
  changed.kernelParams = kernel.arguments;
  kernel.factor = 7;
  CHECK(cuGraphKernelNodeSetParams(node, &changed));
  run(graph, kernel, 2 * 7 + 5);
  run(clone, kernel, 2 * 3 + 5);
  changed.blockDimX = 0;
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphKernelNodeSetParams(node, nullptr));
  expect(cuGraphKernelNodeSetParams(node, &changed) != CUDA_SUCCESS, 1, "no threads", __LINE__);
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(clone));
}

/// The second launch is captured as if the first one were not there.
static void testCaptured(Kernel &kernel) {
  CUstream stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  kernel.factor = 3;
  auto launch = [&] {
    CHECK(cuLaunchKernel(kernel.function, blocks, 1, 1, threads, 1, 1, threads * sizeof(int),
                         stream, kernel.arguments, nullptr));
  };
  launch();
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  CUgraph graph = nullptr;
  cudaGraph_t captured = nullptr;
  cuuint64_t id = 0, same = 0;
  const CUgraphNode *nodes = nullptr;
  const CUgraphEdgeData *edges = nullptr;
  size_t nodeCount = 0;
  CHECK(cuStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &nodeCount));
  expect(status, CU_STREAM_CAPTURE_STATUS_ACTIVE, "status", __LINE__);
  expect(int(nodeCount), 1, "dependencies", __LINE__);
  CUgraphNode first = nodeCount ? nodes[0] : nullptr;
  CHECK(cuStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0,
                                          CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  CHECK(cuStreamGetCaptureInfo(stream, &status, &same, &graph, &nodes, &edges, &nodeCount));
  expect(id == same, 1, "one capture", __LINE__);
  expect(int(nodeCount), 0, "dependencies", __LINE__);
  CHECK(cuStreamUpdateCaptureDependencies(stream, &first, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
  launch();
  CHECK(cudaStreamEndCapture(stream, &captured));
  CHECK(cuStreamGetCaptureInfo(stream, &status));
  expect(status, CU_STREAM_CAPTURE_STATUS_NONE, "status", __LINE__);
  run(captured, kernel, (2 * 3 + 5) * 3 + 5);
  CHECK(cuGraphClone(&graph, captured));
  CHECK(cudaGraphDestroy(captured));
  run(graph, kernel, (2 * 3 + 5) * 3 + 5);
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}

int main(int argc, char **argv) {
  CUmodule module = nullptr;
  Kernel kernel;
  CHECK(cudaSetDevice(0));
  CHECK(cudaMalloc(&kernel.values, count * sizeof(int)));
  CHECK(cuModuleLoad(&module, argv[1]));
  CHECK(cuModuleGetFunction(&kernel.function, module, "scale"));
  testBuilt(kernel);
  testCaptured(kernel);
  CHECK(cudaFree(kernel.values));
  CHECK(cuModuleUnload(module));
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
