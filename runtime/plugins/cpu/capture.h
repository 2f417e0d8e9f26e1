//===- capture.h - Streams of the CPU device that capture -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules are those of CUDA's documentation of stream capture. A call that they do
// not allow invalidates the captures concerned: their streams return
// cudaErrorStreamCaptureInvalidated until the capture is ended.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"
#include "runtime/plugins/cpu/graph.h"

#include <atomic>
#include <optional>
#include <thread>

namespace regrain::cpu {

/// One sequence from cudaStreamBeginCapture to cudaStreamEndCapture.
struct Capture {
  uint64_t id;
  const Stream *origin; ///< where it began and must end
  cudaStreamCaptureMode mode;
  std::thread::id thread;
  std::unique_ptr<Graph> graph = std::make_unique<Graph>();
  std::vector<size_t> released = {}; ///< nodes that no stream needs to join
  bool isSpoilt = false;
  bool isOver = false;
};

/// The place of an event that a capturing stream recorded.
struct CapturedPoint {
  std::shared_ptr<Capture> capture;
  std::vector<size_t> nodes; ///< the dependencies of a stream that waits for the event
};

class Captures {
public:
  explicit Captures(Streams &streams) : legacy(streams.find(cudaStreamLegacy)) {}

  [[nodiscard]] cudaError_t begin(const std::shared_ptr<Stream> &stream,
                                  cudaStreamCaptureMode mode);
  /// `out` is null on every error. The capture ends, except after IllegalState and
  /// Unmatched, which invalidate it.
  [[nodiscard]] cudaError_t end(const std::shared_ptr<Stream> &stream, std::unique_ptr<Graph> &out);
  [[nodiscard]] cudaError_t info(const std::shared_ptr<Stream> &stream, CaptureInfo &out);
  /// Returns the calling thread's mode.
  static void exchangeMode(cudaStreamCaptureMode &mode);

  /// Adds a node after those on which the stream depends. `isCaptured` is false if the stream does
  /// not capture.
  [[nodiscard]] cudaError_t add(const std::shared_ptr<Stream> &stream, Node node, bool &isCaptured);
  /// See Device::updateDependencies.
  [[nodiscard]] cudaError_t update(const std::shared_ptr<Stream> &stream,
                                   std::span<const cudaGraphNode_t> nodes, bool replaces);
  bool isCapturing(const std::shared_ptr<Stream> &stream);

  /// Returns the point at which the stream records an event; null if it does not
  /// capture.
  [[nodiscard]] cudaError_t mark(const std::shared_ptr<Stream> &stream,
                                 std::shared_ptr<const CapturedPoint> &out);
  /// Makes the stream wait for an event: one recorded at `point`, or outside of all
  /// captures if that is null. `isCaptured` is false if no capture is concerned.
  [[nodiscard]] cudaError_t wait(const std::shared_ptr<Stream> &stream, const CapturedPoint *point,
                                 bool &isCaptured);
  /// Refuses a wait of the program for such an event, or a query of it: neither is ever
  /// allowed.
  [[nodiscard]] cudaError_t refuse(const CapturedPoint &point);

  /// Checks whether the program may wait for a stream, or query it.
  [[nodiscard]] cudaError_t checkStream(const std::shared_ptr<Stream> &stream);
  /// Checks whether it may wait for the device.
  [[nodiscard]] cudaError_t checkDevice();
  /// Checks whether the thread may make a call that CUDA lists as potentially
  /// unsafe.
  [[nodiscard]] cudaError_t checkUnsafe();

  /// Must be called before the stream is destroyed.
  void leave(const std::shared_ptr<Stream> &stream);
  void endAll();

private:
  /// The membership of a stream in a capture.
  struct Part {
    std::shared_ptr<Capture> capture;
    std::vector<size_t> tips;                ///< the dependencies of its next node
    std::vector<cudaGraphNode_t> tipHandles; ///< of `tips`, for the last query
  };
  using Parts = std::map<std::shared_ptr<Stream>, Part>;

  bool areNone() const { return count.load(std::memory_order_acquire) == 0; }
  cudaError_t enter(const std::shared_ptr<Stream> &stream, Part *&out);
  template <typename Concerns> bool spoilWhere(Concerns concerns);
  void finish(Capture &capture);

  const std::shared_ptr<Stream> legacy;
  /// The number of captures in progress: if it is 0, no call takes the lock.
  std::atomic<size_t> count = 0;
  std::mutex mutex;
  uint64_t lastId = 0;
  Parts parts;
};

} // namespace regrain::cpu
