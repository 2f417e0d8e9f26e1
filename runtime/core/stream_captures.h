//===- stream_captures.h - The captures that the program began --*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device captures, and does not know what the program does with the graph besides.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace regrain {

/// A capture in progress.
struct StreamCapture {
  cudaGraph_t graph = nullptr; ///< of the device
  /// A graph of the program that gets the captured one as a node, and the node's dependencies;
  /// null: the program gets the captured graph.
  cudaGraph_t target = nullptr;
  std::vector<cudaGraphNode_t> after = {};
  /// A stream that has joined the capture to make nodes for the program; null until then.
  cudaStream_t helper = nullptr;
};

/// Any threads may use it at once.
class StreamCaptures {
public:
  static StreamCaptures &get();

  void began(cudaStream_t stream, StreamCapture capture);
  /// Must be called when the capture that began on the stream is over; returns nothing if none did.
  std::optional<StreamCapture> ended(cudaStream_t stream);
  /// Returns whether the capture that began on the stream goes to a graph of the program.
  bool hasTarget(cudaStream_t stream);
  /// Calls `use` with the capture that makes the graph, and the stream on which it began. Returns
  /// false if there is none, or if it began on another thread's cudaStreamPerThread.
  bool with(cudaGraph_t graph, const std::function<void(StreamCapture &, cudaStream_t)> &use);

private:
  using Origin = std::pair<cudaStream_t, std::thread::id>;
  static Origin originOf(cudaStream_t stream);

  std::mutex mutex;
  std::map<Origin, StreamCapture> captures;
};

} // namespace regrain
