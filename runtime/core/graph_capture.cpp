//===- graph_capture.cpp - Built graphs become graphs of a device ---------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/built_graph.h"

#include <algorithm>

namespace regrain {
namespace {

/// The streams and events of one capture. A node continues the stream of its first
/// dependency if that is the stream's last node; otherwise it gets a new stream.
class Capturing {
public:
  explicit Capturing(Device &device) : device(device) {}
  ~Capturing();
  Capturing(const Capturing &) = delete;

  /// Begins a graph of its own.
  [[nodiscard]] cudaError_t begin();
  /// Begins a body of a conditional node, which lives longer than this.
  [[nodiscard]] cudaError_t begin(const Conditional &node, size_t body);
  /// Captures the nodes of `graph` after `before`; `ends` then are the nodes that
  /// nothing follows.
  [[nodiscard]] cudaError_t add(const BuiltGraph &graph, const std::vector<size_t> &before,
                                std::vector<size_t> &ends);
  /// `out` is the graph; for a body it stays as it is.
  [[nodiscard]] cudaError_t end(const std::vector<size_t> &ends, cudaGraph_t &out);

  static constexpr size_t start = 0; ///< the point where the capture begins

private:
  /// A place in the graph that others can depend on.
  struct Point {
    cudaStream_t stream;
    cudaEvent_t event;
  };

  /// Makes the first stream, on which `start` begins the capture.
  template <typename Start> cudaError_t beginWith(Start start);
  cudaError_t endFirst(cudaGraph_t &out);
  cudaError_t addNode(const BuiltGraph::Node &node, std::vector<size_t> before,
                      std::vector<size_t> &ends);
  /// Returns a stream whose next work depends on the points.
  cudaError_t streamAfter(const std::vector<size_t> &before, cudaStream_t &out);
  cudaError_t mark(cudaStream_t stream, size_t &point);

