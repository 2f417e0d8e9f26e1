//===- driver.cpp - NVIDIA's driver, loaded at run time -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cuda/driver.h"

#include <dlfcn.h>

namespace regrain::cuda {

cudaError_t loadDriver(const char *library, Driver &out, std::string &reason) {
  // The library is never closed: the driver has threads of its own.
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *why = dlerror();
    reason = std::string("the NVIDIA driver cannot be loaded: ") + (why ? why : library);
    return cudaErrorInsufficientDriver;
  }
  const char *missing = nullptr;
#define REGRAIN_DRIVER_CALL(name, symbol, parameters)                                              \
  out.name = reinterpret_cast<CUresult(*) parameters>(dlsym(handle, symbol));                      \
  if (!out.name && !missing)                                                                       \
    missing = symbol;
#define REGRAIN_OPTIONAL_DRIVER_CALL(name, symbol, parameters)                                     \
  out.name = reinterpret_cast<CUresult(*) parameters>(dlsym(handle, symbol));
#include "runtime/plugins/cuda/driver_api.def"
  if (!missing)
    return cudaSuccess;
  reason = std::string("the NVIDIA driver is too old: it lacks ") + missing;
  return cudaErrorInsufficientDriver;
}

cudaError_t toRuntime(CUresult result) {
  switch (static_cast<int>(result)) {
#define REGRAIN_CUDA_ERROR(NAME, VALUE, TEXT)                                                      \
  case VALUE:                                                                                      \
    return NAME;
#include "include/cuda/regrain_errors.def"
  }
  return cudaErrorUnknown;
}

} // namespace regrain::cuda
