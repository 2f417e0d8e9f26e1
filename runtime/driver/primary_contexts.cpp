//===- primary_contexts.cpp - The contexts that programs create -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/driver/primary_contexts.h"

namespace regrain::driver {

CUresult PrimaryContexts::create(CUcontext *context, unsigned int flags, CUdevice device) {
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  // Memory of the host is always mapped, and a primary context knows no flag for it.
  if (unsigned int known = flags & ~unsigned(CU_CTX_MAP_HOST))
    if (CUresult result = driver.setFlags(device, known); result != CUDA_SUCCESS)
      return result;
  CUcontext primary = nullptr;
  CUresult result = driver.retain(&primary, device);
  if (result != CUDA_SUCCESS)
    return result;
  if (result = driver.push(primary); result != CUDA_SUCCESS) {
    CUresult released = driver.release(device);
    return released == CUDA_SUCCESS ? result : released;
  }
  std::lock_guard lock(mutex);
  Made &entry = made[primary];
  entry.device = device;
  ++entry.count;
  *context = primary;
  return CUDA_SUCCESS;
}

CUresult PrimaryContexts::destroy(CUcontext context) {
  Made entry;
  {
    std::lock_guard lock(mutex);
    auto found = made.find(context);
    if (found == made.end())
      return driver.destroy(context);
    entry = found->second;
    if (--found->second.count == 0)
      made.erase(found);
  }
  CUcontext current = nullptr;
  CUresult result = driver.current(&current);
  if (result == CUDA_SUCCESS && current == context)
    result = driver.pop(&current);
  CUresult released = driver.release(entry.device);
  return result == CUDA_SUCCESS ? released : result;
}

} // namespace regrain::driver
