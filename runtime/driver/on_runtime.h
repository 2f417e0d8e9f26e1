//===- on_runtime.h - The driver API over the runtime -----------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These functions serve the driver API where there is no NVIDIA GPU. They have its names, and call
// the runtime API.
//
//===----------------------------------------------------------------------===//
#pragma once

#pragma GCC visibility push(default)
#include "include/cuda/cuda.h"
#include "include/cuda/cuda_runtime_api.h"
#pragma GCC visibility pop

#include <string_view>

namespace regrain::driver {

#define REGRAIN_DRIVER_API_WITHOUT_DEFAULTS
#define REGRAIN_DRIVER_API(NAME, SYMBOL, PARAMETERS, ARGUMENTS) CUresult NAME PARAMETERS;
#define REGRAIN_DRIVER_CODE_API(NAME, SYMBOL, PARAMETERS, ARGUMENTS, ARGUMENT)                     \
  CUresult NAME PARAMETERS;
#define REGRAIN_DRIVER_SHARED_API(NAME, SYMBOL, PARAMETERS, ARGUMENTS) CUresult NAME PARAMETERS;
#define REGRAIN_DRIVER_ONLY_API(NAME, SYMBOL, PARAMETERS, ARGUMENTS)
#define REGRAIN_DRIVER_OWN_API(NAME, PARAMETERS)
#include "include/cuda/regrain_driver_api.def"

/// These return whether code is a Regrain image, whether a module or a kernel was loaded from one,
/// and whether the program built a graph or node with the runtime.
[[nodiscard]] bool isOwn(const void *code);
[[nodiscard]] bool isOwn(CUmodule module);
[[nodiscard]] bool isOwn(CUfunction function);
[[nodiscard]] bool isOwn(CUlibrary library);
[[nodiscard]] bool isOwn(CUkernel kernel);
[[nodiscard]] bool isOwn(CUgraph graph);
[[nodiscard]] bool isOwn(CUgraphNode node);

/// Returns the driver's code for the runtime's. Most have the same number.
[[nodiscard]] CUresult toDriver(cudaError_t status);

/// Returns whether cuInit was called, or the runtime API was used, which does the same. Each entry
/// asks before it lets the process choose its platform, which tells the two apart.
[[nodiscard]] bool isInitialised();
/// Returns the error of the entry if it needs a current context, and the thread has none.
[[nodiscard]] CUresult checkContext(std::string_view entry);

/// Calls the body, which returns a status of the runtime, while `device` is the thread's.
template <typename Body> CUresult withDevice(CUdevice device, Body body) {
  int before = 0;
  cudaError_t status = cudaGetDevice(&before);
  if (status == cudaSuccess)
    status = cudaSetDevice(device);
  if (status == cudaSuccess)
    status = body();
  if (cudaError_t restored = cudaSetDevice(before); status == cudaSuccess)
    status = restored;
  return toDriver(status);
}

} // namespace regrain::driver
