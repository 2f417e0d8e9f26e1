//===- copy.h - Copies and fills with their checks --------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

namespace regrain {

/// Says who waits for a copy or fill.
struct Order {
  cudaStream_t stream = nullptr;
  bool async = false;
};

/// Makes a linear copy, with the errors of cudaMemcpy.
[[nodiscard]] cudaError_t copyBytes(Device &device, void *to, const void *from, size_t bytes,
                                    cudaMemcpyKind kind, Order order);

/// Finds the `bytes` at `offset` of a variable. A part that goes beyond its end is
/// cudaErrorInvalidValue.
[[nodiscard]] cudaError_t findPart(const void *symbol, size_t bytes, size_t offset, void *&address);

/// Returns cudaSuccess if cudaMemcpy3D accepts the box, otherwise its error.
[[nodiscard]] cudaError_t checkBox(const cudaMemcpy3DParms &box);
/// Copies the box, with the errors of cudaMemcpy3D.
[[nodiscard]] cudaError_t copyBox(Device &device, const cudaMemcpy3DParms *box, Order order);

} // namespace regrain
