//===- properties.cpp - An NVIDIA GPU: properties -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/gpu/properties.h"
#include "runtime/plugins/cuda/device.h"

#include <cstring>

namespace regrain::cuda {

cudaError_t CudaDevice::attribute(cudaDeviceAttr attribute, int &value) {
  return toRuntime(driver.deviceGetAttribute(&value, attribute, device));
}

cudaError_t CudaDevice::properties(cudaDeviceProp &out) {
  out = {};
  CUuuid uuid = {};
  CUresult result = driver.deviceGetName(out.name, sizeof out.name, device);
  if (result == CUDA_SUCCESS)
    result = driver.deviceTotalMem(&out.totalGlobalMem, device);
  if (result == CUDA_SUCCESS)
    result = driver.deviceGetUuid(&uuid, device);
  if (result != CUDA_SUCCESS)
    return toRuntime(result);
  std::memcpy(&out.uuid, &uuid, sizeof uuid);
  addAttributes(*this, out);
  return cudaSuccess;
}

} // namespace regrain::cuda
