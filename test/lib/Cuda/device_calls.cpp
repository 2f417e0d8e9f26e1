//===- device_calls.cpp - The device of the interpreting driver -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/lib/Cuda/driver_calls.h"

#include <cstdio>
#include <cstring>
#include <map>

static CUcontext primaryContext() {
  static int place;
  return reinterpret_cast<CUcontext>(&place);
}

static thread_local CUcontext currentContext;

CUresult interpreted_init(unsigned) { return CUDA_SUCCESS; }

CUresult interpreted_driverGetVersion(int *version) {
  *version = 13000;
  return CUDA_SUCCESS;
}

CUresult interpreted_getErrorString(CUresult, const char **text) {
  *text = "the interpreting driver fails";
  return CUDA_SUCCESS;
}

CUresult interpreted_deviceGetCount(int *count) {
  *count = 1;
  return CUDA_SUCCESS;
}

CUresult interpreted_deviceGet(CUdevice *device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult interpreted_deviceGetName(char *name, int bytes, CUdevice) {
  std::snprintf(name, bytes, "Interpreted GPU");
  return CUDA_SUCCESS;
}

CUresult interpreted_deviceGetUuid(CUuuid *uuid, CUdevice) {
  std::memset(uuid, 9, sizeof *uuid);
  return CUDA_SUCCESS;
}

CUresult interpreted_deviceTotalMem(size_t *bytes, CUdevice) {
  size_t unused = 0;
  return asDriver(backend().memoryInfo(unused, *bytes));
}

/// Those of an H100 decide how programs are launched; the CPU device answers for the others.
CUresult interpreted_deviceGetAttribute(int *value, int attribute, CUdevice) {
  static const std::map<int, int> ownAttributes = {
      {cudaDevAttrComputeCapabilityMajor, 9},
      {cudaDevAttrComputeCapabilityMinor, 0},
      {cudaDevAttrMultiProcessorCount, 4},
      {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
      {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, 232448},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 233472},
      {cudaDevAttrReservedSharedMemoryPerBlock, 1024},
  };
  if (auto own = ownAttributes.find(attribute); own != ownAttributes.end()) {
    *value = own->second;
    return CUDA_SUCCESS;
  }
  return asDriver(backend().attribute(cudaDeviceAttr(attribute), *value));
}

CUresult interpreted_primaryCtxRetain(CUcontext *context, CUdevice) {
  *context = primaryContext();
  return CUDA_SUCCESS;
}

CUresult interpreted_primaryCtxReset(CUdevice) { return asDriver(backend().reset()); }

CUresult interpreted_primaryCtxSetFlags(CUdevice, unsigned flags) {
  return asDriver(backend().setFlags(flags));
}

CUresult interpreted_primaryCtxGetState(CUdevice, unsigned *flags, int *active) {
  *active = 1;
  return asDriver(backend().flags(*flags));
}

CUresult interpreted_ctxSetCurrent(CUcontext context) {
  currentContext = context;
  return context ? asDriver(backend().bindThread()) : CUDA_SUCCESS;
}

CUresult interpreted_ctxGetCurrent(CUcontext *context) {
  *context = currentContext;
  return CUDA_SUCCESS;
}

CUresult interpreted_ctxGetDevice(CUdevice *device) {
  *device = 0;
  return currentContext ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult interpreted_ctxSynchronize() { return asDriver(backend().synchronize()); }

CUresult interpreted_ctxGetLimit(size_t *value, int limit) {
  return asDriver(backend().limit(cudaLimit(limit), *value));
}

CUresult interpreted_ctxSetLimit(int limit, size_t value) {
  return asDriver(backend().setLimit(cudaLimit(limit), value));
}

CUresult interpreted_ctxGetCacheConfig(int *config) {
  cudaFuncCache found = cudaFuncCachePreferNone;
  CUresult result = asDriver(backend().cacheConfig(found));
  *config = found;
  return result;
}

CUresult interpreted_ctxSetCacheConfig(int config) {
  return asDriver(backend().setCacheConfig(cudaFuncCache(config)));
}

CUresult interpreted_ctxGetStreamPriorityRange(int *least, int *greatest) {
  return asDriver(backend().priorityRange(*least, *greatest));
}

/// The device is its only peer.
CUresult interpreted_deviceCanAccessPeer(int *canAccess, CUdevice, CUdevice) {
  *canAccess = 0;
  return CUDA_SUCCESS;
}
