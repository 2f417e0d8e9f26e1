//===- thread_state.h - What each thread of the program has -----*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/platform.h"

#include <vector>

namespace regrain {

/// A <<<grid, block, shared, stream>>> on its way to the kernel's stub.
struct CallConfiguration {
  Extent grid;
  Extent block;
  size_t sharedBytes;
  cudaStream_t stream;
};

struct ThreadState {
  cudaError_t lastError = cudaSuccess;
  /// As set by cudaSetDevice; negative: the platform's default.
  int ordinal = -1;
  /// The current device, once it is open and bound to this thread, else null. A reset by
  /// any thread ends what was bound: see boundDevice().
  OpenDevice *device = nullptr;
  uint32_t resetsOfDevice = 0; ///< when it was bound
  std::vector<CallConfiguration> callConfigurations;

  static ThreadState &get();

  /// The current device if it is bound still, else null.
  OpenDevice *boundDevice() const {
    bool isBound = device && device->resets.load(std::memory_order_acquire) == resetsOfDevice;
    return isBound ? device : nullptr;
  }
};

/// The calling thread's device, opened and bound; chooses the platform at first
/// use. On an error `out` is null.
[[nodiscard]] cudaError_t currentDevice(OpenDevice *&out);

/// The calling thread's device ordinal; does not open it.
[[nodiscard]] cudaError_t currentOrdinal(int &out);

/// As cudaSetDevice.
[[nodiscard]] cudaError_t setCurrentDevice(int ordinal);

} // namespace regrain
