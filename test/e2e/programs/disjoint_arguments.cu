//===- disjoint_arguments.cu - Arguments in different memory ----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose grain is for pointers into different allocations are launched with such pointers,
// with one pointer twice, with parts of one allocation that overlap, with memory that the runtime
// may have two addresses, and in graphs, whose memory may be another when they run.
//
//===----------------------------------------------------------------------===//
// RUN: %regrain cc --targets=cpu -O3 --coarsen='*:for.aliases=none' -o %t.apart %s
// RUN: env REGRAIN_ALTERNATIVE='*:original' timeout 60 %t.apart
// RUN: env REGRAIN_VERBOSE=1 timeout 60 %t.apart 2>&1 | FileCheck %s --implicit-check-not='0>{{.*}}does not run'
// RUN: %regrain cc --targets=cpu -O3 --coarsen='*:block.x=2,thread.x=4:contiguous,for.pointers=4,for.aliases=none' -o %t.coarse %s
// RUN: timeout 60 %t.coarse
//
// CHECK-DAG: spread<1>({{.*}}): for.aliases=none does not run for this launch, because the pointer arguments are not known to point into different allocations of this runtime (for.aliases)
// CHECK-DAG: rotate<1>({{.*}}): for.aliases=none does not run for this launch, because the pointer arguments are not known
// CHECK-DAG: spread<2>({{.*}}): for.aliases=none does not run for this launch, because the memory of a graph may be another when it runs
// CHECK: disjoint_arguments: ok
#include "expect.h"

#include <algorithm>

constexpr int blocks = 4, threads = 64, width = blocks * threads, rounds = 3;

// If both are one array, the first round changes what the others add. `kind` says which launches
// use this copy: 0 for different allocations only, 1 for any, 2 for captured ones.
template <int kind> __global__ void spread(const int *from, int *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < rounds; ++round)
    to[round * width + i] += from[i];
}

// What the neighbour has written is read behind the barrier, through either pointer.
template <int kind> __global__ void rotate(const int *from, int *to, int *out) {
  int base = blockIdx.x * blockDim.x, i = base + threadIdx.x;
  int next = base + (threadIdx.x + 1) % blockDim.x;
  int before = from[next];
  __syncthreads();
  to[i] = before + 1;
  __syncthreads();
  out[i] = to[next] + from[i];
}

static std::vector<int> numbers(int count) {
  std::vector<int> data(count);
  for (int i = 0; i < count; ++i)
    data[i] = i * 7 % 101;
  return data;
}

/// Computes what `spread` does to an array if it is also read from place `from`.
static std::vector<int> spreadWithin(std::vector<int> data, int from, int to) {
  for (int i = 0; i < width; ++i)
    for (int round = 0; round < rounds; ++round)
      data[to + round * width + i] += data[from + i];
  return data;
}

static void expectAll(const char *what, const std::vector<int> &got,
                      const std::vector<int> &wanted) {
  for (size_t i = 0; i < wanted.size(); ++i)
    expectEqual(what, long(i), got[i], wanted[i]);
}

static void spreadApart() {
  std::vector<int> data = numbers(width);
  DeviceArray<int> from(data), to(rounds * width);
  int *managed = nullptr;
  CHECK(cudaMallocManaged(&managed, width * sizeof(int)));
  std::copy(data.begin(), data.end(), managed);
  spread<0><<<blocks, threads>>>(from, to);
  spread<0><<<blocks, threads>>>(managed, to);
  std::vector<int> got = to.host();
  CHECK(cudaFree(managed));
  for (int i = 0; i < rounds * width; ++i)
    expectEqual("apart", i, got[i], 2 * data[i % width]);
}

static void spreadInOne() {
  std::vector<int> data = numbers((rounds + 2) * width);
  for (int from : {0, width, (rounds + 1) * width}) {
    DeviceArray<int> memory(data);
    spread<1><<<blocks, threads>>>(memory + from, memory + 0);
    expectAll("in one", memory.host(), spreadWithin(data, from, 0));
  }
}

static void spreadUnknown() {
  std::vector<int> data = numbers(rounds * width), wanted = spreadWithin(data, 0, 0);
  int *pinned = nullptr;
  CHECK(cudaMallocHost(&pinned, data.size() * sizeof(int)));
  std::copy(data.begin(), data.end(), pinned);
  spread<1><<<blocks, threads>>>(pinned, pinned);
  CHECK(cudaDeviceSynchronize());
  expectAll("pinned", std::vector<int>(pinned, pinned + data.size()), wanted);
  CHECK(cudaFreeHost(pinned));
}

static void rotateBoth() {
  std::vector<int> data = numbers(width), afterOne = data, out(width);
  auto next = [](int i) { return i / threads * threads + (i + 1) % threads; };
  for (int i = 0; i < width; ++i)
    afterOne[i] = data[next(i)] + 1;
  DeviceArray<int> from(data), to(width), result(width), both(data);
  rotate<0><<<blocks, threads>>>(from, to, result);
  std::vector<int> got = result.host();
  for (int i = 0; i < width; ++i)
    expectEqual("rotate", i, got[i], afterOne[next(i)] + data[i]);
  rotate<1><<<blocks, threads>>>(both, both, result);
  got = result.host();
  for (int i = 0; i < width; ++i)
    expectEqual("rotate in one", i, got[i], afterOne[next(i)] + afterOne[i]);
}

// A graph keeps addresses, whatever allocations contain them when it runs.
static void spreadInGraph() {
  std::vector<int> data = numbers(rounds * width);
  DeviceArray<int> from(data), to(data);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  spread<2><<<blocks, threads, 0, stream>>>(from, to);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::vector<int> got = to.host();
  for (int i = 0; i < rounds * width; ++i)
    expectEqual("graph", i, got[i], data[i] + data[i % width]);
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}

int main() {
  spreadApart();
  spreadInOne();
  spreadUnknown();
  rotateBoth();
  spreadInGraph();
  return verdict("disjoint_arguments");
}
