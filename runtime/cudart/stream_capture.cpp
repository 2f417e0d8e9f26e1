//===- stream_capture.cpp - Capture in the runtime API --------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/stream_captures.h"
#include "runtime/core/tuning.h"
#include "runtime/cudart/capture.h"
#include "runtime/cudart/entry.h"
#include "runtime/cudart/graph_node.h"
#include "runtime/cudart/memory.h"

#include <vector>

using namespace regrain;

namespace {

bool isCapturing(Device &device, cudaStream_t stream) {
  CaptureInfo info;
  return device.captureInfo(stream, info) == cudaSuccess &&
         info.status != cudaStreamCaptureStatusNone;
}

template <typename T> void give(T *to, T value) {
  if (to)
    *to = value;
}

void forgetConditionals(cudaGraph_t captured) {
  BuiltGraphs &graphs = BuiltGraphs::get();
  std::lock_guard lock(graphs.mutex);
  graphs.removeConditionals(captured);
}

/// Begins a capture of which `capture` says what becomes of it.
cudaError_t begin(OpenDevice &current, cudaStream_t stream, cudaStreamCaptureMode mode,
                  StreamCapture capture) {
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  ++current.captures;
  if (Tuning *tuning = findTuning(); tuning && tuning->isMeasuring())
    tuning->settle();
  cudaError_t status = current.device->beginCapture(stream, mode);
  if (status != cudaSuccess) {
    --current.captures;
    return status;
  }
  CaptureInfo info;
  status = current.device->captureInfo(stream, info);
  capture.graph = info.graph;
  forgetConditionals(info.graph); // of an earlier graph with the same handle
  StreamCaptures::get().began(stream, std::move(capture));
  return status;
}

/// Adds what was captured to the graph for which the capture began.
cudaError_t giveToTarget(OpenDevice &current, const StreamCapture &capture, cudaGraph_t captured) {
  auto owned = std::make_shared<const CapturedGraph>(*current.device, captured);
  size_t count = 0;
  if (GraphMemory::get().isUsedBy(captured)) {
    cudaError_t freed = endGraphMemory(current, captured);
    return freed == cudaSuccess ? cudaErrorNotSupported : freed;
  }
  if (cudaError_t status = current.device->graphNodes(captured, nullptr, count);
      status != cudaSuccess || !count)
    return status;
  BuiltGraphs &graphs = BuiltGraphs::get();
  std::lock_guard lock(graphs.mutex);
  BuiltGraph *target = graphs.find(capture.target);
  if (!target)
    return cudaErrorInvalidValue; // the program has destroyed it
  BuiltGraph::Node node = {};
  makeCaptured(std::move(owned), node);
  cudaError_t status = toIndices(*target, capture.after, node.after);
  if (status == cudaSuccess)
    target->add(std::move(node));
  return status;
}

/// Does what follows the end of a capture that began on a stream. `graph` is what the device
/// captured, or null.
cudaError_t finish(OpenDevice &current, const StreamCapture &capture, cudaGraph_t *graph) {
  cudaError_t status = capture.helper ? current.device->destroyStream(capture.helper) : cudaSuccess;
  cudaError_t next = cudaSuccess;
  if (!*graph) {
    forgetConditionals(capture.graph);
    next = endGraphMemory(current, capture.graph);
  } else if (capture.target) {
    next = giveToTarget(current, capture, *graph);
    *graph = next == cudaSuccess ? capture.target : nullptr;
  }
  return status == cudaSuccess ? next : status;
}

} // namespace

/// No capture allows waiting for a stream.
cudaError_t regrain::refuseCapture(Device &device, cudaStream_t stream) {
  return isCapturing(device, stream) ? device.synchronizeStream(stream) : cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return onOpenDevice([&](OpenDevice &current) { return begin(current, stream, mode, {}); });
}

