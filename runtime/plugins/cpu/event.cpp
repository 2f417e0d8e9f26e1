//===- event.cpp - Events of the CPU device -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/event.h"

namespace regrain::cpu {

cudaEvent_t Events::create(unsigned flags) {
  auto event = std::make_unique<Event>(Event{flags, nullptr, nullptr});
  auto handle = reinterpret_cast<cudaEvent_t>(event.get());
  std::lock_guard lock(mutex);
  events[handle] = std::move(event);
  return handle;
}

cudaError_t Events::destroy(cudaEvent_t handle) {
  std::lock_guard lock(mutex);
  return events.erase(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

void Events::destroyAll() {
  std::lock_guard lock(mutex);
  events.clear();
}

cudaError_t Events::snapshot(cudaEvent_t handle, Event &out) {
  std::lock_guard lock(mutex);
  auto found = events.find(handle);
  if (found == events.end())
    return cudaErrorInvalidResourceHandle;
  out = *found->second;
  return cudaSuccess;
}

cudaError_t Events::record(cudaEvent_t handle, const std::shared_ptr<Stream> &stream) {
  auto recording = std::make_shared<Recording>();
  if (streams.pending(stream).empty()) {
    recording->time = std::chrono::steady_clock::now();
  } else {
    cudaError_t status = streams.submit(
        stream, [recording] { recording->time = std::chrono::steady_clock::now(); },
        recording->ticket);
    if (status != cudaSuccess)
      return status;
  }
  std::lock_guard lock(mutex);
  auto found = events.find(handle);
  if (found == events.end())
    return cudaErrorInvalidResourceHandle;
  found->second->recording = std::move(recording);
  found->second->captured = nullptr;
  return cudaSuccess;
}

cudaError_t Events::recordAt(cudaEvent_t handle, Ticket ticket) {
  std::lock_guard lock(mutex);
  auto found = events.find(handle);
  if (found == events.end())
    return cudaErrorInvalidResourceHandle;
  found->second->recording =
      std::make_shared<Recording>(Recording{std::move(ticket), std::chrono::steady_clock::now()});
  found->second->captured = nullptr;
  return cudaSuccess;
}

void Events::stamp(cudaEvent_t handle) {
  std::lock_guard lock(mutex);
  if (auto found = events.find(handle); found != events.end() && found->second->recording)
    found->second->recording->time = std::chrono::steady_clock::now();
}

cudaError_t Events::recordCaptured(cudaEvent_t handle, std::shared_ptr<const CapturedPoint> point) {
  std::lock_guard lock(mutex);
  auto found = events.find(handle);
  if (found == events.end())
    return cudaErrorInvalidResourceHandle;
  found->second->recording = nullptr;
  found->second->captured = std::move(point);
  return cudaSuccess;
}

cudaError_t Events::pointOf(cudaEvent_t handle, EventPoint &out) {
  Event event = {};
  cudaError_t status = snapshot(handle, event);
  out = {event.recording || event.captured, event.recording ? event.recording->ticket : Ticket(),
         event.captured};
  return status;
}

/// Returns the point of an event that the program waits for or queries; a reached
/// one if it was never recorded.
cudaError_t Events::ticketOf(cudaEvent_t handle, Ticket &out) {
  EventPoint point;
  cudaError_t status = pointOf(handle, point);
  if (status == cudaSuccess && point.captured)
    return captures.refuse(*point.captured);
  out = std::move(point.ticket);
  return status;
}

cudaError_t Events::synchronize(cudaEvent_t handle) {
  Ticket ticket;
  cudaError_t status = ticketOf(handle, ticket);
  if (status == cudaSuccess)
    ticket.wait();
  return status;
}

cudaError_t Events::query(cudaEvent_t handle) {
  Ticket ticket;
  cudaError_t status = ticketOf(handle, ticket);
  if (status != cudaSuccess)
    return status;
  return ticket.isReached() ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t Events::elapsed(cudaEvent_t start, cudaEvent_t end, float &milliseconds) {
  Event first = {}, second = {};
  cudaError_t status = snapshot(start, first);
  if (status == cudaSuccess)
    status = snapshot(end, second);
  if (status != cudaSuccess)
    return status;
  for (const Event &event : {first, second})
    if (event.captured)
      return cudaErrorCapturedEvent;
  if (!first.recording || !second.recording ||
      ((first.flags | second.flags) & cudaEventDisableTiming))
    return cudaErrorInvalidResourceHandle;
  if (!first.recording->ticket.isReached() || !second.recording->ticket.isReached())
    return cudaErrorNotReady;
  milliseconds =
      std::chrono::duration<float, std::milli>(second.recording->time - first.recording->time)
          .count();
  return cudaSuccess;
}

} // namespace regrain::cpu
