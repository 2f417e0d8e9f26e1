//===- symbol.cpp - Module variables of the runtime API -------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch.h"
#include "runtime/core/settings.h"
#include "runtime/cudart/copy.h"
#include "runtime/cudart/entry.h"
#include "runtime/cudart/registration.h"

#include <atomic>
#include <cstdlib>

using namespace regrain;

namespace {

cudaError_t copyTo(const void *symbol, const void *from, size_t bytes, size_t offset,
                   cudaMemcpyKind kind, Order order) {
  return onDevice([&](Device &device) {
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
      return cudaErrorInvalidMemcpyDirection;
    void *address = nullptr;
    cudaError_t status = findPart(symbol, bytes, offset, address);
    return status == cudaSuccess ? copyBytes(device, address, from, bytes, kind, order) : status;
  });
}

cudaError_t copyFrom(void *to, const void *symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                     Order order) {
  return onDevice([&](Device &device) {
    if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
        kind != cudaMemcpyDefault)
      return cudaErrorInvalidMemcpyDirection;
    void *address = nullptr;
    cudaError_t status = findPart(symbol, bytes, offset, address);
    return status == cudaSuccess ? copyBytes(device, to, address, bytes, kind, order) : status;
  });
}

/// Returns the memory of a managed variable. Host code accesses the memory after the call, so there
/// is no way to go on after an error.
void *managedMemory(void **pointer) {
  void *address = nullptr;
  cudaError_t status = entry([&] { return findManaged(pointer, address); });
  if (status == cudaSuccess)
    return address;
  say(std::string("the host cannot access a managed variable: ") + cudaGetErrorString(status));
  std::abort();
}

} // namespace

cudaError_t regrain::findPart(const void *symbol, size_t bytes, size_t offset, void *&address) {
  size_t size = 0;
  if (cudaError_t status = findVariable(symbol, address, size); status != cudaSuccess)
    return status;
  if (offset > size || bytes > size - offset)
    return cudaErrorInvalidValue;
  address = static_cast<char *>(address) + offset;
  return cudaSuccess;
}

void *regrain_managedAddress(void **pointer) {
  void *known = std::atomic_ref(*pointer).load(std::memory_order_acquire);
  return known ? known : managedMemory(pointer);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return copyTo(symbol, from, bytes, offset, kind, {});
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return copyTo(symbol, from, bytes, offset, kind, {stream, true});
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return copyFrom(to, symbol, bytes, offset, kind, {});
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return copyFrom(to, symbol, bytes, offset, kind, {stream, true});
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
  return entry([&] {
    size_t bytes = 0;
    return pointer ? findVariable(symbol, *pointer, bytes) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  return entry([&] {
    void *address = nullptr;
    return bytes ? findVariable(symbol, address, *bytes) : cudaErrorInvalidValue;
  });
}
