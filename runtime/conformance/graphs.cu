//===- graphs.cu - Capture and graphs, on every device alike --------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "suite.h"

#include <iterator>
#include <thread>
#include <vector>

using namespace conformance;

namespace {

constexpr int count = 3000, threads = 128, blocks = (count + threads - 1) / threads;
constexpr cudaStreamCaptureMode global = cudaStreamCaptureModeGlobal,
                                perThread = cudaStreamCaptureModeThreadLocal,
                                relaxed = cudaStreamCaptureModeRelaxed;

__device__ int lateVariable;

/// The kernel is not commutative, so that the order of launches is visible.
__global__ void step(unsigned *data, unsigned factor, unsigned summand, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = data[i] * factor + summand + i;
}

__global__ void join(unsigned *out, const unsigned *left, const unsigned *right, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = left[i] * 31 + right[i];
}

__global__ void firstUsedInACapture(int *out) { *out = ++lateVariable; }

/// The streams and events that a case needs.
struct Resources {
  Resources(unsigned flags = cudaStreamNonBlocking) {
    isReady = true;
    for (cudaStream_t *stream : {&main, &side, &other})
      isReady = isReady && cudaStreamCreateWithFlags(stream, flags) == cudaSuccess;
    for (cudaEvent_t *event : {&fork, &joined})
      isReady = isReady && cudaEventCreateWithFlags(event, cudaEventDisableTiming) == cudaSuccess;
  }
  ~Resources() {
    for (cudaStream_t stream : {main, side, other})
      static_cast<void>(cudaStreamDestroy(stream));
    for (cudaEvent_t event : {fork, joined})
      static_cast<void>(cudaEventDestroy(event));
    static_cast<void>(cudaGetLastError());
  }
  Resources(const Resources &) = delete;
  bool isReady;
  cudaStream_t main = nullptr, side = nullptr, other = nullptr;
  cudaEvent_t fork = nullptr, joined = nullptr;
};

cudaError_t launchSteps(unsigned *data, int steps, cudaStream_t stream) {
  for (int i = 0; i < steps; ++i)
    step<<<blocks, threads, 0, stream>>>(data, 3 + i, 7 * i, count);
  return cudaGetLastError();
}

/// Captures `steps` launches that change `data`.
cudaError_t captureSteps(unsigned *data, int steps, cudaStream_t stream, cudaGraph_t *graph) {
  cudaError_t status = cudaStreamBeginCapture(stream, global);
  if (status != cudaSuccess)
    return status;
  cudaError_t launched = launchSteps(data, steps, stream);
  status = cudaStreamEndCapture(stream, graph);
  return launched != cudaSuccess ? launched : status;
}

/// Makes both zero, before anything else runs.
cudaError_t clear(unsigned *first, unsigned *second) {
  for (unsigned *data : {first, second})
    if (cudaError_t status = cudaMemset(data, 0, count * 4); status != cudaSuccess)
      return status;
  return cudaDeviceSynchronize();
}

std::vector<unsigned> read(const unsigned *data) {
  std::vector<unsigned> values(count);
  if (cudaMemcpy(values.data(), data, count * 4, cudaMemcpyDeviceToHost) != cudaSuccess)
    values.clear();
  return values;
}

bool replayEqualsLaunches() {
  Resources with;
  Buffer<unsigned> plain(count), replayed(count);
  EXPECT(with.isReady && plain.data && replayed.data);
  EXPECT_OK(clear(plain.data, replayed.data));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  EXPECT_OK(captureSteps(replayed.data, 5, with.main, &graph));
  EXPECT_OK(cudaStreamSynchronize(with.main));
  EXPECT(read(replayed.data) == std::vector<unsigned>(count)); // no launch has run
  EXPECT_OK(cudaGraphInstantiate(&executable, graph, 0));
  EXPECT_OK(cudaGraphUpload(executable, with.main));
  for (int i = 0; i < 100; ++i) {
    EXPECT_OK(launchSteps(plain.data, 5, with.side));
    EXPECT_OK(cudaGraphLaunch(executable, with.main));
  }
  EXPECT_OK(cudaStreamSynchronize(with.main));
  EXPECT_OK(cudaStreamSynchronize(with.side));
  EXPECT(read(plain.data) == read(replayed.data));
  EXPECT_OK(cudaGraphExecDestroy(executable));
  EXPECT_OK(cudaGraphDestroy(graph));
  return true;
}

bool launchesOfOneGraphAreInOrder() {
  Resources with;
  Buffer<unsigned> plain(count), replayed(count);
  EXPECT_OK(clear(plain.data, replayed.data));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  EXPECT_OK(captureSteps(replayed.data, 3, with.main, &graph));
  EXPECT_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 30; ++i) {
    EXPECT_OK(launchSteps(plain.data, 3, with.main));
    EXPECT_OK(cudaGraphLaunch(executable, i % 2 ? with.side : with.other));
  }
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(read(plain.data) == read(replayed.data));
  EXPECT_OK(cudaGraphExecDestroy(executable));
  EXPECT_OK(cudaGraphDestroy(graph));
  return true;
}

