//===- scratch.h - Global memory that launches are given --------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One buffer for each stream of a device: launches of a stream run one after the other,
// so that they share it. A buffer that is too small, or whose stream is destroyed, is
// freed once the work that was given to the stream before has ended; nobody waits for that.
// It is no memory of the program's: neither compared nor restored when tuning, and given back
// where the program asks for more than is left.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

#include <limits>
#include <map>
#include <mutex>
#include <vector>

namespace regrain {

/// Of the memory that is free when a buffer is made, one may have this part.
inline constexpr uint64_t scratchShare = 8;

class Scratch {
public:
  /// Holds a stream's buffer while a launch that uses it is given to the stream: another
  /// thread could make a larger one meanwhile.
  class Loan {
  public:
    void *address() const { return pointer; }

  private:
    friend class Scratch;
    std::unique_lock<std::mutex> lock;
    void *pointer = nullptr;
  };

  /// The stream's buffer, of at least `bytes` bytes. Allocates where it is too small. False
  /// where the device cannot spare as much; as large ones are then not tried again before memory
  /// comes free. Not for streams that a graph is recorded from, or that mean another
  /// stream in each thread.
  [[nodiscard]] bool lend(Device &device, cudaStream_t stream, uint64_t bytes, Loan &out);

  /// `stream` is about to be destroyed.
  void forget(Device &device, cudaStream_t stream);

  /// The device is idle and about to be reset.
  void clear(Device &device);

  /// The program has freed memory.
  void noteFreed();

  /// Waits for the device and frees all buffers; false where there are none, or the device
  /// has failed. Not while a capture is under way.
  [[nodiscard]] bool giveBack(Device &device);

  /// Of all buffers, those included that are still to be freed.
  [[nodiscard]] uint64_t heldBytes();

private:
  struct Buffer {
    void *pointer = nullptr;
    uint64_t bytes = 0;
  };
  /// Not in use any more once its event has come.
  struct Retired {
    Buffer buffer;
    cudaEvent_t event;
  };

  bool grow(Device &device, cudaStream_t stream, Buffer &buffer, uint64_t bytes);
  bool retire(Device &device, cudaStream_t stream, const Buffer &buffer);
  void freeRetired(Device &device);
  void freeAll(Device &device);

  std::mutex mutex;
  std::map<cudaStream_t, Buffer> buffers;
  std::vector<Retired> retired;
  uint64_t tooMany = std::numeric_limits<uint64_t>::max(); ///< bytes that could not be had
};

} // namespace regrain
