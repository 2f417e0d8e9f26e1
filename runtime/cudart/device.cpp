//===- device.cpp - Devices of the runtime API ----------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cudart/entry.h"

#include "runtime/core/launch.h"

#include <cstdio>

using namespace regrain;

namespace {

/// Calls the body with device `ordinal`, which need not be the thread's.
template <typename Body> cudaError_t withDevice(int ordinal, Body body) {
  return entry([&] {
    Platform &platform = Platform::get();
    OpenDevice *device = nullptr;
    cudaError_t status = platform.status();
    if (status == cudaSuccess)
      status = platform.open(ordinal, device);
    return status == cudaSuccess ? body(*device) : status;
  });
}

} // namespace

cudaError_t cudaGetDeviceCount(int *count) {
  return entry([&] {
    if (!count)
      return cudaErrorInvalidValue;
    *count = Platform::get().deviceCount();
    return Platform::get().status();
  });
}

cudaError_t cudaGetDevice(int *device) {
  return entry([&] { return device ? currentOrdinal(*device) : cudaErrorInvalidValue; });
}

cudaError_t cudaSetDevice(int device) {
  return entry([&] { return setCurrentDevice(device); });
}

cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags) {
  return withDevice(device, [&](OpenDevice &opened) {
    return flags & cudaInitDeviceFlagsAreValid ? opened.device->setFlags(deviceFlags) : cudaSuccess;
  });
}

cudaError_t cudaSetValidDevices(int *devices, int count) {
  return entry([&] {
    if (!devices || count <= 0)
      return cudaErrorInvalidValue;
    Platform &platform = Platform::get();
    if (platform.status() != cudaSuccess)
      return platform.status();
    for (int i = 0; i < count; ++i)
      if (!platform.hasDevice(devices[i]))
        return cudaErrorInvalidDevice;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp *properties, int device) {
  return withDevice(device, [&](OpenDevice &opened) {
    if (!properties)
      return cudaErrorInvalidValue;
    *properties = opened.properties;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  return withDevice(device, [&](OpenDevice &opened) {
    return value ? opened.device->attribute(attribute, *value) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *properties) {
  return entry([&] {
    if (!device || !properties)
      return cudaErrorInvalidValue;
    *device = Platform::get().defaultOrdinal();
    return Platform::get().status();
  });
}

cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int length, int device) {
  return withDevice(device, [&](OpenDevice &opened) {
    if (!pciBusId || length <= 0)
      return cudaErrorInvalidValue;
    const cudaDeviceProp &properties = opened.properties;
    int written = std::snprintf(pciBusId, length, "%04x:%02x:%02x.0", properties.pciDomainID,
                                properties.pciBusID, properties.pciDeviceID);
    return written < length ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *pciBusId) {
  return entry([&] {
    unsigned domain = 0, bus = 0, slot = 0;
    if (!device || !pciBusId ||
        (std::sscanf(pciBusId, "%x:%x:%x", &domain, &bus, &slot) != 3 &&
         (domain = 0, std::sscanf(pciBusId, "%x:%x", &bus, &slot) != 2)))
      return cudaErrorInvalidValue;
    Platform &platform = Platform::get();
    if (platform.status() != cudaSuccess)
      return platform.status();
    for (int ordinal = 0; ordinal < platform.deviceCount(); ++ordinal) {
      OpenDevice *opened = nullptr;
      if (cudaError_t status = platform.open(ordinal, opened); status != cudaSuccess)
        return status;
      const cudaDeviceProp &properties = opened->properties;
      if (properties.pciDomainID == int(domain) && properties.pciBusID == int(bus) &&
          properties.pciDeviceID == int(slot)) {
        *device = ordinal;
        return cudaSuccess;
      }
    }
    return cudaErrorInvalidDevice;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return onDevice([](Device &device) { return device.synchronize(); });
}

cudaError_t cudaDeviceReset() {
  return entry([] { return resetCurrentDevice(); });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return onDevice([&](Device &device) { return device.setLimit(limit, value); });
}

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
  return onDevice(
      [&](Device &device) { return value ? device.limit(limit, *value) : cudaErrorInvalidValue; });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return onOpenDevice([&](OpenDevice &current) {
    cudaError_t status = current.device->setCacheConfig(config);
    current.occupancyChanges.fetch_add(1, std::memory_order_release);
    return status;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
  return onDevice(
      [&](Device &device) { return config ? device.cacheConfig(*config) : cudaErrorInvalidValue; });
}

// Windows of persistent accesses are hints that no device gets, so no line of the cache persists.
cudaError_t cudaCtxResetPersistingL2Cache() {
  return onDevice([](Device &) { return cudaSuccess; });
}

// Banks have had a fixed width of four bytes since Maxwell; CUDA accepts the
// call there and does nothing.
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return onDevice([&](Device &) {
    return config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue : cudaSuccess;
  });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) {
  return onDevice([&](Device &) {
    if (!config)
      return cudaErrorInvalidValue;
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority) {
  return onDevice([&](Device &device) {
    int least = 0, greatest = 0;
    cudaError_t status = device.priorityRange(least, greatest);
    if (leastPriority)
      *leastPriority = least;
    if (greatestPriority)
      *greatestPriority = greatest;
    return status;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return onDevice([&](Device &device) { return device.setFlags(flags); });
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
  return onDevice(
      [&](Device &device) { return flags ? device.flags(*flags) : cudaErrorInvalidValue; });
}

cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
