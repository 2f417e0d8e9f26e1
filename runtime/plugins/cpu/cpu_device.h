//===- cpu_device.h - The CPU as a device -----------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"
#include "runtime/plugins/cpu/event.h"
#include "runtime/plugins/cpu/execution.h"
#include "runtime/plugins/cpu/graph.h"
#include "runtime/plugins/cpu/memory.h"
#include "runtime/plugins/cpu/retired.h"
#include "runtime/plugins/cpu/stream.h"

namespace regrain::cpu {

class CpuDevice : public Device {
public:
  explicit CpuDevice(int threads);
  ~CpuDevice() override;

  cudaError_t properties(cudaDeviceProp &out) override;
  cudaError_t attribute(cudaDeviceAttr attribute, int &value) override;
  int codeRank(const image::Module &module) override;

  cudaError_t bindThread() override { return cudaSuccess; }
  cudaError_t synchronize() override;
  cudaError_t reset() override;
  cudaError_t stickyError() override { return sticky; }
  cudaError_t memoryInfo(size_t &freeBytes, size_t &totalBytes) override;
  cudaError_t limit(cudaLimit limit, size_t &value) override;
  cudaError_t setLimit(cudaLimit limit, size_t value) override;
  cudaError_t cacheConfig(cudaFuncCache &config) override;
  cudaError_t setCacheConfig(cudaFuncCache config) override;
  cudaError_t flags(unsigned &flags) override;
  cudaError_t setFlags(unsigned flags) override;

  cudaError_t canAccessPeer(Device &peer, int &canAccess) override;
  cudaError_t enablePeer(Device &peer) override;
  cudaError_t setPoolAccess(cudaMemPool_t pool, Device &peer, cudaMemAccessFlags flags) override;
  cudaError_t disablePeer(Device &peer) override;
  cudaError_t peerAttribute(cudaDeviceP2PAttr attribute, Device &peer, int &value) override;
  cudaError_t hostAtomics(std::span<const cudaAtomicOperation> operations,
                          unsigned *capabilities) override;

  cudaError_t allocate(size_t bytes, void *&out) override;
  cudaError_t allocatePitched(size_t width, size_t height, void *&out, size_t &pitch) override;
  cudaError_t free(void *pointer) override;
  cudaError_t allocateInOrder(size_t bytes, cudaStream_t stream, void *&out) override;
  cudaError_t freeInOrder(void *pointer, cudaStream_t stream) override;
  cudaError_t allocateHost(HostMemory kind, size_t bytes, unsigned flags, void *&out) override;
  cudaError_t freeHost(void *pointer) override;
  cudaError_t registerHost(void *pointer, size_t bytes, unsigned flags) override;
  cudaError_t unregisterHost(void *pointer) override;
  cudaError_t hostDevicePointer(void *host, void *&device) override;
  cudaError_t hostFlags(void *host, unsigned &flags) override;
  cudaError_t pointerAttributes(const void *pointer, cudaPointerAttributes &out) override;
  cudaError_t copy(void *to, size_t toPitch, const void *from, size_t fromPitch, Rows rows,
                   cudaMemcpyKind kind, cudaStream_t stream, bool async) override;
  cudaError_t fill(void *to, size_t pitch, int value, Rows rows, cudaStream_t stream,
                   bool async) override;
  cudaError_t prefetch(const void *pointer, size_t bytes, int toDevice,
                       cudaStream_t stream) override;
  cudaError_t advise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                     int device) override;
  cudaError_t comparePages(const void *left, const void *right, size_t bytes, size_t pageBytes,
                           std::span<uint8_t> differs) override;