bool forkAndJoin() {
  Resources with;
  Buffer<unsigned> left(count), right(count), out(count), plain(count);
  for (unsigned *data : {left.data, right.data})
    EXPECT_OK(cudaMemset(data, 1, count * 4));
  EXPECT_OK(cudaDeviceSynchronize());
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  EXPECT_OK(cudaStreamBeginCapture(with.main, global));
  EXPECT_OK(launchSteps(left.data, 1, with.main));
  EXPECT_OK(cudaEventRecord(with.fork, with.main));
  EXPECT_OK(cudaStreamWaitEvent(with.side, with.fork, 0));
  EXPECT_OK(cudaMemcpyAsync(right.data, left.data, count * 4, cudaMemcpyDeviceToDevice, with.side));
  EXPECT_OK(launchSteps(right.data, 2, with.side));
  EXPECT_OK(cudaEventRecord(with.joined, with.side));
  join<<<blocks, threads, 0, with.main>>>(out.data, left.data, left.data, count);
  EXPECT_OK(cudaStreamWaitEvent(with.main, with.joined, 0));
  join<<<blocks, threads, 0, with.main>>>(out.data, out.data, right.data, count);
  EXPECT_OK(cudaStreamEndCapture(with.main, &graph));
  size_t nodes = 0;
  EXPECT_OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes >= 6); // a launch may become two nodes
  EXPECT_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; ++i)
    EXPECT_OK(cudaGraphLaunch(executable, with.main));
  EXPECT_OK(cudaStreamSynchronize(with.main));
  std::vector<unsigned> got = read(out.data);
  // The streams are free again.
  EXPECT_OK(cudaMemset(left.data, 1, count * 4));
  for (int i = 0; i < 3; ++i) {
    EXPECT_OK(launchSteps(left.data, 1, nullptr));
    EXPECT_OK(cudaMemcpy(right.data, left.data, count * 4, cudaMemcpyDeviceToDevice));
    EXPECT_OK(launchSteps(right.data, 2, nullptr));
  }
  join<<<blocks, threads>>>(plain.data, left.data, left.data, count);
  join<<<blocks, threads>>>(plain.data, plain.data, right.data, count);
  EXPECT(got == read(plain.data));
  EXPECT_OK(cudaGraphExecDestroy(executable));
  EXPECT_OK(cudaGraphDestroy(graph));
  return true;
}

void addOne(void *value) { ++*static_cast<int *>(value); }

