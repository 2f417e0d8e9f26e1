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

// Without a version, this gives the functions of the release whose runtime this is.
cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, status);
}

// Without `status`, a function that the driver lacks is an error.
cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function,
                                             unsigned int cudaVersion, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult *status) {
  return onDevice([&](Device &device) {
    constexpr unsigned long long known = cudaEnableLegacyStream | cudaEnablePerThreadDefaultStream;
    if (!symbol || !function || (flags & ~known))
      return cudaErrorInvalidValue;
    *function = nullptr;
    auto found = cudaDriverEntryPointSymbolNotFound;
    cudaError_t result = device.driverFunction(symbol, int(cudaVersion), flags, *function, found);
    if (status)
      *status = found;
    bool isMissing = result == cudaSuccess && found != cudaDriverEntryPointSuccess;
    return isMissing && !status ? cudaErrorSymbolNotFound : result;
  });
}

// These give the forms of functions in which the default stream is that of the thread.
cudaError_t cudaGetDriverEntryPoint_ptsz(const char *symbol, void **function,
                                         unsigned long long flags,
                                         cudaDriverEntryPointQueryResult *status) {
  return cudaGetDriverEntryPoint(symbol, function, flags ? flags : cudaEnablePerThreadDefaultStream,
                                 status);
}

cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char *symbol, void **function,
                                                  unsigned int cudaVersion,
                                                  unsigned long long flags,
                                                  cudaDriverEntryPointQueryResult *status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, cudaVersion,
                                          flags ? flags : cudaEnablePerThreadDefaultStream, status);
}

// Profilers observe launches without these calls.
cudaError_t cudaProfilerStart() {
  return entry([] { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() {
  return entry([] { return cudaSuccess; });
}
