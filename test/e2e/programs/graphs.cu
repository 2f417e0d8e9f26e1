//===- graphs.cu - Captured launches at every grain -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A captured loop and a captured fork have the results of plain launches, at the
// original and at grains whose launches leave a remainder: such a launch is two nodes.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu --coarsen='*:block.x=3:remainder' --coarsen='*:block.x=4,thread.x=2' -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t 1
// RUN: env REGRAIN_VERBOSE=1 REGRAIN_ALTERNATIVE='*:block.x=3:remainder' timeout 60 %t 2 2>&1 | FileCheck %s
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=4,thread.x=2' timeout 60 %t 1
//
// CHECK-DAG: advance({{.*}}): block.x=3:remainder (asked for by REGRAIN_ALTERNATIVE)
// CHECK-DAG: combine({{.*}}): block.x=3:remainder (asked for by REGRAIN_ALTERNATIVE)
// CHECK: graphs: ok
#include "expect.h"

constexpr int count = 700, threads = 64, blocks = (count + threads - 1) / threads; // 11

struct Factors {
  unsigned factor, summand;
};

__global__ void advance(unsigned *data, Factors by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = data[i] * by.factor + by.summand + blockIdx.x;
}

// Each block reverses its tile while it adds.
__global__ void combine(unsigned *out, const unsigned *left, const unsigned *right, int n) {
  __shared__ unsigned tile[threads];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? left[i] : 0;
  __syncthreads();
  if (i < n)
    out[i] = tile[blockDim.x - 1 - threadIdx.x] + 31 * right[i];
}

struct Data {
  DeviceArray<unsigned> left{count}, right{count}, out{count};
};

// The launches of one step are a chain, then two branches that meet.
static void step(Data &data, cudaStream_t main, cudaStream_t side, cudaEvent_t fork,
                 cudaEvent_t join) {
  for (unsigned i = 0; i < 4; ++i) {
    Factors by = {3 + i, 7 * i};
    advance<<<blocks, threads, 0, main>>>(data.left, by, count);
    by = {0, 0}; // the launch has its own copy
  }
  CHECK(cudaEventRecord(fork, main));
  CHECK(cudaStreamWaitEvent(side, fork));
  advance<<<blocks, threads, 0, side>>>(data.right, {5, 1}, count);
  advance<<<blocks, threads, 0, main>>>(data.left, {9, 2}, count);
  CHECK(cudaEventRecord(join, side));
  CHECK(cudaStreamWaitEvent(main, join));
  combine<<<blocks, threads, 0, main>>>(data.out, data.left, data.right, count);
  CHECK(cudaMemcpyAsync(data.right, data.out, count * sizeof(unsigned), cudaMemcpyDeviceToDevice,
                        main));
  CHECK(cudaGetLastError());
}

int main(int argc, char **argv) {
  size_t launchesOfOne = argc > 1 ? atoi(argv[1]) : 1;
  cudaStream_t main, side;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreateWithFlags(&main, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  Data plain, replayed;
  CHECK(cudaDeviceSynchronize());

  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal));
  step(replayed, main, side, fork, join);
  CHECK(cudaStreamEndCapture(main, &graph));
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  expectEqual("nodes", 0, nodes, 7 * launchesOfOne + 1);
  CHECK(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  CHECK(cudaGraphDestroy(graph));
  for (int round = 0; round < 30; ++round)
    CHECK(cudaGraphLaunch(executable, main));
  CHECK(cudaStreamSynchronize(main));
  for (int round = 0; round < 30; ++round)
    step(plain, main, side, fork, join);
  CHECK(cudaDeviceSynchronize());

  auto wanted = plain.out.host(), got = replayed.out.host();
  for (int i = 0; i < count; ++i)
    expectEqual("out", i, got[i], wanted[i]);
  expect(wanted[1] != 0, "nothing", 1, wanted[1], 1);
  CHECK(cudaGraphExecDestroy(executable));
  return verdict("graphs");
}
