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

  [[nodiscard]] cudaError_t begin();
  /// Captures the nodes of `graph` after `before`; `ends` then are the nodes that
  /// nothing follows.
  [[nodiscard]] cudaError_t add(const BuiltGraph &graph, const std::vector<size_t> &before,
                                std::vector<size_t> &ends);
  [[nodiscard]] cudaError_t end(const std::vector<size_t> &ends, cudaGraph_t &out);

  static constexpr size_t start = 0; ///< the point where the capture begins

private:
  /// A place in the graph that others can depend on.
  struct Point {
    cudaStream_t stream;
    cudaEvent_t event;
  };

  cudaError_t addNode(const BuiltGraph::Node &node, std::vector<size_t> before,
                      std::vector<size_t> &ends);
  /// Returns a stream whose next work depends on the points.
  cudaError_t streamAfter(const std::vector<size_t> &before, cudaStream_t &out);
  cudaError_t mark(cudaStream_t stream, size_t &point);

  Device &device;
  std::vector<cudaStream_t> streams; ///< the capture began on the first
  std::map<cudaStream_t, size_t> lastPoints;
  std::vector<Point> points;
  bool isOver = true;
};

Capturing::~Capturing() {
  // A failed capture has its error reported already; this drops its graph.
  cudaGraph_t graph = nullptr;
  if (!isOver && device.endCapture(streams.front(), graph) == cudaSuccess && graph)
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

cudaError_t Capturing::begin() {
  cudaStream_t stream = nullptr;
  if (cudaError_t status = device.createStream(cudaStreamNonBlocking, 0, stream);
      status != cudaSuccess)
    return status;
  streams.push_back(stream);
  // The mode is relaxed, because no other thread is concerned, and code may be
  // loaded.
  cudaError_t status = device.beginCapture(stream, cudaStreamCaptureModeRelaxed);
  isOver = status != cudaSuccess;
  size_t point = start;
  return isOver ? status : mark(stream, point);
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
  isOver = true;
  return device.endCapture(streams.front(), out);
}

/// Makes graphs of the device for the bodies, which end with the object.
class Bodies {
public:
  explicit Bodies(Device &device) : device(device) {}
  ~Bodies() {
    for (cudaGraph_t graph : graphs)
      static_cast<void>(device.destroyGraph(graph));
  }
  Bodies(const Bodies &) = delete;

  [[nodiscard]] cudaError_t add(const BuiltGraph &body) {
    cudaGraph_t graph = nullptr;
    cudaError_t status = body.capture(device, graph);
    if (status == cudaSuccess)
      graphs.push_back(graph);
    return status;
  }

  std::vector<cudaGraph_t> graphs;

private:
  Device &device;
};

} // namespace

cudaError_t BuiltGraph::Node::capture(Device &device, cudaStream_t stream) const {
  if (work)
    return work(device, stream);
  Bodies bodies(device);
  if (child) {
    cudaError_t status = bodies.add(*child);
    return status == cudaSuccess ? device.captureGraph(stream, bodies.graphs.front()) : status;
  }
  if (!conditional)
    return cudaErrorNotSupported;
  for (const std::shared_ptr<BuiltGraph> &body : conditional->bodies)
    if (cudaError_t status = bodies.add(*body); status != cudaSuccess)
      return status;
  const Condition &condition = conditional->condition;
  return device.captureConditional(
      stream, {conditional->type, condition.value, condition.atStart, bodies.graphs});
}

cudaError_t BuiltGraph::capture(Device &device, cudaGraph_t &out) const {
  Capturing capturing(device);
  std::vector<size_t> ends;
  cudaError_t status = capturing.begin();
  if (status == cudaSuccess)
    status = capturing.add(*this, {Capturing::start}, ends);
  return status == cudaSuccess ? capturing.end(ends, out) : status;
}

} // namespace regrain
