//===- copy.h - Copies and fills with their checks --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

namespace regrain {

/// Who waits for a copy or fill.
struct Order {
  cudaStream_t stream = nullptr;
  bool async = false;
};

/// A linear copy with the errors of cudaMemcpy.
[[nodiscard]] cudaError_t copyBytes(Device &device, void *to, const void *from, size_t bytes,
                                    cudaMemcpyKind kind, Order order);

} // namespace regrain
