//===- store_address.cpp - Filling in an address slot ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/gpu/store_address.h"

namespace regrain {

/// A copy from pageable memory may return before it has reached the device, so the store
/// uses a stream of its own, for which the plugin can wait without waiting for the
/// program's work.
cudaError_t storeAddress(Device &device, void *place, void *address) {
  cudaStream_t stream = nullptr;
  cudaError_t status = device.createStream(cudaStreamNonBlocking, /*priority=*/0, stream);
  if (status != cudaSuccess)
    return status;
  status = device.copy(place, 0, &address, 0, {sizeof address, 1}, cudaMemcpyHostToDevice, stream,
                       /*async=*/true);
  if (status == cudaSuccess)
    status = device.synchronizeStream(stream);
  cudaError_t destroyed = device.destroyStream(stream);
  return status != cudaSuccess ? status : destroyed;
}

} // namespace regrain
