//===- relaxed_capture.h - Calls that a capture ignores ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

namespace regrain {

/// The calling thread may load code and allocate during the lifetime of this object,
/// even though it or another thread captures. Code is loaded at its first use, which
/// may lie within a capture; that does not involve any capturing stream, which is the
/// purpose of CUDA's relaxed mode.
class RelaxedCapture {
public:
  explicit RelaxedCapture(Device &device)
      : device(device), isRelaxed(device.exchangeCaptureMode(mode) == cudaSuccess) {}
  ~RelaxedCapture() {
    if (isRelaxed)
      static_cast<void>(device.exchangeCaptureMode(mode));
  }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  Device &device;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed; ///< holds the program's mode meanwhile
  bool isRelaxed;
};

} // namespace regrain
