//===- device_graphs.h - Captures and graphs of a device --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace regrain {

/// The state of a stream with respect to capture.
struct CaptureInfo {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  /// The rest is valid only while the status is active.
  uint64_t id = 0; ///< of the capture sequence, unique
  cudaGraph_t graph = nullptr;
  /// The nodes that the stream's next node will depend on. They live until the
  /// next call on the stream.
  std::span<const cudaGraphNode_t> dependencies;
};

/// A node that runs graphs of its own, and decides which when it is reached.
struct Conditional {
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  /// The value that makeConditionValue has made. The device keeps it as long as it needs it.
  std::shared_ptr<unsigned> value;
  size_t bodyCount = 0;

  /// The rest is the device's. The bodies belong to the graph that has the node.
  std::vector<cudaGraph_t> bodies = {};
  unsigned long long handle = 0;
};

/// How a device captures streams, and runs graphs. Between beginCapture and endCapture, the work
/// given to a stream, and to those that wait for its events, becomes nodes of a graph instead of
/// running. A call that a capture does not allow returns the code of CUDA's documentation and
/// invalidates the capture. Loading code is allowed to a thread whose capture mode is relaxed.
class DeviceGraphs {
public:
  virtual cudaError_t beginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) = 0;
  /// If the capture itself failed, the stream has left it, and `out` is null.
  virtual cudaError_t endCapture(cudaStream_t stream, cudaGraph_t &out) = 0;
  virtual cudaError_t captureInfo(cudaStream_t stream, CaptureInfo &out) = 0;
  /// Exchanges `mode` with the calling thread's.
  virtual cudaError_t exchangeCaptureMode(cudaStreamCaptureMode &mode) = 0;

  /// Adds to the nodes on which the next work of a stream that captures depends, or replaces them.
  /// A node that is replaced need not be joined before the capture ends.
  virtual cudaError_t updateDependencies(cudaStream_t stream,
                                         std::span<const cudaGraphNode_t> nodes, bool replaces) = 0;
  /// Makes a copy of `graph` the next node of a stream that captures.
  virtual cudaError_t captureGraph(cudaStream_t stream, cudaGraph_t graph) = 0;
  /// Makes a value that kernels write by its address. Returns cudaErrorNotSupported if graphs
  /// cannot have conditional nodes; `reason` then says why in one sentence.
  virtual cudaError_t makeConditionValue(std::shared_ptr<unsigned> &, std::string &reason) {
    reason = "this device has no conditional nodes";
    return cudaErrorNotSupported;
  }
  /// Queues the assignment of such a value.
  virtual cudaError_t assignConditionValue(unsigned *, unsigned, cudaStream_t) {
    return cudaErrorNotSupported;
  }
  /// Makes the next node of a stream that captures. Its bodies are empty.
  virtual cudaError_t captureConditional(cudaStream_t, Conditional &) {
    return cudaErrorNotSupported;
  }
  /// Begins a relaxed capture that fills an empty body of the node.
  virtual cudaError_t beginBody(cudaStream_t, const Conditional &, size_t) {
    return cudaErrorNotSupported;
  }
  /// Ends it, also if it has failed. Returns cudaErrorNotSupported if the body has a node that CUDA
  /// does not allow there.
  virtual cudaError_t endBody(cudaStream_t, const Conditional &, size_t) {
    return cudaErrorNotSupported;
  }

  virtual cudaError_t createGraph(cudaGraph_t &out) = 0;
  virtual cudaError_t cloneGraph(cudaGraph_t graph, cudaGraph_t &out) = 0;
  virtual cudaError_t destroyGraph(cudaGraph_t graph) = 0;
  /// Fills in up to `count` nodes, and null for the rest; if `nodes` is null, returns
  /// their number. One launch of the program may have become two nodes.
  virtual cudaError_t graphNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t &count) = 0;

  virtual cudaError_t nodeType(cudaGraphNode_t node, cudaGraphNodeType &type) = 0;

  /// `flags` are those of cudaGraphInstantiate. The executable needs neither the
  /// graph nor the arguments with which its launches were captured.
  virtual cudaError_t instantiate(cudaGraph_t graph, unsigned long long flags,
                                  cudaGraphExec_t &out) = 0;
  virtual cudaError_t destroyExecutable(cudaGraphExec_t executable) = 0;
  /// Behaves as cudaGraphExecUpdate; `errorFromNode` stays null if the device does not
  /// know the node.
  virtual cudaError_t updateExecutable(cudaGraphExec_t executable, cudaGraph_t graph,
                                       cudaGraphExecUpdateResultInfo &result) = 0;
  virtual cudaError_t uploadExecutable(cudaGraphExec_t executable, cudaStream_t stream) = 0;
  /// The launch runs after the stream's earlier work and the earlier launches of
  /// `executable`.
  virtual cudaError_t launchExecutable(cudaGraphExec_t executable, cudaStream_t stream) = 0;

protected:
  ~DeviceGraphs() = default;
};

} // namespace regrain
