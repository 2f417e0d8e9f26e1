//===- stream_captures.cpp - The captures that the program began ----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/stream_captures.h"

namespace regrain {

StreamCaptures &StreamCaptures::get() {
  static auto *captures = new StreamCaptures; // threads may capture while the process exits
  return *captures;
}

// Each thread has its own cudaStreamPerThread.
StreamCaptures::Origin StreamCaptures::originOf(cudaStream_t stream) {
  return {stream, stream == cudaStreamPerThread ? std::this_thread::get_id() : std::thread::id()};
}

void StreamCaptures::began(cudaStream_t stream, StreamCapture capture) {
  std::lock_guard lock(mutex);
  captures[originOf(stream)] = std::move(capture);
}

std::optional<StreamCapture> StreamCaptures::ended(cudaStream_t stream) {
  std::lock_guard lock(mutex);
  auto found = captures.extract(originOf(stream));
  return found ? std::optional(std::move(found.mapped())) : std::nullopt;
}

bool StreamCaptures::hasTarget(cudaStream_t stream) {
  std::lock_guard lock(mutex);
  auto found = captures.find(originOf(stream));
  return found != captures.end() && found->second.target;
}

bool StreamCaptures::with(cudaGraph_t graph,
                          const std::function<void(StreamCapture &, cudaStream_t)> &use) {
  std::lock_guard lock(mutex);
  for (auto &[origin, capture] : captures)
    if (capture.graph == graph && origin == originOf(origin.first)) {
      use(capture, origin.first);
      return true;
    }
  return false;
}

} // namespace regrain
