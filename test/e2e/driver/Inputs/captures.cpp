//===- captures.cpp - Captures, graphs and pools of the driver --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: captures MODULE
//
// The driver API alone makes, changes and launches the graphs. The kernel is that of a module.
//
//===----------------------------------------------------------------------===//
#include "expect_code.h"

#include <cuda.h>

#include <cstdio>
#include <vector>

constexpr int count = 300, threads = 64, blocks = (count + threads - 1) / threads;

/// Multiplies by a factor, and adds 5.
struct Kernel {
  CUfunction function = nullptr;
  CUdeviceptr values = 0;
  int number = count, factor = 1;
  void *arguments[3] = {&values, &number, &factor};
  Kernel() = default;
  Kernel(const Kernel &) = delete;

  CUDA_KERNEL_NODE_PARAMS launch() {
    CUDA_KERNEL_NODE_PARAMS launch = {};
    launch.func = function;
    launch.gridDimX = blocks;
    launch.blockDimX = threads;
    launch.gridDimY = launch.gridDimZ = launch.blockDimY = launch.blockDimZ = 1;
    launch.sharedMemBytes = threads * sizeof(int);
    launch.kernelParams = arguments;
    return launch;
  }
};

static void expectValues(const Kernel &kernel, int wanted, int line) {
  std::vector<int> values(count);
  CHECK(cuMemcpyDtoH(values.data(), kernel.values, count * sizeof(int)));
  for (int value : values)
    expect(value, wanted, "value", line);
}

static void testCapture(Kernel &kernel, CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  CHECK(cuThreadExchangeStreamCaptureMode(&mode));
  expect(mode, CU_STREAM_CAPTURE_MODE_GLOBAL, "mode", __LINE__);
  CHECK(cuThreadExchangeStreamCaptureMode(&mode));
  expect(mode, CU_STREAM_CAPTURE_MODE_RELAXED, "mode", __LINE__);
  CHECK(cuStreamIsCapturing(stream, &status));
  expect(status, CU_STREAM_CAPTURE_STATUS_NONE, "status", __LINE__);
  CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  CHECK(cuStreamIsCapturing(stream, &status));
  expect(status, CU_STREAM_CAPTURE_STATUS_ACTIVE, "status", __LINE__);
  kernel.factor = 3;
  CHECK(cuMemsetD32Async(kernel.values, 0x01010101, count, stream));
  CHECK(cuLaunchKernel(kernel.function, blocks, 1, 1, threads, 1, 1, threads * sizeof(int), stream,
                       kernel.arguments, nullptr));
  CUgraph graph = nullptr;
  CHECK(cuStreamEndCapture(stream, &graph));
  CUgraphExec executable = nullptr;
  CHECK(cuGraphInstantiate(&executable, graph, 0));
  CHECK(cuGraphUpload(executable, stream));
  CHECK(cuGraphLaunch(executable, stream));
  CHECK(cuStreamSynchronize(stream));
  expectValues(kernel, 0x01010101 * 3 + 5, __LINE__);
  CHECK(cuGraphExecDestroy(executable));
  CHECK(cuGraphDestroy(graph));
}

/// A fill that a device cannot have in a graph is refused.
static void testCapturedFill(Kernel &kernel, CUstream stream) {
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  CUresult filled = cuMemsetD32Async(kernel.values, 2, count, stream);
  CHECK(cuStreamEndCapture(stream, &graph));
  if (filled == CUDA_SUCCESS) {
    CHECK(cuGraphInstantiate(&executable, graph, 0));
    CHECK(cuGraphLaunch(executable, stream));
    CHECK(cuStreamSynchronize(stream));
    expectValues(kernel, 2, __LINE__);
    CHECK(cuGraphExecDestroy(executable));
  } else {
    EXPECT(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, filled);
  }
  CHECK(cuGraphDestroy(graph));
}

