//===- launch.cpp - Launches of the runtime API ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch.h"

#include "runtime/cudart/entry.h"
#include "runtime/cudart/launch_configuration.h"

using namespace regrain;

namespace {

/// Returns whether a launch obeys the attribute, or may ignore it: it is a hint, a permission, or
/// the default behaviour of a launch.
bool isSupported(const cudaLaunchAttribute &attribute) {
  switch (attribute.id) {
  case cudaLaunchAttributeIgnore:
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributeSynchronizationPolicy:
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
  case cudaLaunchAttributePriority:
  case cudaLaunchAttributeMemSyncDomainMap:
  case cudaLaunchAttributeMemSyncDomain:
  case cudaLaunchAttributePreferredClusterDimension:
  case cudaLaunchAttributePreferredSharedMemoryCarveout:
    return true;
  case cudaLaunchAttributeCooperative: // these three: see togethernessOf
  case cudaLaunchAttributeClusterDimension:
  case cudaLaunchAttributeProgrammaticStreamSerialization:
  case cudaLaunchAttributeProgrammaticEvent: // these two: see recordEvents
  case cudaLaunchAttributeLaunchCompletionEvent:
    return true;
  case cudaLaunchAttributeDeviceUpdatableKernelNode:
    return attribute.val.deviceUpdatableKernelNode.deviceUpdatable == 0;
  }
  return false; // an attribute of a newer CUDA
}

/// Records the events of a launch that has been queued. They may be complete when all its blocks
/// have begun, or said so, and are when the launch has ended.
cudaError_t recordEvents(const cudaLaunchConfig_t &config, cudaStream_t stream) {
  Device &device = *ThreadState::get().boundDevice()->device;
  cudaError_t status = cudaSuccess;
  for (unsigned i = 0; i < config.numAttrs && status == cudaSuccess; ++i) {
    const cudaLaunchAttribute &attribute = config.attrs[i];
    if (attribute.id == cudaLaunchAttributeProgrammaticEvent)
      status = device.recordEvent(attribute.val.programmaticEvent.event, stream,
                                  unsigned(attribute.val.programmaticEvent.flags));
    if (attribute.id == cudaLaunchAttributeLaunchCompletionEvent)
      status = device.recordEvent(attribute.val.launchCompletionEvent.event, stream,
                                  unsigned(attribute.val.launchCompletionEvent.flags));
  }
  return status;
}

cudaError_t launchConfigured(const cudaLaunchConfig_t *config, const void *function,
                             void **arguments, cudaStream_t nullStream) {
  return entry([&] {
    if (!isReadable(config))
      return cudaErrorInvalidValue;
    for (unsigned i = 0; i < config->numAttrs; ++i)
      if (!isSupported(config->attrs[i]))
        return cudaErrorNotSupported;
    cudaStream_t stream = config->stream ? config->stream : nullStream;
    cudaError_t status =
        launchTogether(function, shapeOf(*config), togethernessOf(*config), arguments, stream);
    return status == cudaSuccess ? recordEvents(*config, stream) : status;
  });
}

dim3 toDim3(const Extent &extent) { return {extent[0], extent[1], extent[2]}; }

} // namespace

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t sharedBytes, cudaStream_t stream) {
  return entry([&] {
    return launchKernel(function, {toExtent(grid), toExtent(block), sharedBytes}, arguments,
                        stream);
  });
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t sharedBytes, cudaStream_t stream) {
  return entry([&] {
    return launchTogether(function, {toExtent(grid), toExtent(block), sharedBytes},
                          {.isCooperative = true}, arguments, stream);
  });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                void **arguments) {
  return launchConfigured(config, function, arguments, nullptr);
}

cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *function,
                                     void **arguments) {
  return launchConfigured(config, function, arguments, cudaStreamPerThread);
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes,
                                     cudaStream_t stream) {
  cudaError_t status = entry([&] {
    ThreadState::get().callConfigurations.push_back(
        {toExtent(grid), toExtent(block), sharedBytes, stream});
    return cudaSuccess;
  });
  return status; // nonzero: the launch is skipped
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *sharedBytes, void *stream) {
  return entry([&] {
    auto &configurations = ThreadState::get().callConfigurations;
    if (configurations.empty())
      return cudaErrorMissingConfiguration;
    const CallConfiguration &last = configurations.back();
    *grid = toDim3(last.grid);
    *block = toDim3(last.block);
    *sharedBytes = last.sharedBytes;
    *static_cast<cudaStream_t *>(stream) = last.stream;
    configurations.pop_back();
    return cudaSuccess;
  });
}
