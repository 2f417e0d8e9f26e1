//===- capture.h - Calls that no graph can hold -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

namespace regrain {

/// For a call that is not made of calls of the device which would refuse it: what it
/// answers where `stream` captures, which spoils the capture; else cudaSuccess.
[[nodiscard]] cudaError_t refuseCapture(Device &device, cudaStream_t stream);

} // namespace regrain
