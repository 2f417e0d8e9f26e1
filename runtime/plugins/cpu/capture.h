//===- capture.h - Streams of the CPU device that record --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules are those of CUDA's documentation of stream capture. A call that they do
// not allow spoils the captures concerned: their streams answer
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
  const Stream *origin; ///< where it began and has to end
  cudaStreamCaptureMode mode;
  std::thread::id thread;
  std::unique_ptr<Graph> graph = std::make_unique<Graph>();
  bool isSpoilt = false;
  bool isOver = false;
};

/// Where an event was recorded by a stream that captured.
struct CapturedPoint {
  std::shared_ptr<Capture> capture;
  std::vector<size_t> nodes; ///< what a stream that waits for the event depends on
};

class Captures {
public:
  explicit Captures(Streams &streams) : legacy(streams.find(cudaStreamLegacy)) {}

  [[nodiscard]] cudaError_t begin(const std::shared_ptr<Stream> &stream,
                                  cudaStreamCaptureMode mode);
  /// `out` is null on every error; the capture is over but for those of IllegalState and
  /// Unmatched, which spoils it.
  [[nodiscard]] cudaError_t end(const std::shared_ptr<Stream> &stream, std::unique_ptr<Graph> &out);
  [[nodiscard]] cudaError_t info(const std::shared_ptr<Stream> &stream, CaptureInfo &out);
  /// The calling thread's mode.
  static void exchangeMode(cudaStreamCaptureMode &mode);

  /// Makes the work a node. `isRecorded` is false where the stream does not capture.
  [[nodiscard]] cudaError_t record(const std::shared_ptr<Stream> &stream, NodeKind kind,
                                   const Work &work, bool &isRecorded);
  bool isCapturing(const std::shared_ptr<Stream> &stream);

  /// What an event stands for that the stream records; null where it does not capture.
  [[nodiscard]] cudaError_t mark(const std::shared_ptr<Stream> &stream,
                                 std::shared_ptr<const CapturedPoint> &out);
  /// The stream waits for an event: one recorded at `point`, or outside of all captures
  /// where that is null. `isRecorded` is false where no capture is concerned.
  [[nodiscard]] cudaError_t wait(const std::shared_ptr<Stream> &stream, const CapturedPoint *point,
                                 bool &isRecorded);
  /// The program waits for such an event, or asks whether it is reached, which is never
  /// allowed.
  [[nodiscard]] cudaError_t refuse(const CapturedPoint &point);

  /// Whether the program may wait for a stream, or ask about it.
  [[nodiscard]] cudaError_t checkStream(const std::shared_ptr<Stream> &stream);
  /// Whether it may wait for the device.
  [[nodiscard]] cudaError_t checkDevice();
  /// Whether the thread may make a call that CUDA has as potentially unsafe.
  [[nodiscard]] cudaError_t checkUnsafe();

  /// The stream goes away.
  void leave(const std::shared_ptr<Stream> &stream);
  void endAll();

private:
  /// A stream's part in a capture.
  struct Part {
    std::shared_ptr<Capture> capture;
    std::vector<size_t> tips; ///< what its next node depends on
    std::vector<cudaGraphNode_t> told;
  };
  using Parts = std::map<std::shared_ptr<Stream>, Part>;

  bool areNone() const { return count.load(std::memory_order_acquire) == 0; }
  cudaError_t enter(const std::shared_ptr<Stream> &stream, Part *&out);
  template <typename Concerns> bool spoilWhere(Concerns concerns);
  void finish(Capture &capture);

  const std::shared_ptr<Stream> legacy;
  /// Captures under way: without any, no call waits for the lock.
  std::atomic<size_t> count = 0;
  std::mutex mutex;
  uint64_t lastId = 0;
  Parts parts;
};

} // namespace regrain::cpu