static void testBuilt(Kernel &kernel, CUstream stream) {
  CUgraph graph = nullptr;
  CUgraphNode fill = nullptr, call = nullptr, scale = nullptr;
  int calls = 0;
  CUDA_MEMSET_NODE_PARAMS fours = {kernel.values, 0, 4, sizeof(int), count, 1};
  CUDA_HOST_NODE_PARAMS counts = {[](void *calls) { ++*static_cast<int *>(calls); }, &calls};
  kernel.factor = 7;
  CUDA_KERNEL_NODE_PARAMS launch = kernel.launch();
  CHECK(cuGraphCreate(&graph, 0));
  CHECK(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &fours, nullptr));
  CHECK(cuGraphAddHostNode(&call, graph, &fill, 1, &counts));
  CHECK(cuGraphAddKernelNode(&scale, graph, &call, 1, &launch));
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  CHECK(cuGraphNodeGetType(scale, &type));
  expect(type, CU_GRAPH_NODE_TYPE_KERNEL, "type", __LINE__);
  size_t nodes = 0, roots = 0;
  CHECK(cuGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cuGraphGetRootNodes(graph, nullptr, &roots));
  expect(int(nodes), 3, "nodes", __LINE__);
  expect(int(roots), 1, "roots", __LINE__);
  CUgraphExec executable = nullptr;
  CHECK(cuGraphInstantiateWithFlags(&executable, graph, 0));
  CHECK(cuGraphLaunch(executable, stream));
  CHECK(cuStreamSynchronize(stream));
  expectValues(kernel, 4 * 7 + 5, __LINE__);
  kernel.factor = 2;
  CHECK(cuGraphExecKernelNodeSetParams(executable, scale, &launch));
  CHECK(cuGraphLaunch(executable, stream));
  CHECK(cuStreamSynchronize(stream));
  expectValues(kernel, 4 * 2 + 5, __LINE__);
  expect(calls, 2, "calls", __LINE__);
  CUgraphExecUpdateResultInfo result = {};
  CHECK(cuGraphExecUpdate(executable, graph, &result));
  expect(result.result, CU_GRAPH_EXEC_UPDATE_SUCCESS, "update", __LINE__);
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuGraphAddKernelNode(&scale, graph, nullptr, 0, nullptr));
  CHECK(cuGraphExecDestroy(executable));
  CHECK(cuGraphDestroy(graph));
}

static void testPoolAndRows(CUdevice device, CUstream stream) {
  CUmemoryPool pool = nullptr;
  cuuint64_t threshold = 1 << 20, known = 0;
  CHECK(cuDeviceGetDefaultMemPool(&pool, device));
  CHECK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  CHECK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &known));
  expect(int(known), int(threshold), "threshold", __LINE__);
  CUdeviceptr rows = 0;
  constexpr size_t pitch = 32, width = 5, height = 3;
  CHECK(cuMemAllocFromPoolAsync(&rows, pitch * height, pool, stream));
  CHECK(cuMemsetD8Async(rows, 0, pitch * height, stream));
  CHECK(cuMemsetD2D16Async(rows, pitch, 0x1234, width, height, stream));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemsetD2D32(rows, pitch, 77, 1, height));
  std::vector<unsigned short> values(pitch * height / 2);
  CHECK(cuMemcpyDtoH(values.data(), rows, pitch * height));
  for (size_t y = 0; y < height; ++y) {
    expect(values[y * pitch / 2], 77, "first", __LINE__);
    expect(values[y * pitch / 2 + width - 1], 0x1234, "last", __LINE__);
    expect(values[y * pitch / 2 + width], 0, "behind", __LINE__);
  }
  CHECK(cuMemFreeAsync(rows, stream));
  CHECK(cuStreamSynchronize(stream));
}

int main(int argc, char **argv) {
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUstream stream = nullptr;
  Kernel kernel;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK(cuMemAlloc(&kernel.values, count * sizeof(int)));
  CHECK(cuModuleLoad(&module, argv[1]));
  CHECK(cuModuleGetFunction(&kernel.function, module, "scale"));
  testCapture(kernel, stream);
  testCapturedFill(kernel, stream);
  testBuilt(kernel, stream);
  testPoolAndRows(device, stream);
  CHECK(cuMemFree(kernel.values));
  CHECK(cuModuleUnload(module));
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