// The device captures into a graph of its own, which becomes a node of the program's graph.
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *edges, size_t dependencyCount,
                                          cudaStreamCaptureMode mode) {
  return onOpenDevice([&](OpenDevice &current) {
    if (!graph || (dependencyCount && !dependencies))
      return cudaErrorInvalidValue;
    StreamCapture capture = {nullptr, graph, {dependencies, dependencies + dependencyCount}};
    {
      BuiltGraphs &graphs = BuiltGraphs::get();
      std::lock_guard lock(graphs.mutex);
      const BuiltGraph *target = graphs.find(graph);
      std::vector<size_t> indices;
      if (!target || !arePlain(edges, dependencyCount))
        return cudaErrorNotSupported;
      if (cudaError_t status = toIndices(*target, capture.after, indices); status != cudaSuccess)
        return status;
    }
    return begin(current, stream, mode, std::move(capture));
  });
}

// The program knows the graph to which it captures, and need not ask for it.
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  return onOpenDevice([&](OpenDevice &current) {
    cudaGraph_t known = nullptr;
    if (!graph && StreamCaptures::get().hasTarget(stream))
      graph = &known;
    if (!graph)
      return cudaErrorInvalidValue;
    *graph = nullptr;
    bool wasCapturing = isCapturing(*current.device, stream);
    cudaError_t status = current.device->endCapture(stream, *graph);
    bool isOver = *graph || !isCapturing(*current.device, stream);
    if (wasCapturing && isOver)
      --current.captures;
    std::optional<StreamCapture> capture =
        isOver ? StreamCaptures::get().ended(stream) : std::nullopt;
    cudaError_t finished = capture ? finish(current, *capture, graph) : cudaSuccess;
    return status == cudaSuccess ? finished : status;
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                size_t dependencyCount, unsigned int flags) {
  return onDevice([&](Device &device) {
    if ((dependencyCount && !dependencies) || flags > cudaStreamSetCaptureDependencies)
      return cudaErrorInvalidValue;
    return device.updateDependencies(stream, {dependencies, dependencyCount},
                                     flags == cudaStreamSetCaptureDependencies);
  });
}

// A node waits for the whole end of another one; other edges are not supported.
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream,
                                                   cudaGraphNode_t *dependencies,
                                                   const cudaGraphEdgeData *edges,
                                                   size_t dependencyCount, unsigned int flags) {
  if (!arePlain(edges, dependencyCount))
    return notSupported("cudaStreamUpdateCaptureDependencies with an edge that is not plain");
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, dependencyCount, flags);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus *status) {
  return cudaStreamGetCaptureInfo(stream, status);
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **dependencies,
                                        size_t *dependencyCount) {
  return onDevice([&](Device &device) {
    if (!status)
      return cudaErrorInvalidValue;
    CaptureInfo info;
    if (cudaError_t known = device.captureInfo(stream, info); known != cudaSuccess)
      return known;
    *status = info.status;
    if (info.status != cudaStreamCaptureStatusActive)
      return cudaSuccess;
    give<unsigned long long>(id, info.id);
    give(graph, info.graph);
    give(dependencies, info.dependencies.data());
    give(dependencyCount, info.dependencies.size());
    return cudaSuccess;
  });
}

// No call adds an edge that waits for less than the end of the preceding node.
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **dependencies,
                                        const cudaGraphEdgeData **edges, size_t *dependencyCount) {
  size_t count = 0;
  cudaError_t known = cudaStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, &count);
  if (known != cudaSuccess || *status != cudaStreamCaptureStatusActive)
    return known;
  give(dependencyCount, count);
  return entry([&] {
    static thread_local std::vector<cudaGraphEdgeData> plain;
    plain.assign(count, {});
    give<const cudaGraphEdgeData *>(edges, plain.data());
    return cudaSuccess;
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
  return onDevice([&](Device &device) {
    bool isMode =
        mode && *mode >= cudaStreamCaptureModeGlobal && *mode <= cudaStreamCaptureModeRelaxed;
    return isMode ? device.exchangeCaptureMode(*mode) : cudaErrorInvalidValue;
  });
}
