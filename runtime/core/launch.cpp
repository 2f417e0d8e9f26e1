//===- launch.cpp - Launches and queries of kernels -----------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch.h"
#include "runtime/core/graph_memory.h"

#include "runtime/core/array_table.h"

#include "runtime/core/registry.h"
#include "runtime/core/relaxed_capture.h"
#include "runtime/core/settings.h"
#include "runtime/core/thread_state.h"

#include <cstring>

namespace regrain {
namespace {

cudaError_t findIndex(const image::Image &image, const char *symbol, uint32_t &index) {
  if (image.kernels())
    for (index = 0; index < image.kernels()->size(); ++index)
      if (std::strcmp(image.kernels()->Get(index)->symbol()->c_str(), symbol) == 0)
        return cudaSuccess;
  return cudaErrorInvalidDeviceFunction;
}

/// Two threads may make the same plan; one of the plans is kept.
cudaError_t makePlan(RegisteredKernel &kernel, OpenDevice &device, LaunchPlan *&out) {
  LoadedImage *loaded = nullptr;
  cudaError_t status = kernel.image->loadedOn(device, loaded);
  if (status != cudaSuccess)
    return status;
  const image::Image &image = *kernel.image->open().image;
  RelaxedCapture mayLoad(*device.device);
  uint32_t index = 0;
  std::unique_ptr<LaunchPlan> plan;
  status = findIndex(image, kernel.symbol, index);
  if (status == cudaSuccess)
    status = LaunchPlan::make(image, index, *loaded, device, kernel.image->answersAsCuda13, plan);
  if (status == cudaErrorNoKernelImageForDevice && kernel.image->isForeign())
    kernel.image->sayForeign(kernel.symbol);
  if (status != cudaSuccess)
    return status;
  LaunchPlan *existing = nullptr;
  bool isFirst = kernel.plans[device.ordinal].compare_exchange_strong(existing, plan.get(),
                                                                      std::memory_order_acq_rel);
  out = isFirst ? plan.release() : existing;
  return cudaSuccess;
}

/// Finds a variable's place on the calling thread's device, which it gives as well.
cudaError_t locate(RegisteredVariable *variable, OpenDevice *&device, void *&address,
                   size_t &bytes) {
  if (cudaError_t status = currentDevice(device); status != cudaSuccess)
    return status;
  if (!variable)
    return cudaErrorInvalidSymbol;
  LoadedImage *loaded = nullptr;
  if (cudaError_t status = variable->image->loadedOn(*device, loaded); status != cudaSuccess)
    return status;
  RelaxedCapture mayLoad(*device->device);
  return loaded->variable(variable->symbol, address, bytes);
}

} // namespace

cudaError_t findPlan(const void *hostFunction, LaunchPlan *&out) {
  OpenDevice *device = nullptr;
  if (cudaError_t status = currentDevice(device); status != cudaSuccess)
    return status;
  RegisteredKernel *kernel = Registry::get().kernel(hostFunction);
  if (!kernel)
    return hostFunction && Registry::get().answersAsCuda13() ? cudaErrorInvalidResourceHandle
                                                             : cudaErrorInvalidDeviceFunction;
  out = kernel->plans[device->ordinal].load(std::memory_order_acquire);
  return out ? cudaSuccess : makePlan(*kernel, *device, out);
}

cudaError_t launchKernel(const void *hostFunction, const LaunchShape &shape, void **arguments,
                         cudaStream_t stream) {
  LaunchPlan *plan = nullptr;
  if (cudaError_t status = findPlan(hostFunction, plan); status != cudaSuccess)
    return status;
  return plan->launch(shape, arguments, stream);
}

cudaError_t launchTogether(const void *hostFunction, const LaunchShape &shape,
                           const Togetherness &together, void **arguments, cudaStream_t stream) {
  LaunchPlan *plan = nullptr;
  if (cudaError_t status = findPlan(hostFunction, plan); status != cudaSuccess)
    return status;
  return plan->launchTogether(shape, together, arguments, stream);
}

cudaError_t findVariable(const void *hostVariable, void *&address, size_t &bytes) {
  RegisteredVariable *variable = Registry::get().variable(hostVariable);
  if (!variable)
    variable = Registry::get().managedVariable(hostVariable);
  OpenDevice *device = nullptr;
  return locate(variable, device, address, bytes);
}

cudaError_t findManaged(void **pointer, void *&address) {
  RegisteredVariable *variable = Registry::get().variable(pointer);
  OpenDevice *device = nullptr;
  size_t bytes = 0;
  cudaPointerAttributes memory = {};
  cudaError_t status = locate(variable, device, address, bytes);
  if (status == cudaSuccess)
    status = device->device->pointerAttributes(address, memory);
  // Code for AMD has managed variables in memory of the device.
  if (status == cudaSuccess && memory.type == cudaMemoryTypeDevice)
    status = cudaErrorNotSupported;
  if (status == cudaSuccess)
    variable->setManaged(address, device->ordinal);
  return status;
}

void forgetStream(cudaStream_t stream) {
  Platform *platform = Platform::getIfUsable();
  for (int ordinal = 0; platform && ordinal < platform->deviceCount(); ++ordinal)
    if (OpenDevice *device = platform->getIfOpen(ordinal))
      device->lentMemory.forget(*device->device, stream);
}

cudaError_t resetCurrentDevice() {
  OpenDevice *device = nullptr;
  if (cudaError_t status = currentDevice(device); status != cudaSuccess)
    return status;
  // The reset also clears the error of a failed kernel.
  if (device->device->synchronize() != cudaSuccess)
    sayVerbose("cudaDeviceReset clears the error of an earlier kernel");
  Registry::get().unloadAll(device->ordinal);
  device->allocations.clear();
  GraphMemory::get().forget(device->ordinal);
  ArrayTable::get().forget(*device);
  device->lastConditionalLaunch = nullptr;
  device->lentMemory.clear(*device->device);
  cudaError_t status = device->device->reset();
  device->resets.fetch_add(1, std::memory_order_acq_rel);
  ThreadState::get().device = nullptr;
  return status;
}

} // namespace regrain
