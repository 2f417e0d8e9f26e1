//===- demoted_shared.cu - Static shared memory in global memory *- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels have several shared arrays, shared atomics, and pointers to shared memory that
// go through memory, in grids of three dimensions, in several streams at once, and in a graph.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu \
// RUN:   --coarsen='*:shared=global' --coarsen='*:block.x=2,block.y=3,shared=global' \
// RUN:   --coarsen='*:block.x=4:remainder,thread.x=2,shared=global' --coarsen='*:fuse.x=2,shared=global,bound=256' \
// RUN:   -o %t %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t
// RUN: env REGRAIN_ALTERNATIVE='*:shared=global' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=2,block.y=3,shared=global' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=OK
// RUN: env REGRAIN_ALTERNATIVE='*:block.x=4:remainder,thread.x=2,shared=global' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=OK
// RUN: env REGRAIN_ALTERNATIVE='*:fuse.x=2,shared=global,bound=256' REGRAIN_VERBOSE=1 timeout 60 %t 2>&1 | FileCheck %s --check-prefix=OK
//
// CHECK-NOT: refused
// CHECK-DAG: mix({{.*}}): shared=global (asked for by REGRAIN_ALTERNATIVE), else original
// CHECK-DAG: mix({{.*}}): shared=global does not run for this launch, because shared=global and in-step= need memory of the stream
// CHECK: demoted_shared: ok
// OK: shared=global
// OK: demoted_shared: ok
#include "expect.h"

struct Bins {
  unsigned int count[8];
  int *first;
};

// Reverses the values of the block, and counts how many of them fall into each of eight bins.
__global__ void mix(const int *data, int *out, unsigned int *counts) {
  __shared__ int tile[64];
  __shared__ Bins bins;
  int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  int thread = threadIdx.x, at = block * 64 + thread;
  if (thread < 8)
    bins.count[thread] = 0;
  if (thread == 0)
    bins.first = tile + 63;
  tile[thread] = data[at];
  __syncthreads();
  atomicAdd(&bins.count[tile[thread] & 7], 1u);
  int reversed = bins.first[-thread];
  __syncthreads();
  out[at] = reversed;
  if (thread < 8)
    counts[block * 8 + thread] = bins.count[thread];
}

struct Problem {
  explicit Problem(dim3 grid) : grid(grid), data(size()), from(fill()), to(size()), counts(size() / 8) {}
  int size() const { return grid.x * grid.y * grid.z * 64; }
  std::vector<int> fill() {
    for (int i = 0; i < size(); ++i)
      data[i] = (i * 2654435761u) >> 20;
    return data;
  }
  void launch(cudaStream_t stream) { mix<<<grid, 64, 0, stream>>>(from, to, counts); }
  void check() {
    std::vector<int> out = to.host();
    std::vector<unsigned int> found = counts.host();
    for (int block = 0; block < size() / 64; ++block) {
      unsigned int wanted[8] = {};
      for (int i = 0; i < 64; ++i) {
        ++wanted[data[block * 64 + i] & 7];
        expectEqual("out", block * 64 + i, out[block * 64 + i], data[block * 64 + 63 - i]);
      }
      for (int bin = 0; bin < 8; ++bin)
        expectEqual("counts", block * 8 + bin, found[block * 8 + bin], wanted[bin]);
    }
  }
  dim3 grid;
  std::vector<int> data;
  DeviceArray<int> from, to;
  DeviceArray<unsigned int> counts;
};

// Each launch is larger than the one before: buffers grow while their streams are busy.
static void runInStreams() {
  std::vector<Problem *> problems;
  cudaStream_t streams[3];
  for (cudaStream_t &stream : streams)
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (unsigned int i = 0; i < 12; ++i) {
    problems.push_back(new Problem(dim3(3 + i, 2 + i / 3, 1 + i % 2)));
    CHECK(cudaDeviceSynchronize());
    problems.back()->launch(streams[i % 3]);
  }
  for (cudaStream_t stream : streams)
    CHECK(cudaStreamDestroy(stream));
  CHECK(cudaDeviceSynchronize());
  for (Problem *problem : problems) {
    problem->check();
    delete problem;
  }
}

// The launches that a graph recorded could run in any stream.
static void runInGraph() {
  Problem problem(dim3(5, 1, 1));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  problem.launch(stream);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  problem.check();
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}

int main() {
  for (dim3 grid : {dim3(1), dim3(7, 5, 3), dim3(2, 2, 2), dim3(9)}) {
    Problem problem(grid);
    problem.launch(nullptr);
    problem.check();
    problem.launch(cudaStreamLegacy);
    problem.launch(cudaStreamPerThread);
    CHECK(cudaDeviceSynchronize());
    problem.check();
  }
  runInStreams();
  runInGraph();
  CHECK(cudaDeviceReset());
  Problem again(dim3(4, 4));
  again.launch(nullptr);
  again.check();
  return verdict("demoted_shared");
}
