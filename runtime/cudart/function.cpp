//===- function.cpp - Kernel attributes and occupancy ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch.h"
#include "runtime/cudart/entry.h"
#include "runtime/cudart/launch_configuration.h"

#include <algorithm>

using namespace regrain;

namespace {

template <typename Body> cudaError_t withPlan(const void *function, Body body) {
  return entry([&] {
    LaunchPlan *plan = nullptr;
    cudaError_t status = findPlan(function, plan);
    return status == cudaSuccess ? body(*plan) : status;
  });
}

} // namespace

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *function) {
  return withPlan(function, [&](LaunchPlan &plan) {
    return attributes ? plan.attributes(*attributes) : cudaErrorInvalidValue;
  });
}

// A kernel's handle is the address of its host function, so that either can be launched.
cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *function) {
  return withPlan(function, [&](LaunchPlan &) {
    if (!kernel)
      return cudaErrorInvalidValue;
    *kernel = static_cast<cudaKernel_t>(const_cast<void *>(function));
    return cudaSuccess;
  });
}

// The handle is that of the original.
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *handle, const void *function) {
  return withPlan(function, [&](LaunchPlan &plan) {
    if (!handle)
      return cudaErrorInvalidValue;
    *handle = plan.originalFunction().driverHandle();
    return *handle ? cudaSuccess : cudaErrorNotSupported;
  });
}

cudaError_t cudaFuncGetName(const char **name, const void *function) {
  return withPlan(function, [&](LaunchPlan &plan) {
    if (!name)
      return cudaErrorInvalidValue;
    *name = plan.entry().symbol()->c_str();
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *size) {
  return withPlan(function, [&](LaunchPlan &plan) {
    std::span<const ParameterLayout> parameters = plan.parameterLayout();
    if (!offset || index >= parameters.size())
      return cudaErrorInvalidValue;
    *offset = parameters[index].offset;
    if (size)
      *size = parameters[index].size;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute attribute, int value) {
  return withPlan(function, [&](LaunchPlan &plan) { return plan.setAttribute(attribute, value); });
}

cudaError_t cudaFuncSetCacheConfig(const void *function, cudaFuncCache config) {
  return withPlan(function, [&](LaunchPlan &plan) { return plan.setCacheConfig(config); });
}

// The call has had no effect since Maxwell, like cudaDeviceSetSharedMemConfig.
cudaError_t cudaFuncSetSharedMemConfig(const void *function, cudaSharedMemConfig config) {
  return withPlan(function, [&](LaunchPlan &) {
    return config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue : cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int blockSize,
                                                          size_t dynamicSharedBytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, function, blockSize, dynamicSharedBytes, cudaOccupancyDefault);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                   const void *function,
                                                                   int blockSize,
                                                                   size_t dynamicSharedBytes,
                                                                   unsigned int flags) {
  return withPlan(function, [&](LaunchPlan &plan) {
    if (!blocks || blockSize <= 0 || flags > cudaOccupancyDisableCachingOverride)
      return cudaErrorInvalidValue;
    return plan.originalFunction().maxActiveBlocks(blockSize, dynamicSharedBytes, flags, *blocks);
  });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSharedBytes,
                                                      const void *function, int blocks,
                                                      int blockSize) {
  return withPlan(function, [&](LaunchPlan &plan) {
    OpenDevice *device = ThreadState::get().boundDevice();
    cudaFuncAttributes attributes = {};
    if (!dynamicSharedBytes || blocks <= 0 || blockSize <= 0)
      return cudaErrorInvalidValue;
    if (cudaError_t status = plan.originalFunction().attributes(attributes); status != cudaSuccess)
      return status;
    const cudaDeviceProp &limits = device->properties;
    size_t share = limits.sharedMemPerMultiprocessor / blocks;
    size_t perBlock = std::min(share - std::min(share, limits.reservedSharedMemPerBlock),
                               limits.sharedMemPerBlockOptin);
    *dynamicSharedBytes = perBlock - std::min(perBlock, attributes.sharedSizeBytes);
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *function,
                                           const cudaLaunchConfig_t *config) {
  return withPlan(function, [&](LaunchPlan &plan) {
    if (!clusters || !isReadable(config))
      return cudaErrorInvalidValue;
    return plan.maxActiveClusters(shapeOf(*config), togethernessOf(*config), *clusters);
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, const void *function,
                                                 const cudaLaunchConfig_t *config) {
  return withPlan(function, [&](LaunchPlan &plan) {
    if (!blocks || !isReadable(config))
      return cudaErrorInvalidValue;
    return plan.maxClusterBlocks(shapeOf(*config), *blocks);
  });
}
