//===- plugin.cpp - NVIDIA GPUs as a plugin -------------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cuda/device.h"

namespace regrain {
namespace cuda {
namespace {

/// probe() fills this in, which the core calls before everything else.
Driver driver;

std::string describe(const char *call, CUresult result) {
  const char *text = nullptr;
  bool hasText = driver.getErrorString(result, &text) == CUDA_SUCCESS && text;
  return std::string(call) +
         " failed: " + (hasText ? text : "error " + std::to_string(static_cast<int>(result)));
}

cudaError_t probe(std::string &reason) {
  if (cudaError_t status = loadDriver("libcuda.so.1", driver, reason); status != cudaSuccess)
    return status;
  if (CUresult result = driver.init(0); result != CUDA_SUCCESS) {
    reason = describe("cuInit", result);
    return toRuntime(result);
  }
  int devices = 0;
  if (CUresult result = driver.deviceGetCount(&devices); result != CUDA_SUCCESS) {
    reason = describe("cuDeviceGetCount", result);
    return toRuntime(result);
  }
  if (devices == 0) {
    reason = "the NVIDIA driver sees no GPU";
    return cudaErrorNoDevice;
  }
  return cudaSuccess;
}

int count() {
  int devices = 0;
  return driver.deviceGetCount(&devices) == CUDA_SUCCESS ? devices : 0;
}

cudaError_t open(int ordinal, std::unique_ptr<Device> &out, std::string &reason) {
  CUdevice device = 0;
  if (CUresult result = driver.deviceGet(&device, ordinal); result != CUDA_SUCCESS) {
    reason = describe("cuDeviceGet", result);
    return toRuntime(result);
  }
  out = std::make_unique<CudaDevice>(driver, device);
  return cudaSuccess;
}

/// A process with NVIDIA's runtime selects a device by either runtime, and the driver knows it.
/// Without a context, cuCtxGetDevice fails, and tools such as compute-sanitizer would report that.
int currentOrdinal() {
  CUcontext context = nullptr;
  CUdevice current = 0, device = 0;
  if (driver.ctxGetCurrent(&context) != CUDA_SUCCESS || !context ||
      driver.ctxGetDevice(&current) != CUDA_SUCCESS)
    return -1;
  for (int ordinal = 0; ordinal < count(); ++ordinal)
    if (driver.deviceGet(&device, ordinal) == CUDA_SUCCESS && device == current)
      return ordinal;
  return -1;
}

int driverVersion() {
  int version = 0;
  bool isLoaded = driver.driverGetVersion != nullptr;
  return isLoaded && driver.driverGetVersion(&version) == CUDA_SUCCESS ? version : 0;
}

} // namespace
} // namespace cuda

const DevicePlugin &cudaPlugin() {
  static const DevicePlugin plugin = {deviceInterfaceVersion,
                                      "cuda",
                                      cuda::probe,
                                      cuda::count,
                                      cuda::open,
                                      cuda::driverVersion,
                                      cuda::driverVersion,
                                      cuda::currentOrdinal};
  return plugin;
}

} // namespace regrain
