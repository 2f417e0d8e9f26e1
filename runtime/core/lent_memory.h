//===- lent_memory.h - Global memory lent to launches -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each stream of a device has one buffer: launches of a stream run one after the other, so
// that they share it. A buffer that is too small, or whose stream is destroyed, is freed once
// the stream's earlier work has ended; no call waits for that. It is not the program's
// memory: tuning neither compares nor restores it, and it is returned when the program asks
// for more than is left.
//
// Beside that, a stream has a word that is 0 whenever a launch begins: its blocks count by it, and
// the last one sets it back.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace regrain {

/// A buffer may have at most this fraction (one in `lentShare`) of the
/// memory that is free when it is made.
inline constexpr uint64_t lentShare = 8;

class LentMemory {
public:
  /// Holds a stream's buffer while a launch that uses it is given to the stream:
  /// otherwise another thread could replace the buffer by a larger one.
  class Loan {
  public:
    Loan() = default; ///< no memory: the address is null
    void *address() const { return pointer; }

  private:
    friend class LentMemory;
    explicit Loan(std::mutex &mutex) : lock(mutex) {}
    std::unique_lock<std::mutex> lock;
    void *pointer = nullptr;
  };

  /// Lends the stream's buffer of at least `bytes` bytes, which it allocates if the present one
  /// is too small. Returns nothing if the device cannot spare the memory; sizes from there on are
  /// not tried again before memory is freed. It must not be called for streams that capture, or
  /// that denote another stream in each thread.
  [[nodiscard]] std::optional<Loan> lend(Device &device, cudaStream_t stream, uint64_t bytes);

  /// Lends the stream's word, in the same way.
  [[nodiscard]] std::optional<Loan> lendWord(Device &device, cudaStream_t stream);

  /// Must be called before `stream` is destroyed.
  void forget(Device &device, cudaStream_t stream);

  /// Must be called before a reset, when the device is idle.
  void clear(Device &device);

  /// Must be called when the program has freed memory.
  void noteFreed();

  /// Waits for the device and frees all buffers; returns false if there are none, or the
  /// device has failed. It must not be called during a capture.
  [[nodiscard]] bool giveBack(Device &device);

  /// Returns the size of all buffers, including those that are still to be
  /// freed.
  [[nodiscard]] uint64_t heldBytes();

private:
  struct Buffer {
    void *pointer = nullptr;
    uint64_t bytes = 0;
  };
  /// A buffer that is unused once its event has completed.
  struct Retired {
    Buffer buffer;
    cudaEvent_t event;
  };

  using Buffers = std::map<cudaStream_t, Buffer>;

  bool grow(Device &device, cudaStream_t stream, Buffer &buffer, uint64_t bytes);
  void forgetOne(Device &device, cudaStream_t stream, Buffers &from);
  bool retire(Device &device, cudaStream_t stream, const Buffer &buffer);
  void freeRetired(Device &device);
  void freeAll(Device &device);

  std::mutex mutex;
  Buffers buffers;
  Buffers words; ///< each is 0 between launches
  std::vector<Retired> retired;
  uint64_t tooMany = std::numeric_limits<uint64_t>::max(); ///< bytes that it lacked
};

} // namespace regrain
