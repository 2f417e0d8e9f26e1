//===- registration.cpp - Registration calls of clang's objects -----------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/registration.h"

#include "runtime/core/registry.h"
#include "runtime/core/settings.h"
#include "runtime/cudart/entry.h"
#include "runtime/cudart/texture_reference.h"

using namespace regrain;

namespace {

RegisteredImage *toImage(void **handle) { return reinterpret_cast<RegisteredImage *>(handle); }

} // namespace

void **__cudaRegisterFatBinary(void *wrapper) {
  auto *known = static_cast<const FatBinaryWrapper *>(wrapper);
  bool isKnown = known && known->magic == FatBinaryWrapper::knownMagic;
  const void *data = isKnown ? known->data : nullptr;
  bool answersAsCuda13 = isKnown && known->cudaVersion >= 13000;
  return reinterpret_cast<void **>(Registry::get().addImage(data, answersAsCuda13));
}

// Kernels and variables may be used as soon as they are registered.
void __cudaRegisterFatBinaryEnd(void **handle) {}

void __cudaUnregisterFatBinary(void **handle) {
  Gate::Passage passage; // unloading frees memory on devices
  Registry::get().removeImage(toImage(handle));
}

void __cudaRegisterFunction(void **handle, const char *hostFunction, char *deviceFunction,
                            const char *deviceName, int threadLimit, uint3 *threadId,
                            uint3 *blockId, dim3 *blockDim, dim3 *gridDim, int *warpSize) {
  Registry::get().addKernel(toImage(handle), hostFunction, deviceName);
}

void __cudaRegisterVar(void **handle, char *hostVariable, char *deviceAddress,
                       const char *deviceName, int isExternal, size_t bytes, int isConstant,
                       int isGlobal) {
  Registry::get().addVariable(toImage(handle), hostVariable, deviceName, bytes);
}

// On the device, a reference is a variable that holds a texture or surface object.
void __cudaRegisterTexture(void **handle, const void *hostVariable, const void **deviceAddress,
                           const char *deviceName, int dimension, int isNormalized,
                           int isExternal) {
  Registry::get().addVariable(toImage(handle), const_cast<void *>(hostVariable), deviceName,
                              sizeof(cudaTextureObject_t));
  addReference(hostVariable, isNormalized);
}

void __cudaRegisterSurface(void **handle, const void *hostVariable, const void **deviceAddress,
                           const char *deviceName, int dimension, int isExternal) {
  Registry::get().addVariable(toImage(handle), const_cast<void *>(hostVariable), deviceName,
                              sizeof(cudaSurfaceObject_t));
  addReference(hostVariable, /*readsNormalized=*/false);
}

char __cudaInitModule(void **handle) { return 1; }

// A kernel's handle is the address of its host function, as cudaGetKernel has it. The code is not
// loaded here: an object of another compiler does not look at the status.
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *hostFunction) {
  *kernel = static_cast<cudaKernel_t>(const_cast<void *>(hostFunction));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t sharedBytes, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, sharedBytes, stream);
}

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t sharedBytes, cudaStream_t stream) {
  return cudaLaunchKernel_ptsz(kernel, grid, block, arguments, sharedBytes, stream);
}