bool everyKindOfNode() {
  Resources with;
  int called = 0;
  unsigned *pinned = nullptr;
  std::vector<unsigned> pageable(count, 5);
  EXPECT_OK(cudaMallocHost(&pinned, count * 4));
  Buffer<unsigned> data(count);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  EXPECT_OK(cudaStreamBeginCapture(with.main, perThread));
  EXPECT_OK(cudaMemsetAsync(data.data, 0, count * 4, with.main));
  EXPECT_OK(cudaMemcpyAsync(data.data, pinned, count * 2, cudaMemcpyHostToDevice, with.main));
  EXPECT_OK(launchSteps(data.data, 1, with.main));
  EXPECT_OK(
      cudaMemcpyAsync(pageable.data(), data.data, count * 4, cudaMemcpyDeviceToHost, with.main));
  EXPECT_OK(cudaLaunchHostFunc(with.main, addOne, &called));
  EXPECT_OK(cudaStreamEndCapture(with.main, &graph));
  EXPECT_OK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT(called == 0 && pageable[0] == 5);
  for (unsigned round = 1; round <= 3; ++round) {
    for (int i = 0; i < count; ++i)
      pinned[i] = round * i;
    EXPECT_OK(cudaGraphLaunch(executable, with.side));
    EXPECT_OK(cudaStreamSynchronize(with.side));
    EXPECT(called == int(round));
    for (int i = 0; i < count; ++i)
      EXPECT(pageable[i] == (i < count / 2 ? round * i * 3 : 0) + i);
  }
  EXPECT_OK(cudaGraphExecDestroy(executable));
  EXPECT_OK(cudaFreeHost(pinned));
  return true;
}

bool codeThatIsFirstUsedInACapture() {
  Resources with;
  Buffer<int> out(1);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  EXPECT_OK(cudaStreamBeginCapture(with.main, global));
  firstUsedInACapture<<<1, 1, 0, with.main>>>(out.data);
  EXPECT_OK(cudaGetLastError());
  EXPECT_OK(cudaStreamEndCapture(with.main, &graph));
  EXPECT_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 4; ++i)
    EXPECT_OK(cudaGraphLaunch(executable, with.main));
  EXPECT_OK(cudaStreamSynchronize(with.main));
  int value = 0;
  EXPECT_OK(cudaMemcpy(&value, out.data, 4, cudaMemcpyDeviceToHost));
  EXPECT(value == 4);
  EXPECT_OK(cudaGraphExecDestroy(executable));
  EXPECT_OK(cudaGraphDestroy(graph));
  return true;
}

