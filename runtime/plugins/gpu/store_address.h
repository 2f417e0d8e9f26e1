//===- store_address.h - Filling in an address slot -------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

namespace regrain {

/// Stores `address` at the device address `place`, and returns when the store is
/// complete. Waits for nothing else.
[[nodiscard]] cudaError_t storeAddress(Device &device, void *place, void *address);

} // namespace regrain