  cudaError_t createStream(unsigned flags, int priority, cudaStream_t &out) override;
  cudaError_t destroyStream(cudaStream_t stream) override;
  cudaError_t synchronizeStream(cudaStream_t stream) override;
  cudaError_t queryStream(cudaStream_t stream) override;
  cudaError_t streamFlags(cudaStream_t stream, unsigned &flags) override;
  cudaError_t streamPriority(cudaStream_t stream, int &priority) override;
  cudaError_t priorityRange(int &least, int &greatest) override;
  cudaError_t streamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) override;
  cudaError_t launchHostFunction(cudaStream_t stream, void (*function)(void *),
                                 void *data) override;
  cudaError_t createEvent(unsigned flags, cudaEvent_t &out) override;
  cudaError_t destroyEvent(cudaEvent_t event) override;
  cudaError_t recordEvent(cudaEvent_t event, cudaStream_t stream, unsigned flags) override;
  cudaError_t synchronizeEvent(cudaEvent_t event) override;
  cudaError_t queryEvent(cudaEvent_t event) override;
  cudaError_t elapsedTime(cudaEvent_t start, cudaEvent_t end, float &milliseconds) override;

  cudaError_t beginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) override;
  cudaError_t endCapture(cudaStream_t stream, cudaGraph_t &out) override;
  cudaError_t captureInfo(cudaStream_t stream, CaptureInfo &out) override;
  cudaError_t exchangeCaptureMode(cudaStreamCaptureMode &mode) override;
  cudaError_t updateDependencies(cudaStream_t stream, std::span<const cudaGraphNode_t> nodes,
                                 bool replaces) override;
  cudaError_t captureGraph(cudaStream_t stream, cudaGraph_t graph) override;
  cudaError_t makeConditionValue(std::shared_ptr<unsigned> &value, std::string &reason) override;
  cudaError_t assignConditionValue(unsigned *value, unsigned to, cudaStream_t stream) override;
  cudaError_t captureConditional(cudaStream_t stream, Conditional &node) override;
  cudaError_t beginBody(cudaStream_t stream, const Conditional &node, size_t body) override;
  cudaError_t endBody(cudaStream_t stream, const Conditional &node, size_t body) override;
  cudaError_t createGraph(cudaGraph_t &out) override;
  cudaError_t cloneGraph(cudaGraph_t graph, cudaGraph_t &out) override;
  cudaError_t destroyGraph(cudaGraph_t graph) override;
  cudaError_t graphNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t &count) override;
  cudaError_t nodeType(cudaGraphNode_t node, cudaGraphNodeType &type) override;
  cudaError_t instantiate(cudaGraph_t graph, unsigned long long flags,
                          cudaGraphExec_t &out) override;
  cudaError_t destroyExecutable(cudaGraphExec_t executable) override;
  cudaError_t updateExecutable(cudaGraphExec_t executable, cudaGraph_t graph,
                               cudaGraphExecUpdateResultInfo &result) override;
  cudaError_t uploadExecutable(cudaGraphExec_t executable, cudaStream_t stream) override;
  cudaError_t launchExecutable(cudaGraphExec_t executable, cudaStream_t stream) override;

  cudaError_t loadModule(const image::Module &module, std::unique_ptr<Module> &out,
                         std::string &reason) override;
  cudaError_t launch(Function &function, const Launch &launch) override;
  void addThreads(std::vector<pid_t> &out) override { execution.addThreads(out); }
  void retire(std::shared_ptr<void> code) override;

  /// Makes the open device, if any, skip the work that has not begun, and waits
  /// for a while for the rest, so that no kernel runs during the end of the
  /// process. Does nothing in a forked child, which has no threads to wait for.
  static void shutDownOpenOne();

private:
  /// Waits, then reports the error that a kernel left.
  cudaError_t waitFor(const std::vector<Ticket> &tickets);
  cudaError_t waitForAll() { return waitFor(streams.pendingEverywhere()); }
  /// Queues work on a stream, or captures it if the stream does, unless the
  /// device has failed.
  cudaError_t submit(cudaStream_t stream, NodeKind kind, Work work);
  /// Performs a copy or fill in its stream's order, in the calling thread or
  /// queued.
  cudaError_t transfer(cudaStream_t stream, NodeKind kind, bool async, Work work);
  void runLaunch(const QueuedLaunch &launch, uint64_t residents);
  /// Adds a node to a capture; it is an error if the stream does not capture.
  cudaError_t capture(cudaStream_t stream, Node node);
  /// Returns whether work that repeats must end.
  bool isEnding() const { return sticky != cudaSuccess || isShuttingDown; }
  void shutDown();

  cudaDeviceProp limits;
  Memory memory;
  Streams streams;
  Captures captures{streams};
  Events events{streams, captures};
  Graphs graphs;
  RetiredCode retired;
  Execution execution;
  std::atomic<cudaError_t> sticky = cudaSuccess;
  /// The error of a launch that could not get its memory: it is reported once,
  /// then cleared.
  std::atomic<cudaError_t> passing = cudaSuccess;
  std::atomic<bool> isShuttingDown = false;
  std::mutex settings;
  std::map<cudaLimit, size_t> limitValues;
  cudaFuncCache cachePreference = cudaFuncCachePreferNone;
  unsigned deviceFlags = 0;
};

/// Returns the CPU's result of cudaGetDeviceProperties, with `threads` as the
/// number of multiprocessors.
[[nodiscard]] cudaDeviceProp describeProcessor(int threads);

/// Reads one attribute from the properties; returns cudaErrorInvalidValue for
/// an unknown one. An attribute without an equivalent on the CPU is 0.
[[nodiscard]] cudaError_t readAttribute(const cudaDeviceProp &properties, cudaDeviceAttr attribute,
                                        int &value);

} // namespace regrain::cpu
