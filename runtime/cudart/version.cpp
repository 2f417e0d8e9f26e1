//===- version.cpp - Versions and profiler of the runtime API -- ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/entry.h"

using namespace regrain;

cudaError_t cudaDriverGetVersion(int *version) {
  return entry([&] {
    if (!version)
      return cudaErrorInvalidValue;
    Platform &platform = Platform::get();
    bool isUsable = platform.status() == cudaSuccess;
    *version = isUsable ? platform.chosenPlugin().driverVersion() : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaRuntimeGetVersion(int *version) {
  return entry([&] {
    if (!version)
      return cudaErrorInvalidValue;
    *version = CUDART_VERSION;
    return cudaSuccess;
  });
}

// Profilers observe launches without these calls.
cudaError_t cudaProfilerStart() {
  return entry([] { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() {
  return entry([] { return cudaSuccess; });
}
