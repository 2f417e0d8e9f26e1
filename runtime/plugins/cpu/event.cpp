//===- event.cpp - Events of the CPU device -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/event.h"

namespace regrain::cpu {

cudaEvent_t Events::create(unsigned flags) {
  auto event = std::make_unique<Event>(Event{flags, nullptr});
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
  return cudaSuccess;
}

cudaError_t Events::ticketOf(cudaEvent_t handle, Ticket &out) {
  Event event = {};
  cudaError_t status = snapshot(handle, event);
  if (status == cudaSuccess && event.recording)
    out = event.recording->ticket;
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
