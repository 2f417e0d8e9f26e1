//===- graph_memory.cu - Graphs that allocate -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A captured graph and a built one allocate the memory of a kernel and free it; what a graph does
// not free is the program's after the launch.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=3:remainder' -o %t.x %s
// RUN: timeout 60 %t.x
#include "expect.h"

constexpr int count = 1000, threads = 128, blocks = (count + threads - 1) / threads;
constexpr size_t bytes = count * sizeof(int);

__global__ void number(int *out, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = first + i;
}

__global__ void addTo(int *sum, const int *terms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    sum[i] += terms[i];
}

static int sumAt(const int *sum, int index) {
  int value = 0;
  CHECK(cudaMemcpy(&value, sum + index, sizeof value, cudaMemcpyDefault));
  return value;
}

static void launchTwice(cudaGraph_t graph, cudaStream_t stream) {
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGraphExecDestroy(executable));
}

static void capture(int *sum, cudaStream_t stream) {
  cudaGraph_t graph;
  int *terms;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&terms, bytes, stream));
  number<<<blocks, threads, 0, stream>>>(terms, 10);
  addTo<<<blocks, threads, 0, stream>>>(sum, terms);
  CHECK(cudaFreeAsync(terms, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  launchTwice(graph, stream);
}

static void build(int *sum, cudaStream_t stream) {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams memory = {};
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location = {cudaMemLocationTypeDevice, 0};
  memory.bytesize = bytes;
  cudaGraphNode_t allocated, numbered, added, freed;
  CHECK(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &memory));
  int *terms = static_cast<int *>(memory.dptr), first = 5;
  void *numberArguments[] = {&terms, &first}, *addArguments[] = {&sum, &terms};
  cudaKernelNodeParams kernel = {(void *)number, blocks, threads, 0, numberArguments, nullptr};
  CHECK(cudaGraphAddKernelNode(&numbered, graph, &allocated, 1, &kernel));
  kernel.func = (void *)addTo;
  kernel.kernelParams = addArguments;
  CHECK(cudaGraphAddKernelNode(&added, graph, &numbered, 1, &kernel));
  CHECK(cudaGraphAddMemFreeNode(&freed, graph, &added, 1, terms));
  launchTwice(graph, stream);
}

static int *keep(cudaStream_t stream) {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  int *kept;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&kept, bytes, stream));
  number<<<blocks, threads, 0, stream>>>(kept, 40);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
  return kept;
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  int *sum;
  CHECK(cudaMalloc(&sum, bytes));
  CHECK(cudaMemset(sum, 0, bytes));
  capture(sum, stream);
  build(sum, stream);
  int *kept = keep(stream);
  CHECK(cudaStreamSynchronize(stream));
  int wrong = sumAt(sum, 7) != 2 * (10 + 7) + 2 * (5 + 7) || sumAt(kept, 999) != 1039;
  CHECK(cudaFreeAsync(kept, stream));
  CHECK(cudaStreamSynchronize(stream));
  unsigned long long used = 1;
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  std::printf("graph memory: %s\n", wrong || used ? "wrong" : "ok");
  return wrong || used;
}
