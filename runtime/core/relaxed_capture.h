//===- relaxed_capture.h - What a capture need not see ----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/device.h"

namespace regrain {

/// While it lives, the calling thread may load code and allocate though it or another
/// thread captures. Code comes with its first use, which may lie within a capture; that
/// touches no stream that captures, which is what CUDA's relaxed mode is for.
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
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed; ///< the program's, meanwhile
  bool isRelaxed;
};

} // namespace regrain
