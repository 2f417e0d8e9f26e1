//===- library.cpp - AMD's HIP library, loaded at run time ----------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/hip/library.h"

#include <dlfcn.h>

namespace regrain::hip {
namespace {

/// Returns the first entry point that every version has and `handle` lacks; null if
/// there is none.
const char *fill(void *handle, Library &out) {
  const char *missing = nullptr;
#define REGRAIN_HIP_OPTIONAL(since, result, name, symbol, parameters)                              \
  out.name = reinterpret_cast<result(*) parameters>(dlsym(handle, symbol));
#define REGRAIN_HIP_CALL(result, name, symbol, parameters)                                         \
  REGRAIN_HIP_OPTIONAL(500, result, name, symbol, parameters)                                      \
  if (!out.name && !missing)                                                                       \
    missing = symbol;
#include "runtime/plugins/hip/hip_api.def"
  return missing;
}

} // namespace

Usable loadLibrary(const char *name, Library &out, std::string &reason) {
  // The library is never closed: it has threads of its own.
  void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *error = dlerror();
    std::string why = error ? error : name;
    reason = "the HIP library cannot be loaded: " + why;
    return why.starts_with(std::string(name) + ": cannot open") ? Usable::Absent : Usable::Broken;
  }
  if (const char *missing = fill(handle, out)) {
    reason = std::string(name) + " is too old: it lacks " + missing;
    return Usable::TooOld;
  }
  int devices = 0;
  HipResult result = out.getDeviceCount(&devices);
  if (result != HipResult::Success && result != HipResult::NoDevice)
    reason = std::string(name) + ": " + describe(out, "hipGetDeviceCount", result);
  else if (devices == 0)
    reason = std::string(name) + " sees no AMD GPU";
  else
    return Usable::Yes;
  return Usable::NoDevice;
}

std::string describe(const Library &library, const char *call, HipResult result) {
  const char *text = library.getErrorString(result);
  return std::string(call) +
         " failed: " + (text ? text : "error " + std::to_string(static_cast<int>(result)));
}

/// HIP has CUDA's numbers for errors, with these exceptions.
cudaError_t toRuntime(HipResult result) {
  switch (result) {
  case HipResult::InvalidKernelFile: // CUDA's number means PTX
    return cudaErrorInvalidKernelImage;
  case HipResult::ContextIsDestroyed: // for a handle that is not a stream
    return cudaErrorInvalidResourceHandle;
  case HipResult::InvalidChannelDescriptor:
    return cudaErrorInvalidChannelDescriptor;
  case HipResult::InvalidTexture:
    return cudaErrorInvalidTexture;
  default:
    break;
  }
  switch (static_cast<int>(result)) {
#define REGRAIN_CUDA_ERROR(NAME, VALUE, TEXT)                                                      \
  case VALUE:                                                                                      \
    return NAME;
#include "include/cuda/regrain_errors.def"
  }
  return cudaErrorUnknown;
}

} // namespace regrain::hip
