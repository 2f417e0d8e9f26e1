//===- pools.cpp - Memory pools of the driver API -------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handles, attributes and structures are those of the runtime API.
//
//===----------------------------------------------------------------------===//
#include "runtime/driver/on_runtime.h"

namespace regrain::driver {

static_assert(sizeof(CUmemPoolProps) == sizeof(cudaMemPoolProps));
static_assert(sizeof(CUmemAccessDesc) == sizeof(cudaMemAccessDesc));

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  return toDriver(cudaDeviceGetDefaultMemPool(pool, device));
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
  return toDriver(cudaDeviceGetMemPool(pool, device));
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  return toDriver(cudaDeviceSetMemPool(device, pool));
}

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties) {
  return toDriver(cudaMemPoolCreate(pool, reinterpret_cast<const cudaMemPoolProps *>(properties)));
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) { return toDriver(cudaMemPoolDestroy(pool)); }

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes) {
  return toDriver(cudaMemPoolTrimTo(pool, bytes));
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  return toDriver(cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value));
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
  return toDriver(cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(attribute), value));
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *accesses, size_t count) {
  return toDriver(
      cudaMemPoolSetAccess(pool, reinterpret_cast<const cudaMemAccessDesc *>(accesses), count));
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *pointer, size_t bytes, CUmemoryPool pool,
                                 CUstream stream) {
  return toDriver(cudaMallocFromPoolAsync(reinterpret_cast<void **>(pointer), bytes, pool, stream));
}

} // namespace regrain::driver
