//===- pools.cpp - An NVIDIA GPU: pools of memory -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handles, properties and attributes of the runtime have the driver's layout and values.
//
//===----------------------------------------------------------------------===//
#include "runtime/plugins/cuda/device.h"

namespace regrain::cuda {

static cudaMemLocation locationOf(CUdevice device) {
  return {cudaMemLocationTypeDevice, int(device)};
}

// The program's ordinal of the device may be another one than the driver's.
cudaError_t CudaDevice::makePool(const cudaMemPoolProps &properties, cudaMemPool_t &out) {
  cudaMemPoolProps own = properties;
  own.location = locationOf(device);
  return toRuntime(driver.memPoolCreate(&out, &own));
}

cudaError_t CudaDevice::firstPool(cudaMemPool_t &out) {
  return toRuntime(driver.deviceGetDefaultMemPool(&out, device));
}

cudaError_t CudaDevice::destroyPool(cudaMemPool_t pool) {
  return toRuntime(driver.memPoolDestroy(pool));
}

cudaError_t CudaDevice::allocateFrom(cudaMemPool_t pool, size_t bytes, cudaStream_t stream,
                                     void *&out) {
  CUdeviceptr pointer = 0;
  CUresult result = driver.memAllocFromPoolAsync(&pointer, bytes, pool, stream);
  out = reinterpret_cast<void *>(pointer);
  return toRuntime(result);
}

cudaError_t CudaDevice::trimPool(cudaMemPool_t pool, size_t keptBytes) {
  return toRuntime(driver.memPoolTrimTo(pool, keptBytes));
}

cudaError_t CudaDevice::setPoolAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                                         void *value) {
  return toRuntime(driver.memPoolSetAttribute(pool, attribute, value));
}

cudaError_t CudaDevice::poolAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
  return toRuntime(driver.memPoolGetAttribute(pool, attribute, value));
}

cudaError_t CudaDevice::setPoolAccess(cudaMemPool_t pool, Device &peer, cudaMemAccessFlags flags) {
  cudaMemAccessDesc access = {locationOf(static_cast<CudaDevice &>(peer).device), flags};
  return toRuntime(driver.memPoolSetAccess(pool, &access, 1));
}

cudaError_t CudaDevice::poolAccess(cudaMemPool_t pool, Device &peer, cudaMemAccessFlags &flags) {
  cudaMemLocation location = locationOf(static_cast<CudaDevice &>(peer).device);
  return toRuntime(driver.memPoolGetAccess(&flags, pool, &location));
}

cudaError_t CudaDevice::exportPool(cudaMemPool_t pool, cudaMemAllocationHandleType type,
                                   unsigned flags, void *handle) {
  return toRuntime(driver.memPoolExportToShareableHandle(handle, pool, type, flags));
}

cudaError_t CudaDevice::importPool(void *handle, cudaMemAllocationHandleType type, unsigned flags,
                                   cudaMemPool_t &out) {
  return toRuntime(driver.memPoolImportFromShareableHandle(&out, handle, type, flags));
}

cudaError_t CudaDevice::exportPointer(void *pointer, cudaMemPoolPtrExportData &out) {
  return toRuntime(driver.memPoolExportPointer(&out, toDriver(pointer)));
}

cudaError_t CudaDevice::importPointer(cudaMemPool_t pool, cudaMemPoolPtrExportData &data,
                                      void *&out) {
  CUdeviceptr pointer = 0;
  CUresult result = driver.memPoolImportPointer(&pointer, pool, &data);
  out = reinterpret_cast<void *>(pointer);
  return toRuntime(result);
}

} // namespace regrain::cuda