  Device &device;
  std::vector<cudaStream_t> streams; ///< the capture began on the first
  std::map<cudaStream_t, size_t> lastPoints;
  std::vector<Point> points;
  const Conditional *conditional = nullptr; ///< only while a body is captured
  size_t body = 0;
  bool isOver = true;
};

Capturing::~Capturing() {
  // A failed capture has its error reported already; this drops its graph.
  cudaGraph_t graph = nullptr;
  if (!isOver && endFirst(graph) == cudaSuccess && graph)
    static_cast<void>(device.destroyGraph(graph));
  for (const Point &point : points)
    static_cast<void>(device.destroyEvent(point.event));
  for (cudaStream_t stream : streams)
    static_cast<void>(device.destroyStream(stream));
}

cudaError_t Capturing::mark(cudaStream_t stream, size_t &point) {
  cudaEvent_t event = nullptr;
  if (cudaError_t status = device.createEvent(cudaEventDisableTiming, event); status != cudaSuccess)
    return status;
  point = points.size();
  points.push_back({stream, event});
  lastPoints[stream] = point;
  return device.recordEvent(event, stream, cudaEventRecordDefault);
}

template <typename Start> cudaError_t Capturing::beginWith(Start start) {
  cudaStream_t stream = nullptr;
  if (cudaError_t status = device.createStream(cudaStreamNonBlocking, 0, stream);
      status != cudaSuccess)
    return status;
  streams.push_back(stream);
  cudaError_t status = start(stream);
  isOver = status != cudaSuccess;
  size_t point = Capturing::start;
  return isOver ? status : mark(stream, point);
}

cudaError_t Capturing::begin() {
  // The mode is relaxed, because no other thread is concerned, and code may be
  // loaded.
  return beginWith([&](cudaStream_t stream) {
    return device.beginCapture(stream, cudaStreamCaptureModeRelaxed);
  });
}

cudaError_t Capturing::begin(const Conditional &node, size_t index) {
  conditional = &node;
  body = index;
  return beginWith([&](cudaStream_t stream) { return device.beginBody(stream, node, index); });
}

cudaError_t Capturing::endFirst(cudaGraph_t &out) {
  isOver = true;
  return conditional ? device.endBody(streams.front(), *conditional, body)
                     : device.endCapture(streams.front(), out);
}

cudaError_t Capturing::streamAfter(const std::vector<size_t> &before, cudaStream_t &out) {
  // The first stream stays where the capture began, so that other streams can begin
  // there.
  size_t first = before.front();
  out = nullptr;
  if (first != start && lastPoints[points[first].stream] == first)
    out = points[first].stream;
  if (!out) {
    if (cudaError_t status = device.createStream(cudaStreamNonBlocking, 0, out);
        status != cudaSuccess)
      return status;
    streams.push_back(out);
  }
  for (size_t point : before)
    if (points[point].stream != out)
      if (cudaError_t status = device.streamWaitEvent(out, points[point].event, 0);
          status != cudaSuccess)
        return status;
  return cudaSuccess;
}

cudaError_t Capturing::addNode(const BuiltGraph::Node &node, std::vector<size_t> before,
                               std::vector<size_t> &ends) {
  if (before.empty())
    before = {start};
  if (node.child)
    return add(*node.child, before, ends);
  if ((!node.work && !node.conditional) || !node.isEnabled) {
    ends = before;
    return cudaSuccess;
  }
  cudaStream_t stream = nullptr;
  cudaError_t status = streamAfter(before, stream);
  if (status == cudaSuccess)
    status = node.capture(device, stream);
  ends = {0};
  return status == cudaSuccess ? mark(stream, ends.front()) : status;
}

/// Returns the nodes in an order in which each comes after those that it depends on;
/// there are fewer if they have a cycle.
std::vector<size_t> inOrder(const BuiltGraph &graph) {
  const std::vector<BuiltGraph::Node> &nodes = graph.nodes();
  std::vector<size_t> waiting(nodes.size()), order;
  std::vector<std::vector<size_t>> next(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    waiting[i] = nodes[i].after.size();
    for (size_t before : nodes[i].after)
      next[before].push_back(i);
    if (waiting[i] == 0)
      order.push_back(i);
  }
  for (size_t done = 0; done < order.size(); ++done)
    for (size_t after : next[order[done]])
      if (--waiting[after] == 0)
        order.push_back(after);
  return order;
}

void addOnce(std::vector<size_t> &to, const std::vector<size_t> &points) {
  for (size_t point : points)
    if (std::find(to.begin(), to.end(), point) == to.end())
      to.push_back(point);
}

cudaError_t Capturing::add(const BuiltGraph &graph, const std::vector<size_t> &before,
                           std::vector<size_t> &ends) {
  const std::vector<BuiltGraph::Node> &nodes = graph.nodes();
  std::vector<size_t> order = inOrder(graph);
  if (order.size() != nodes.size())
    return cudaErrorInvalidValue;
  std::vector<std::vector<size_t>> endsOf(nodes.size());
  std::vector<bool> isLast(nodes.size(), true);
  for (size_t index : order) {
    std::vector<size_t> after = nodes[index].after.empty() ? before : std::vector<size_t>();
    for (size_t other : nodes[index].after) {
      addOnce(after, endsOf[other]);
      isLast[other] = false;
    }
    if (cudaError_t status = addNode(nodes[index], after, endsOf[index]); status != cudaSuccess)
      return status;
  }
  ends = nodes.empty() ? before : std::vector<size_t>();
  for (size_t index : order)
    if (isLast[index])
      addOnce(ends, endsOf[index]);
  return cudaSuccess;
}

cudaError_t Capturing::end(const std::vector<size_t> &ends, cudaGraph_t &out) {
  for (size_t point : ends)
    if (point != start)
      if (cudaError_t status = device.streamWaitEvent(streams.front(), points[point].event, 0);
          status != cudaSuccess)
        return status;
  return endFirst(out);
}

} // namespace

cudaError_t BuiltGraph::Node::capture(Device &device, cudaStream_t stream) const {
  if (work)
    return work(device, stream);
  if (child) {
    cudaGraph_t graph = nullptr;
    cudaError_t status = child->capture(device, graph);
    if (status != cudaSuccess)
      return status;
    CapturedGraph captured(device, graph);
    return device.captureGraph(stream, graph);
  }
  if (!conditional)
    return cudaErrorNotSupported;
  Conditional made;
  cudaError_t status = conditional->begin(device, stream, made);
  return status == cudaSuccess ? conditional->fill(device, made) : status;
}

cudaError_t ConditionalNode::begin(Device &device, cudaStream_t stream, Conditional &out) const {
  out = {type, condition.value, bodies.size()};
  return device.captureConditional(stream, out);
}

cudaError_t ConditionalNode::fill(Device &device, const Conditional &made) const {
  for (size_t i = 0; i < bodies.size(); ++i)
    if (cudaError_t status = bodies[i]->captureBody(device, made, i); status != cudaSuccess)
      return status;
  return cudaSuccess;
}

/// Captures the graph, after `begin` has begun.
template <typename Begin>
static cudaError_t captureWith(Device &device, const BuiltGraph &graph, Begin begin,
                               cudaGraph_t &out) {
  Capturing capturing(device);
  std::vector<size_t> ends;
  cudaError_t status = begin(capturing);
  if (status == cudaSuccess)
    status = capturing.add(graph, {Capturing::start}, ends);
  return status == cudaSuccess ? capturing.end(ends, out) : status;
}

cudaError_t BuiltGraph::capture(Device &device, cudaGraph_t &out) const {
  return captureWith(device, *this, [](Capturing &capturing) { return capturing.begin(); }, out);
}

cudaError_t BuiltGraph::captureBody(Device &device, const Conditional &node, size_t body) const {
  cudaGraph_t none = nullptr;
  return captureWith(
      device, *this, [&](Capturing &capturing) { return capturing.begin(node, body); }, none);
}

} // namespace regrain
