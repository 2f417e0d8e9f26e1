//===- stream.cpp - Streams of the CPU device -----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cpu/stream.h"

#include "runtime/plugins/cpu/device_thread.h"

#include <system_error>
#include <thread>
#include <unistd.h>

namespace regrain::cpu {

bool Ticket::isReached() const { return !stream || stream->isReached(number); }

void Ticket::wait() const {
  if (stream)
    stream->wait(number);
}

cudaError_t Stream::push(Work work, std::vector<Ticket> after, Ticket &done) {
  std::lock_guard lock(mutex);
  if (!hasThread) {
    try {
      std::thread([self = shared_from_this()] { self->run(); }).detach();
    } catch (const std::system_error &) {
      return cudaErrorMemoryAllocation;
    }
    hasThread = true;
  }
  queue.push_back({std::move(work), std::move(after)});
  done = {shared_from_this(), ++queued};
  filled.notify_one();
  return cudaSuccess;
}

Ticket Stream::last() {
  std::lock_guard lock(mutex);
  return completed == queued ? Ticket() : Ticket{shared_from_this(), queued};
}

void Stream::finish() {
  std::lock_guard lock(mutex);
  isFinishing = true;
  filled.notify_one();
}

bool Stream::isReached(uint64_t number) {
  std::lock_guard lock(mutex);
  return completed >= number;
}

void Stream::wait(uint64_t number) {
  std::unique_lock lock(mutex);
  advanced.wait(lock, [&] { return completed >= number; });
}

bool Stream::waitUntil(uint64_t number, std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex);
  return advanced.wait_until(lock, deadline, [&] { return completed >= number; });
}

void Stream::run() {
  DeviceThread here;
  std::unique_lock lock(mutex);
  while (true) {
    filled.wait(lock, [&] { return !queue.empty() || isFinishing; });
    if (queue.empty())
      return;
    Operation operation = std::move(queue.front());
    queue.pop_front();
    lock.unlock();
    for (const Ticket &ticket : operation.after)
      ticket.wait();
    operation.work();
    operation = {}; // frees its resources before others see its end
    lock.lock();
    ++completed;
    advanced.notify_all();
  }
}

Streams::Streams() : legacy(std::make_shared<Stream>(unsigned(cudaStreamDefault), 0)) {}

cudaStream_t Streams::create(unsigned flags, int priority) {
  auto stream = std::make_shared<Stream>(flags, priority);
  auto handle = reinterpret_cast<cudaStream_t>(stream.get());
  std::lock_guard lock(order);
  created[handle] = std::move(stream);
  return handle;
}

cudaError_t Streams::destroy(cudaStream_t handle) {
  std::lock_guard lock(order);
  auto found = created.find(handle);
  if (found == created.end())
    return cudaErrorInvalidResourceHandle;
  found->second->finish();
  addUnnamed(found->second);
  created.erase(found);
  return cudaSuccess;
}

void Streams::addUnnamed(const std::shared_ptr<Stream> &stream) {
  std::erase_if(unnamed, [](auto &other) { return other.expired(); });
  unnamed.push_back(stream);
}

void Streams::destroyAll() {
  std::lock_guard lock(order);
  for (auto &[handle, stream] : created)
    stream->finish();
  created.clear();
}

/// The calling thread's own default stream ends with the thread, but not with that of a forked
/// child, in which another thread of the parent may hold the stream.
std::shared_ptr<Stream> Streams::perThread() {
  struct Owner {
    const pid_t process = getpid();
    std::shared_ptr<Stream> stream;
    ~Owner() {
      if (stream && process == getpid())
        stream->finish();
    }
  };
  static thread_local Owner owner;
  if (!owner.stream) {
    owner.stream = std::make_shared<Stream>(unsigned(cudaStreamDefault), 0);
    std::lock_guard lock(order);
    addUnnamed(owner.stream);
  }
  return owner.stream;
}

std::shared_ptr<Stream> Streams::find(cudaStream_t handle) {
  if (!handle || handle == cudaStreamLegacy)
    return legacy;
  if (handle == cudaStreamPerThread)
    return perThread();
  std::lock_guard lock(order);
  auto found = created.find(handle);
  return found == created.end() ? nullptr : found->second;
}

std::vector<Ticket> Streams::predecessors(const std::shared_ptr<Stream> &stream) {
  std::vector<Ticket> tickets;
  auto add = [&](const std::shared_ptr<Stream> &other) {
    if (Ticket ticket = other->last(); ticket.stream)
      tickets.push_back(std::move(ticket));
  };
  if (stream == legacy) {
    for (auto &[handle, other] : created)
      if (other->isBlocking())
        add(other);
    for (auto &other : unnamed)
      if (std::shared_ptr<Stream> alive = other.lock(); alive && alive->isBlocking())
        add(alive);
  } else if (stream->isBlocking()) {
    add(legacy);
  }
  return tickets;
}

cudaError_t Streams::submit(const std::shared_ptr<Stream> &stream, Work work, Ticket &done,
                            std::vector<Ticket> others) {
  std::lock_guard lock(order);
  std::vector<Ticket> after = predecessors(stream);
  for (Ticket &other : others)
    after.push_back(std::move(other));
  return stream->push(std::move(work), std::move(after), done);
}

std::vector<Ticket> Streams::pending(const std::shared_ptr<Stream> &stream) {
  std::lock_guard lock(order);
  std::vector<Ticket> tickets = predecessors(stream);
  if (Ticket ticket = stream->last(); ticket.stream)
    tickets.push_back(std::move(ticket));
  return tickets;
}

std::vector<Ticket> Streams::pendingEverywhere() {
  std::lock_guard lock(order);
  std::vector<Ticket> tickets = {legacy->last()};
  for (auto &[handle, stream] : created)
    tickets.push_back(stream->last());
  for (auto &stream : unnamed)
    if (std::shared_ptr<Stream> alive = stream.lock())
      tickets.push_back(alive->last());
  return tickets;
}

} // namespace regrain::cpu
