//===- launch_overhead.cu - The host's cost of a launch -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: launch_overhead BATCHES
//
// Times batches of asynchronous launches on the host, each batch shorter than the
// device's queue and waited for outside of the time; then a graph of such launches.
// Prints one JSON object: for each measurement the microseconds per launch (or per
// replay) of every batch. Checks what the kernels wrote, and exits with 1 where it is
// wrong.
//
//===----------------------------------------------------------------------===//
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

namespace {

constexpr int elements = 512, threads = 64, blocks = elements / threads;
constexpr int launchesPerBatch = 400, launchesPerGraph = 100, replaysPerBatch = 4;

__global__ void nothing() {}

__global__ void one(unsigned *data) { data[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

__global__ void eight(unsigned *data, const unsigned *first, const unsigned *second, int n,
                      unsigned factor, unsigned summand, double unused, float scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] += first[i] * factor + second[i] * summand + unsigned(scale * unused);
}

void check(cudaError_t status, const char *call) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(status));
  std::exit(1);
}
#define CHECK(call) check((call), #call)

using Clock = std::chrono::steady_clock;

double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// Returns the host time of `count` calls of `launch`, per call, for each
/// batch.
template <typename Launch>
std::vector<double> timeBatches(int batches, int count, cudaStream_t stream, Launch launch) {
  std::vector<double> times;
  for (int batch = -1; batch < batches; ++batch) { // the first loads code
    auto start = Clock::now();
    for (int i = 0; i < count; ++i)
      launch();
    double microseconds = microsecondsSince(start) / count;
    CHECK(cudaStreamSynchronize(stream));
    if (batch >= 0)
      times.push_back(microseconds);
  }
  return times;
}

/// Measures the time from the call of a replay to its end.
std::vector<double> timeReplays(int batches, cudaStream_t stream, cudaGraphExec_t graph) {
  std::vector<double> times;
  for (int batch = 0; batch < batches; ++batch) {
    auto start = Clock::now();
    CHECK(cudaGraphLaunch(graph, stream));
    CHECK(cudaStreamSynchronize(stream));
    times.push_back(microsecondsSince(start));
  }
  return times;
}

void print(const char *name, const std::vector<double> &times, bool isLast = false) {
  std::printf("  \"%s\": [", name);
  for (size_t i = 0; i < times.size(); ++i)
    std::printf("%s%.4f", i ? ", " : "", times[i]);
  std::printf("]%s\n", isLast ? "" : ",");
}

unsigned *makeArray() {
  unsigned *data = nullptr;
  CHECK(cudaMalloc(&data, elements * sizeof(unsigned)));
  CHECK(cudaMemset(data, 0, elements * sizeof(unsigned)));
  return data;
}

/// Returns whether all of `data` is `expected`.
bool holds(const unsigned *data, unsigned expected) {
  std::vector<unsigned> values(elements);
  CHECK(cudaMemcpy(values.data(), data, elements * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (unsigned value : values)
    if (value != expected)
      return false;
  return true;
}

} // namespace

int main(int argc, char **argv) {
  int batches = argc > 1 ? std::atoi(argv[1]) : 50;
  cudaStream_t stream;
  cudaGraph_t captured;
  cudaGraphExec_t graph;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  unsigned *data = makeArray(), *ones = makeArray(), *inGraph = makeArray();
  one<<<blocks, threads>>>(ones);
  CHECK(cudaDeviceSynchronize());

  auto launchEight = [&](unsigned *to) {
    eight<<<blocks, threads, 0, stream>>>(to, ones, ones, elements, 2, 1, 0.5, 1.0f);
  };
  std::vector<double> ofNothing = timeBatches(batches, launchesPerBatch, stream, [&] {
    nothing<<<blocks, threads, 0, stream>>>();
  });
  std::vector<double> ofOne = timeBatches(batches, launchesPerBatch, stream,
                                          [&] { one<<<blocks, threads, 0, stream>>>(data); });
  std::vector<double> ofEight =
      timeBatches(batches, launchesPerBatch, stream, [&] { launchEight(data); });
  CHECK(cudaGetLastError());

  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < launchesPerGraph; ++i)
    launchEight(inGraph);
  CHECK(cudaStreamEndCapture(stream, &captured));
  CHECK(cudaGraphInstantiate(&graph, captured, 0));
  std::vector<double> ofReplay =
      timeBatches(batches, replaysPerBatch, stream, [&] { CHECK(cudaGraphLaunch(graph, stream)); });
  std::vector<double> wholeReplay = timeReplays(batches, stream, graph);

  std::printf("{\n");
  print("empty_kernel", ofNothing);
  print("one_argument", ofOne);
  print("eight_arguments", ofEight);
  print("graph_of_100_call", ofReplay);
  print("graph_of_100_whole", wholeReplay, /*isLast=*/true);
  std::printf("}\n");
  unsigned launches = unsigned(batches + 1) * launchesPerBatch;
  unsigned replays = unsigned(batches + 1) * replaysPerBatch + unsigned(batches);
  bool isRight = holds(data, launches + 3 * launches) &&
                 holds(inGraph, 3 * replays * launchesPerGraph);
  if (!isRight)
    std::fprintf(stderr, "launch_overhead: wrong results\n");
  CHECK(cudaGraphExecDestroy(graph));
  CHECK(cudaGraphDestroy(captured));
  return isRight ? 0 : 1;
}