bool whatACaptureSays() {
  Resources with;
  Buffer<unsigned> data(count);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusInvalidated;
  unsigned long long first = 0, second = 0, ofSide = 0;
  cudaGraph_t graph = nullptr, under = nullptr;
  EXPECT_OK(cudaStreamIsCapturing(with.main, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  EXPECT_OK(cudaStreamBeginCapture(with.main, global));
  EXPECT_OK(launchSteps(data.data, 2, with.main));
  const cudaGraphNode_t *dependencies = nullptr;
  const cudaGraphEdgeData *edges = nullptr;
  size_t depends = 0, nodes = 0;
  EXPECT_OK(cudaStreamGetCaptureInfo(with.main, &status, &first, &under, &dependencies, &edges,
                                     &depends));
  EXPECT(status == cudaStreamCaptureStatusActive && depends == 1 && dependencies[0] && under);
  EXPECT_OK(cudaEventRecord(with.fork, with.main));
  EXPECT_OK(cudaStreamWaitEvent(with.side, with.fork, 0));
  EXPECT_OK(cudaStreamGetCaptureInfo(with.side, &status, &ofSide));
  EXPECT(status == cudaStreamCaptureStatusActive && ofSide == first);
  EXPECT_OK(cudaStreamIsCapturing(with.other, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  EXPECT_OK(launchSteps(data.data, 1, with.side));
  EXPECT_OK(cudaEventRecord(with.joined, with.side));
  EXPECT_OK(cudaStreamWaitEvent(with.main, with.joined, 0));
  EXPECT_OK(cudaStreamEndCapture(with.main, &graph));
  EXPECT_OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  std::vector<cudaGraphNode_t> all(nodes);
  EXPECT(nodes >= 3);
  EXPECT_OK(cudaGraphGetNodes(graph, all.data(), &nodes));
  for (cudaGraphNode_t node : all)
    EXPECT(node);
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaStreamIsCapturing(with.side, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  EXPECT_OK(cudaStreamBeginCapture(with.main, global));
  EXPECT_OK(cudaStreamGetCaptureInfo(with.main, &status, &second));
  EXPECT(second != first);
  EXPECT_OK(cudaStreamEndCapture(with.main, &graph));
  EXPECT_OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 0);
  EXPECT_OK(cudaGraphDestroy(graph));
  return true;
}

/// Returns whether `call`, which gives `expected`, leaves a capture unchanged.
template <typename Call> bool isLeftAlone(const Resources &with, cudaError_t expected, Call call) {
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  EXPECT_OK(cudaStreamBeginCapture(with.main, global));
  EXPECT_STATUS(expected, call());
  EXPECT_STATUS(expected, cudaGetLastError());
  EXPECT_OK(cudaGetLastError());
  EXPECT_OK(cudaStreamIsCapturing(with.main, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  EXPECT_OK(cudaStreamEndCapture(with.main, &graph));
  EXPECT_OK(cudaGraphDestroy(graph));
  return true;
}

/// Returns whether `call`, which gives `expected`, invalidates a capture.
template <typename Call>
bool isSpoilt(const Resources &with, cudaError_t expected, Call call,
              cudaStreamCaptureMode mode = global) {
  cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(16);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  EXPECT_OK(cudaStreamBeginCapture(with.main, mode));
  EXPECT_STATUS(expected, call());
  EXPECT_STATUS(expected, cudaGetLastError());
  EXPECT_OK(cudaStreamIsCapturing(with.main, &status));
  EXPECT(status == cudaStreamCaptureStatusInvalidated);
  EXPECT_STATUS(cudaErrorStreamCaptureInvalidated, cudaLaunchHostFunc(with.main, addOne, &graph));
  EXPECT_STATUS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(with.main, &graph));
  EXPECT(!graph);
  EXPECT_STATUS(cudaErrorStreamCaptureInvalidated, cudaGetLastError());
  EXPECT_OK(cudaStreamIsCapturing(with.main, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  EXPECT_OK(cudaStreamSynchronize(with.main));
  return true;
}

bool callsThatSpoilACapture() {
  Resources with;
  Buffer<unsigned> data(count);
  void *pointer = nullptr;
  constexpr cudaError_t unsupported = cudaErrorStreamCaptureUnsupported;
  EXPECT(isSpoilt(with, unsupported, [&] { return cudaStreamSynchronize(with.main); }));
  EXPECT(isSpoilt(with, unsupported, [&] { return cudaStreamQuery(with.main); }));
  EXPECT(isSpoilt(with, unsupported, [&] { return cudaDeviceSynchronize(); }));
  EXPECT(isSpoilt(with, unsupported, [&] { return cudaMalloc(&pointer, 64); }));
  EXPECT(isSpoilt(with, unsupported, [&] { return cudaMalloc(&pointer, 64); }, perThread));
  EXPECT(isSpoilt(with, cudaErrorStreamCaptureIsolation, [&] {
    cudaError_t status = cudaEventRecord(with.fork, with.other);
    return status == cudaSuccess ? cudaStreamWaitEvent(with.main, with.fork, 0) : status;
  }));
  for (auto ask : {cudaEventSynchronize, cudaEventQuery})
    EXPECT(isSpoilt(with, cudaErrorCapturedEvent, [&] {
      cudaError_t status = cudaEventRecord(with.fork, with.main);
      return status == cudaSuccess ? ask(with.fork) : status;
    }));
  return true;
}

bool capturesDoNotMerge() {
  Resources with;
  cudaGraph_t graph = nullptr;
  EXPECT_OK(cudaStreamBeginCapture(with.main, global));
  EXPECT_OK(cudaStreamBeginCapture(with.side, global));
  EXPECT_OK(cudaEventRecord(with.fork, with.side));
  EXPECT_STATUS(cudaErrorStreamCaptureMerge, cudaStreamWaitEvent(with.main, with.fork, 0));
  for (cudaStream_t stream : {with.main, with.side}) {
    EXPECT_STATUS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
    EXPECT(!graph);
  }
  return true;
}

bool theDefaultStream() {
  Resources with(cudaStreamDefault);
  Buffer<unsigned> data(count);
  unsigned value = 0;
  constexpr cudaError_t implicit = cudaErrorStreamCaptureImplicit;
  EXPECT_STATUS(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(nullptr, global));
  EXPECT_STATUS(cudaErrorStreamCaptureUnsupported, cudaGetLastError());
  EXPECT(isSpoilt(with, implicit, [&] {
    step<<<blocks, threads>>>(data.data, 1, 1, count);
    return cudaPeekAtLastError();
  }));
  EXPECT(isSpoilt(with, implicit, [&] { return cudaMemsetAsync(data.data, 0, 4, nullptr); }));
  EXPECT(isSpoilt(with, implicit,
                  [&] { return cudaMemcpy(&value, data.data, 4, cudaMemcpyDeviceToHost); }));
  EXPECT(isSpoilt(with, implicit, [&] { return cudaStreamSynchronize(nullptr); }));
  // Querying whether it captures does not invalidate it.
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaGraph_t graph = nullptr;
  EXPECT_OK(cudaStreamBeginCapture(with.main, global));
  EXPECT_STATUS(implicit, cudaStreamIsCapturing(nullptr, &status));
  EXPECT_STATUS(implicit, cudaGetLastError());
  EXPECT_OK(launchSteps(data.data, 1, with.main));
  EXPECT_OK(cudaStreamEndCapture(with.main, &graph));
  EXPECT_OK(cudaGraphDestroy(graph));
  // It does not wait for streams that do not block.
  Resources free;
  EXPECT_OK(cudaStreamBeginCapture(free.main, global));
  EXPECT_OK(launchSteps(data.data, 1, free.main));
  EXPECT_OK(launchSteps(data.data, 1, nullptr));
  EXPECT_OK(cudaStreamEndCapture(free.main, &graph));
  EXPECT_OK(cudaGraphDestroy(graph));
  return true;
}

bool capturesThatDoNotEndWell() {
  Resources with;
  Buffer<unsigned> data(count);
  cudaGraph_t graph = nullptr;
  EXPECT_STATUS(cudaErrorIllegalState, cudaStreamEndCapture(with.main, &graph));
  EXPECT_STATUS(cudaErrorIllegalState, cudaGetLastError());
  // The work is in a second stream for which no call waits.
  EXPECT_OK(cudaStreamBeginCapture(with.main, global));
  EXPECT_OK(cudaEventRecord(with.fork, with.main));
  EXPECT_OK(cudaStreamWaitEvent(with.side, with.fork, 0));
  EXPECT_OK(launchSteps(data.data, 1, with.side));
  EXPECT_STATUS(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(with.main, &graph));
  EXPECT(!graph);
  // The capture is ended in another stream than it began.
  EXPECT_OK(cudaStreamBeginCapture(with.main, global));
  EXPECT_OK(cudaEventRecord(with.fork, with.main));
  EXPECT_OK(cudaStreamWaitEvent(with.side, with.fork, 0));
  EXPECT_STATUS(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(with.side, &graph));
  EXPECT_STATUS(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(with.main, &graph));
  EXPECT(!graph);
  EXPECT_OK(cudaStreamSynchronize(with.main));
  static_cast<void>(cudaGetLastError());
  return true;
}

bool threadsAndModes() {
  Resources with;
  void *pointer = nullptr;
  cudaGraph_t graph = nullptr;
  cudaError_t inThread = cudaErrorUnknown;
  EXPECT_OK(cudaStreamBeginCapture(with.main, perThread));
  // Another thread's calls are not concerned.
  std::thread([&] {
    inThread = cudaMalloc(&pointer, 64);
    if (inThread == cudaSuccess)
      inThread = cudaFree(pointer);
  }).join();
  EXPECT(inThread == cudaSuccess);
  // A capture that another thread ends is over, but with an error.
  std::thread([&] { inThread = cudaStreamEndCapture(with.main, &graph); }).join();
  EXPECT(inThread == cudaErrorStreamCaptureWrongThread && !graph);
  EXPECT_STATUS(cudaErrorIllegalState, cudaStreamEndCapture(with.main, &graph));
  EXPECT_OK(cudaStreamSynchronize(with.main));
  static_cast<void>(cudaGetLastError());
  // A relaxed capture may end in any thread, and restricts no calls of its own.
  EXPECT_OK(cudaStreamBeginCapture(with.main, relaxed));
  EXPECT_OK(cudaMalloc(&pointer, 64));
  std::thread([&] { inThread = cudaStreamEndCapture(with.main, &graph); }).join();
  EXPECT(inThread == cudaSuccess);
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaFree(pointer));
  // A thread may set its own mode to relaxed.
  cudaStreamCaptureMode mode = relaxed;
  EXPECT_OK(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT(mode == global);
  EXPECT_OK(cudaStreamBeginCapture(with.main, global));
  EXPECT_OK(cudaMalloc(&pointer, 64));
  EXPECT_OK(cudaStreamEndCapture(with.main, &graph));
  EXPECT_OK(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT(mode == relaxed);
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaFree(pointer));
  return true;
}

bool errorsThatSpoilNoCapture() {
  Resources with;
  cudaGraph_t graph = nullptr;
  cudaEvent_t start = nullptr, end = nullptr;
  EXPECT_OK(cudaEventCreate(&start));
  EXPECT_OK(cudaEventCreate(&end));
  EXPECT(isLeftAlone(with, cudaErrorIllegalState,
                     [&] { return cudaStreamBeginCapture(with.main, global); }));
  EXPECT(isLeftAlone(with, cudaErrorIllegalState,
                     [&] { return cudaStreamEndCapture(with.side, &graph); }));
  EXPECT(isLeftAlone(with, cudaErrorCapturedEvent, [&] {
    float milliseconds = 0;
    cudaError_t first = cudaEventRecord(start, with.main), second = cudaEventRecord(end, with.main);
    cudaError_t recorded = first != cudaSuccess ? first : second;
    return recorded == cudaSuccess ? cudaEventElapsedTime(&milliseconds, start, end) : recorded;
  }));
  EXPECT(isLeftAlone(with, cudaErrorInvalidMemcpyDirection,
                     [] { return cudaMemcpy(nullptr, nullptr, 4, cudaMemcpyKind(9)); }));
  EXPECT_OK(cudaEventDestroy(start));
  EXPECT_OK(cudaEventDestroy(end));
  return true;
}

bool noGraphInAGraph() {
  Resources with;
  Buffer<unsigned> plain(count), replayed(count);
  EXPECT_OK(clear(plain.data, replayed.data));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  EXPECT_OK(captureSteps(replayed.data, 2, with.main, &graph));
  EXPECT_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (auto call : {cudaGraphLaunch, cudaGraphUpload})
    EXPECT(isSpoilt(with, cudaErrorStreamCaptureUnsupported,
                    [&] { return call(executable, with.main); }));
  // It can be launched afterwards as before, and has not been launched
  // meanwhile.
  EXPECT_OK(cudaGraphLaunch(executable, with.main));
  EXPECT_OK(cudaStreamSynchronize(with.main));
  EXPECT_OK(launchSteps(plain.data, 2, nullptr));
  EXPECT(read(plain.data) == read(replayed.data));
  EXPECT_OK(cudaGraphExecDestroy(executable));
  EXPECT_OK(cudaGraphDestroy(graph));
  return true;
}

bool updates() {
  Resources with;
  Buffer<unsigned> first(count), second(count);
  EXPECT_OK(clear(first.data, second.data));
  cudaGraph_t before = nullptr, after = nullptr, longer = nullptr, shorter = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaGraphExecUpdateResultInfo result;
  EXPECT_OK(captureSteps(first.data, 2, with.main, &before));
  EXPECT_OK(captureSteps(second.data, 2, with.main, &after));
  EXPECT_OK(captureSteps(second.data, 3, with.main, &longer));
  EXPECT_OK(captureSteps(second.data, 1, with.main, &shorter));
  EXPECT_OK(cudaGraphInstantiate(&executable, before, 0));
  EXPECT_OK(cudaGraphLaunch(executable, with.main));
  EXPECT_OK(cudaGraphExecUpdate(executable, after, &result));
  EXPECT(result.result == cudaGraphExecUpdateSuccess);
  EXPECT_OK(cudaGraphLaunch(executable, with.main));
  for (cudaGraph_t other : {longer, shorter}) {
    EXPECT_STATUS(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(executable, other, &result));
    EXPECT_STATUS(cudaErrorGraphExecUpdateFailure, cudaGetLastError());
    EXPECT(result.result == cudaGraphExecUpdateErrorTopologyChanged);
  }
  EXPECT_OK(cudaStreamSynchronize(with.main));
  EXPECT(read(first.data) == read(second.data) && read(first.data)[1] != 0);
  for (cudaGraph_t graph : {before, after, longer, shorter})
    EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaGraphExecDestroy(executable));
  return true;
}

bool destroyedInAnyOrder() {
  Resources with;
  Buffer<unsigned> plain(count), replayed(count);
  EXPECT_OK(clear(plain.data, replayed.data));
  cudaStream_t capturing = nullptr;
  cudaGraph_t graph = nullptr, empty = nullptr;
  cudaGraphExec_t first = nullptr, second = nullptr;
  EXPECT_OK(cudaStreamCreateWithFlags(&capturing, cudaStreamNonBlocking));
  EXPECT_OK(captureSteps(replayed.data, 4, capturing, &graph));
  EXPECT_OK(cudaStreamDestroy(capturing));
  EXPECT_OK(cudaGraphInstantiate(&first, graph, 0));
  EXPECT_OK(cudaGraphInstantiate(&second, graph, 0));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaGraphLaunch(first, with.main));
  EXPECT_OK(cudaGraphExecDestroy(first)); // it may be running
  EXPECT_OK(cudaGraphLaunch(second, with.main));
  EXPECT_OK(cudaStreamSynchronize(with.main));
  EXPECT_OK(cudaGraphExecDestroy(second));
  EXPECT_OK(launchSteps(plain.data, 4, nullptr));
  EXPECT_OK(launchSteps(plain.data, 4, nullptr));
  EXPECT(read(plain.data) == read(replayed.data));
  EXPECT_OK(cudaGraphCreate(&empty, 0));
  EXPECT_OK(cudaGraphInstantiate(&first, empty, 0));
  EXPECT_OK(cudaGraphLaunch(first, with.main));
  EXPECT_OK(cudaStreamSynchronize(with.main));
  EXPECT_OK(cudaGraphExecDestroy(first));
  EXPECT_OK(cudaGraphDestroy(empty));
  return true;
}

const Case cases[] = {
    {"replay equals launches", replayEqualsLaunches},
    {"launches of one graph are in order", launchesOfOneGraphAreInOrder},
    {"fork and join", forkAndJoin},
    {"every kind of node", everyKindOfNode},
    {"code that is first used in a capture", codeThatIsFirstUsedInACapture},
    {"what a capture says", whatACaptureSays},
    {"calls that spoil a capture", callsThatSpoilACapture},
    {"captures do not merge", capturesDoNotMerge},
    {"the default stream", theDefaultStream},
    {"captures that do not end well", capturesThatDoNotEndWell},
    {"threads and modes", threadsAndModes},
    {"errors that spoil no capture", errorsThatSpoilNoCapture},
    {"no graph in a graph", noGraphInAGraph},
    {"updates", updates},
    {"destroyed in any order", destroyedInAnyOrder},
};

} // namespace

AREA(graphs) { answerCases(cases, std::size(cases)); }
