//===- thread_state.h - State of the program's threads ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/platform.h"

#include <vector>

namespace regrain {

/// The parameters of <<<grid, block, shared, stream>>> on their way to the
/// kernel's stub.
struct CallConfiguration {
  Extent grid;
  Extent block;
  size_t sharedBytes;
  cudaStream_t stream;
};

struct ThreadState {
  cudaError_t lastError = cudaSuccess;
  /// The ordinal set by cudaSetDevice; a negative one means the platform's
  /// default. It holds while no device is current for the plugin.
  int ordinal = -1;
  /// The current device, once it is open and bound to this thread, otherwise null. A
  /// reset by any thread ends the binding: see boundDevice().
  OpenDevice *device = nullptr;
  uint32_t resetsOfDevice = 0; ///< at the time of the binding
  std::vector<CallConfiguration> callConfigurations;

  static ThreadState &get();

  /// Returns the current device if the binding is still valid, otherwise null.
  OpenDevice *boundDevice() const {
    bool isBound = device && device->resets.load(std::memory_order_acquire) == resetsOfDevice;
    return isBound ? device : nullptr;
  }
};

/// Gives the calling thread's device, opened and bound; chooses the platform at
/// the first use. On an error `out` is null.
[[nodiscard]] cudaError_t currentDevice(OpenDevice *&out);

/// Gives the calling thread's device ordinal without opening the device.
[[nodiscard]] cudaError_t currentOrdinal(int &out);

/// Behaves as cudaSetDevice.
[[nodiscard]] cudaError_t setCurrentDevice(int ordinal);

} // namespace regrain
