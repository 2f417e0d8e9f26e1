//===- lent_memory.cpp - Global memory lent to launches -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/lent_memory.h"

#include "runtime/core/relaxed_capture.h"

#include <algorithm>

namespace regrain {
namespace {

/// The bytes of a word's allocation.
constexpr uint64_t wordBytes = 256;

/// These handles are two names of one stream.
cudaStream_t nameOf(cudaStream_t stream) { return stream == cudaStreamLegacy ? nullptr : stream; }

} // namespace

std::optional<LentMemory::Loan> LentMemory::lend(Device &device, cudaStream_t stream,
                                                 uint64_t bytes) {
  Loan loan(mutex);
  stream = nameOf(stream);
  Buffer &buffer = buffers[stream];
  if (buffer.bytes < bytes && !grow(device, stream, buffer, bytes))
    return std::nullopt;
  loan.pointer = buffer.pointer;
  return loan;
}

std::optional<LentMemory::Loan> LentMemory::lendWord(Device &device, cudaStream_t stream) {
  Loan loan(mutex);
  Buffer &buffer = words[nameOf(stream)];
  if (!buffer.pointer) {
    Buffer made;
    if (!grow(device, stream, made, wordBytes))
      return std::nullopt;
    RelaxedCapture mayFill(device);
    if (device.fill(made.pointer, wordBytes, 0, {wordBytes, 1}, stream, /*async=*/true) !=
        cudaSuccess) {
      static_cast<void>(device.free(made.pointer)); // the launch goes without it
      return std::nullopt;
    }
    buffer = made;
  }
  loan.pointer = buffer.pointer;
  return loan;
}

bool LentMemory::grow(Device &device, cudaStream_t stream, Buffer &buffer, uint64_t bytes) {
  if (bytes >= tooMany)
    return false;
  RelaxedCapture mayAllocate(device);
  freeRetired(device);
  size_t freeBytes = 0, totalBytes = 0;
  void *larger = nullptr;
  if (device.memoryInfo(freeBytes, totalBytes) != cudaSuccess || bytes > freeBytes / lentShare ||
      device.allocate(bytes, larger) != cudaSuccess) {
    tooMany = bytes;
    return false;
  }
  if (buffer.pointer && !retire(device, stream, buffer)) {
    static_cast<void>(device.free(larger)); // the launch goes without it
    return false;
  }
  buffer = {larger, bytes};
  return true;
}

/// Returns false if it cannot be observed when the stream has finished with the
/// buffer.
bool LentMemory::retire(Device &device, cudaStream_t stream, const Buffer &buffer) {
  cudaEvent_t event = nullptr;
  if (device.createEvent(cudaEventDisableTiming, event) != cudaSuccess)
    return false;
  if (device.recordEvent(event, stream, cudaEventRecordDefault) != cudaSuccess) {
    static_cast<void>(device.destroyEvent(event));
    return false;
  }
  retired.push_back({buffer, event});
  return true;
}

void LentMemory::freeRetired(Device &device) {
  std::erase_if(retired, [&](const Retired &old) {
    if (device.queryEvent(old.event) != cudaSuccess)
      return false;
    // After an error, the memory is lost until the device is reset; there is no
    // other effect.
    static_cast<void>(device.destroyEvent(old.event));
    static_cast<void>(device.free(old.buffer.pointer));
    return true;
  });
}

void LentMemory::forgetOne(Device &device, cudaStream_t stream, Buffers &from) {
  auto known = from.find(nameOf(stream));
  if (known == from.end())
    return;
  // A buffer whose last use cannot be observed stays until the device is reset.
  if (known->second.pointer)
    static_cast<void>(retire(device, stream, known->second));
  from.erase(known);
}

void LentMemory::forget(Device &device, cudaStream_t stream) {
  std::lock_guard lock(mutex);
  forgetOne(device, stream, buffers);
  forgetOne(device, stream, words);
}

void LentMemory::freeAll(Device &device) {
  for (const Retired &old : retired) {
    static_cast<void>(device.destroyEvent(old.event));
    static_cast<void>(device.free(old.buffer.pointer));
  }
  for (Buffers *some : {&buffers, &words}) {
    for (const auto &[stream, buffer] : *some)
      if (buffer.pointer)
        static_cast<void>(device.free(buffer.pointer));
    some->clear();
  }
  retired.clear();
  tooMany = std::numeric_limits<uint64_t>::max();
}

void LentMemory::clear(Device &device) {
  std::lock_guard lock(mutex);
  freeAll(device);
}

void LentMemory::noteFreed() {
  std::lock_guard lock(mutex);
  tooMany = std::numeric_limits<uint64_t>::max();
}

bool LentMemory::giveBack(Device &device) {
  std::lock_guard lock(mutex);
  if ((buffers.empty() && words.empty() && retired.empty()) || device.synchronize() != cudaSuccess)
    return false;
  freeAll(device);
  return true;
}

uint64_t LentMemory::heldBytes() {
  std::lock_guard lock(mutex);
  uint64_t bytes = 0;
  for (const Retired &old : retired)
    bytes += old.buffer.bytes;
  for (const Buffers *some : {&buffers, &words})
    for (const auto &[stream, buffer] : *some)
      bytes += buffer.bytes;
  return bytes;
}

} // namespace regrain
