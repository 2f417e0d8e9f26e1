//===- capture.cpp - Streams of the CPU device that capture ---------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/capture.h"

#include <algorithm>
#include <utility>

namespace regrain::cpu {
namespace {

thread_local cudaStreamCaptureMode threadMode = cudaStreamCaptureModeGlobal;

/// Returns whether `tips`, the nodes that were released, and those that either depend on are all
/// nodes of the capture.
bool reachAll(const Capture &capture, const std::vector<size_t> &tips) {
  const Graph &graph = *capture.graph;
  std::vector<bool> reached(graph.nodes.size());
  for (size_t tip : tips)
    reached[tip] = true;
  for (size_t node : capture.released)
    reached[node] = true;
  for (size_t node = graph.nodes.size(); node-- > 0;)
    if (reached[node])
      for (size_t before : graph.nodes[node].after)
        reached[before] = true;
  return std::find(reached.begin(), reached.end(), false) == reached.end();
}

} // namespace

void Captures::exchangeMode(cudaStreamCaptureMode &mode) { std::swap(mode, threadMode); }

template <typename Concerns> bool Captures::spoilWhere(Concerns concerns) {
  bool isAny = false;
  for (auto &[stream, part] : parts)
    if (concerns(*stream, *part.capture))
      isAny = part.capture->isSpoilt = true;
  return isAny;
}

/// Returns the capture of a stream that is given work; null if it has none. The
/// default stream would wait for the blocking ones.
cudaError_t Captures::enter(const std::shared_ptr<Stream> &stream, Part *&out) {
  out = nullptr;
  if (stream == legacy) {
    bool isAny = spoilWhere([](const Stream &other, Capture &) { return other.isBlocking(); });
    return isAny ? cudaErrorStreamCaptureImplicit : cudaSuccess;
  }
  auto found = parts.find(stream);
  if (found == parts.end())
    return cudaSuccess;
  out = &found->second;
  return out->capture->isSpoilt ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
}

cudaError_t Captures::begin(const std::shared_ptr<Stream> &stream, cudaStreamCaptureMode mode) {
  if (stream == legacy)
    return cudaErrorStreamCaptureUnsupported;
  std::lock_guard lock(mutex);
  if (parts.contains(stream))
    return cudaErrorIllegalState;
  auto capture =
      std::make_shared<Capture>(Capture{++lastId, stream.get(), mode, std::this_thread::get_id()});
  parts[stream] = {std::move(capture), {}, {}};
  ++count;
  return cudaSuccess;
}

void Captures::finish(Capture &capture) {
  capture.isOver = true;
  std::erase_if(parts, [&](auto &each) { return each.second.capture.get() == &capture; });
  --count;
}

cudaError_t Captures::end(const std::shared_ptr<Stream> &stream, std::unique_ptr<Graph> &out) {
  std::lock_guard lock(mutex);
  auto found = parts.find(stream);
  if (found == parts.end())
    return cudaErrorIllegalState;
  std::shared_ptr<Capture> capture = found->second.capture;
  if (capture->origin != stream.get()) {
    capture->isSpoilt = true;
    return cudaErrorStreamCaptureUnmatched;
  }
  bool isJoined = reachAll(*capture, found->second.tips);
  finish(*capture);
  if (capture->mode != cudaStreamCaptureModeRelaxed &&
      capture->thread != std::this_thread::get_id())
    return cudaErrorStreamCaptureWrongThread;
  if (capture->isSpoilt)
    return cudaErrorStreamCaptureInvalidated;
  if (!isJoined)
    return cudaErrorStreamCaptureUnjoined;
  out = std::move(capture->graph);
  return cudaSuccess;
}

cudaError_t Captures::info(const std::shared_ptr<Stream> &stream, CaptureInfo &out) {
  out = {};
  if (areNone())
    return cudaSuccess;
  std::lock_guard lock(mutex);
  if (stream == legacy) {
    bool isAny = std::any_of(parts.begin(), parts.end(),
                             [](auto &each) { return each.first->isBlocking(); });
    return isAny ? cudaErrorStreamCaptureImplicit : cudaSuccess;
  }
  auto found = parts.find(stream);
  if (found == parts.end())
    return cudaSuccess;
  Part &part = found->second;
  if (part.capture->isSpoilt) {
    out.status = cudaStreamCaptureStatusInvalidated;
    return cudaSuccess;
  }
  part.tipHandles.clear();
  for (size_t tip : part.tips)
    part.tipHandles.push_back(part.capture->graph->handleOf(tip));
  out = {cudaStreamCaptureStatusActive, part.capture->id,
         reinterpret_cast<cudaGraph_t>(part.capture->graph.get()), part.tipHandles};
  return cudaSuccess;
}

cudaError_t Captures::add(const std::shared_ptr<Stream> &stream, Node node, bool &isCaptured) {
  isCaptured = false;
  if (areNone())
    return cudaSuccess;
  std::lock_guard lock(mutex);
  Part *part = nullptr;
  if (cudaError_t status = enter(stream, part); status != cudaSuccess || !part)
    return status;
  std::deque<Node> &nodes = part->capture->graph->nodes;
  node.after = part->tips;
  nodes.push_back(std::move(node));
  part->tips = {nodes.size() - 1};
  isCaptured = true;
  return cudaSuccess;
}

cudaError_t Captures::update(const std::shared_ptr<Stream> &stream,
                             std::span<const cudaGraphNode_t> nodes, bool replaces) {
  std::lock_guard lock(mutex);
  Part *part = nullptr;
  if (cudaError_t status = enter(stream, part); status != cudaSuccess)
    return status;
  if (!part)
    return cudaErrorIllegalState;
  std::vector<size_t> tips = replaces ? std::vector<size_t>() : part->tips;
  for (cudaGraphNode_t node : nodes) {
    std::optional<size_t> index = part->capture->graph->indexOf(node);
    if (!index)
      return cudaErrorInvalidValue;
    if (std::find(tips.begin(), tips.end(), *index) == tips.end())
      tips.push_back(*index);
  }
  if (replaces)
    part->capture->released.insert(part->capture->released.end(), part->tips.begin(),
                                   part->tips.end());
  part->tips = std::move(tips);
  return cudaSuccess;
}

bool Captures::isCapturing(const std::shared_ptr<Stream> &stream) {
  if (areNone())
    return false;
  std::lock_guard lock(mutex);
  return parts.contains(stream);
}

cudaError_t Captures::mark(const std::shared_ptr<Stream> &stream,
                           std::shared_ptr<const CapturedPoint> &out) {
  if (areNone())
    return cudaSuccess;
  std::lock_guard lock(mutex);
  Part *part = nullptr;
  cudaError_t status = enter(stream, part);
  if (status == cudaSuccess && part)
    out = std::make_shared<CapturedPoint>(CapturedPoint{part->capture, part->tips});
  return status;
}

cudaError_t Captures::wait(const std::shared_ptr<Stream> &stream, const CapturedPoint *point,
                           bool &isCaptured) {
  isCaptured = false;
  if (areNone() && !point)
    return cudaSuccess;
  std::lock_guard lock(mutex);
  Part *part = nullptr;
  if (cudaError_t status = enter(stream, part); status != cudaSuccess)
    return status;
  if (!point) {
    if (!part)
      return cudaSuccess;
    part->capture->isSpoilt = true;
    return cudaErrorStreamCaptureIsolation;
  }
  Capture &capture = *point->capture;
  if (capture.isOver)
    return cudaErrorCapturedEvent;
  if (capture.isSpoilt)
    return cudaErrorStreamCaptureInvalidated;
  if (part && part->capture.get() != &capture) {
    part->capture->isSpoilt = capture.isSpoilt = true;
    return cudaErrorStreamCaptureMerge;
  }
  if (stream == legacy) {
    capture.isSpoilt = true;
    return cudaErrorStreamCaptureImplicit;
  }
  if (!part)
    part = &(parts[stream] = {point->capture, {}, {}});
  for (size_t node : point->nodes)
    if (std::find(part->tips.begin(), part->tips.end(), node) == part->tips.end())
      part->tips.push_back(node);
  isCaptured = true;
  return cudaSuccess;
}

cudaError_t Captures::refuse(const CapturedPoint &point) {
  std::lock_guard lock(mutex);
  point.capture->isSpoilt = true;
  return cudaErrorCapturedEvent;
}

cudaError_t Captures::checkStream(const std::shared_ptr<Stream> &stream) {
  if (areNone())
    return cudaSuccess;
  std::lock_guard lock(mutex);
  Part *part = nullptr;
  cudaError_t status = enter(stream, part);
  if (status != cudaSuccess || !part)
    return status;
  part->capture->isSpoilt = true;
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t Captures::checkDevice() {
  if (areNone())
    return cudaSuccess;
  std::lock_guard lock(mutex);
  bool isAny = spoilWhere([](const Stream &, Capture &) { return true; });
  return isAny ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t Captures::checkUnsafe() {
  if (areNone() || threadMode == cudaStreamCaptureModeRelaxed)
    return cudaSuccess;
  std::lock_guard lock(mutex);
  bool isAny = spoilWhere([](const Stream &, const Capture &capture) {
    if (capture.thread == std::this_thread::get_id())
      return capture.mode != cudaStreamCaptureModeRelaxed;
    return threadMode == cudaStreamCaptureModeGlobal && capture.mode == cudaStreamCaptureModeGlobal;
  });
  return isAny ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

void Captures::leave(const std::shared_ptr<Stream> &stream) {
  if (areNone())
    return;
  std::lock_guard lock(mutex);
  auto found = parts.find(stream);
  if (found == parts.end())
    return;
  std::shared_ptr<Capture> capture = found->second.capture;
  if (capture->origin == stream.get())
    finish(*capture);
  else
    parts.erase(found);
}

void Captures::endAll() {
  std::lock_guard lock(mutex);
  for (auto &[stream, part] : parts)
    part.capture->isOver = true;
  parts.clear();
  count = 0;
}

} // namespace regrain::cpu
