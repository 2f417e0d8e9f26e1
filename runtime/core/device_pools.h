//===- device_pools.h - Pools of memory that a device has -------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/driver_types.h"

#include <cstddef>

namespace regrain {

class Device;

/// The pools from which a device allocates in the order of streams. Only NVIDIA's driver has
/// several for a device. The others give null for each pool, which then has all of the device's
/// memory, and the runtime counts what is allocated from it. Calls that take a pool never get
/// null, except for setPoolAccess.
class DevicePools {
public:
  virtual cudaError_t makePool(const cudaMemPoolProps &properties, cudaMemPool_t &out) {
    out = nullptr;
    bool isPlain = properties.handleTypes == cudaMemHandleTypeNone && properties.usage == 0;
    return isPlain ? cudaSuccess : cudaErrorNotSupported;
  }
  /// Gives the pool of allocateInOrder, which is never destroyed.
  virtual cudaError_t firstPool(cudaMemPool_t &out) {
    out = nullptr;
    return cudaSuccess;
  }
  /// What was allocated from the pool stays.
  virtual cudaError_t destroyPool(cudaMemPool_t) { return cudaErrorNotSupported; }

  /// As allocateInOrder does from the first pool.
  virtual cudaError_t allocateFrom(cudaMemPool_t, size_t, cudaStream_t, void *&) {
    return cudaErrorNotSupported;
  }
  virtual cudaError_t trimPool(cudaMemPool_t, size_t) { return cudaErrorNotSupported; }
  virtual cudaError_t setPoolAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) {
    return cudaErrorNotSupported;
  }
  virtual cudaError_t poolAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) {
    return cudaErrorNotSupported;
  }

  /// These take another device of the same plugin, which some thread has bound, or this one.
  virtual cudaError_t setPoolAccess(cudaMemPool_t, Device &, cudaMemAccessFlags) {
    return cudaErrorNotSupported;
  }
  virtual cudaError_t poolAccess(cudaMemPool_t, Device &, cudaMemAccessFlags &) {
    return cudaErrorNotSupported;
  }

  /// A pool and its memory in another process, as cudaMemPoolExportToShareableHandle and the
  /// entries beside it give them.
  virtual cudaError_t exportPool(cudaMemPool_t, cudaMemAllocationHandleType, unsigned, void *) {
    return cudaErrorNotSupported;
  }
  virtual cudaError_t importPool(void *, cudaMemAllocationHandleType, unsigned, cudaMemPool_t &) {
    return cudaErrorNotSupported;
  }
  virtual cudaError_t exportPointer(void *, cudaMemPoolPtrExportData &) {
    return cudaErrorNotSupported;
  }
  virtual cudaError_t importPointer(cudaMemPool_t, cudaMemPoolPtrExportData &, void *&) {
    return cudaErrorNotSupported;
  }

protected:
  ~DevicePools() = default;
};

} // namespace regrain
