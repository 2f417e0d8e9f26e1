//===- driver.h - NVIDIA's driver, loaded at run time -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"
#include "include/cuda/regrain_driver_types.h"

#include <string>

namespace regrain::cuda {

enum class DriverMemory : int { Host = 1, Device = 2, Array = 3, Unified = 4 };

/// This is CUDA_MEMCPY2D of the driver API reference. Sizes and pitches are in
/// bytes; Unified addresses are in the `device` fields.
struct DriverCopy2D {
  size_t fromX, fromY;
  DriverMemory fromKind;
  const void *fromHost;
  CUdeviceptr fromDevice;
  CUarray fromArray;
  size_t fromPitch;
  size_t toX, toY;
  DriverMemory toKind;
  void *toHost;
  CUdeviceptr toDevice;
  CUarray toArray;
  size_t toPitch;
  size_t width, height;
};

/// The driver's entry points, one pointer each.
struct Driver {
#define REGRAIN_DRIVER_CALL(name, symbol, parameters) CUresult(*name) parameters;
#include "runtime/plugins/cuda/driver_api.def"
};

/// Loads `library` and fills in `out`; on failure `reason` is one sentence.
[[nodiscard]] cudaError_t loadDriver(const char *library, Driver &out, std::string &reason);

/// Returns the runtime's code for the driver's; both have the same numbers for
/// the same errors.
[[nodiscard]] cudaError_t toRuntime(CUresult result);

} // namespace regrain::cuda
