//===- processes.cpp - An NVIDIA GPU: the driver and other processes ------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cuda/device.h"

namespace regrain::cuda {

/// A function that the driver lacks is no error of the call.
cudaError_t CudaDevice::driverFunction(const char *symbol, int cudaVersion, uint64_t flags,
                                       void *&out, cudaDriverEntryPointQueryResult &result) {
  out = nullptr;
  if (!driver.getProcAddress)
    return cudaErrorNotSupported;
  int found = cudaDriverEntryPointSuccess;
  CUresult status = driver.getProcAddress(symbol, &out, cudaVersion, flags, &found);
  result = static_cast<cudaDriverEntryPointQueryResult>(found);
  return status == CUDA_ERROR_NOT_FOUND ? cudaSuccess : toRuntime(status);
}

cudaError_t CudaDevice::shareMemory(void *pointer, cudaIpcMemHandle_t &handle) {
  return toRuntime(driver.ipcGetMemHandle(&handle, toDriver(pointer)));
}

cudaError_t CudaDevice::openShared(const cudaIpcMemHandle_t &handle, unsigned flags, void *&out) {
  CUdeviceptr pointer = 0;
  CUresult result = driver.ipcOpenMemHandle(&pointer, handle, flags);
  out = reinterpret_cast<void *>(pointer);
  return toRuntime(result);
}

cudaError_t CudaDevice::closeShared(void *pointer) {
  return toRuntime(driver.ipcCloseMemHandle(toDriver(pointer)));
}

cudaError_t CudaDevice::shareEvent(cudaEvent_t event, cudaIpcEventHandle_t &handle) {
  return toRuntime(driver.ipcGetEventHandle(&handle, event));
}

cudaError_t CudaDevice::openShared(const cudaIpcEventHandle_t &handle, cudaEvent_t &out) {
  return toRuntime(driver.ipcOpenEventHandle(&out, handle));
}

} // namespace regrain::cuda
