//===- launch.cpp - Launches of the runtime API ---------------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/core/launch.h"

#include "runtime/cudart/entry.h"

using namespace regrain;

namespace {

Extent toExtent(const dim3 &size) { return {size.x, size.y, size.z}; }

/// Returns whether a launch may ignore the attribute: it is a hint, a permission, or
/// the default behaviour of a launch.
bool canBeLeftOut(const cudaLaunchAttribute &attribute) {
  switch (attribute.id) {
  case cudaLaunchAttributeIgnore:
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributeSynchronizationPolicy:
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
  case cudaLaunchAttributeProgrammaticStreamSerialization:
  case cudaLaunchAttributePriority:
  case cudaLaunchAttributeMemSyncDomainMap:
  case cudaLaunchAttributeMemSyncDomain:
  case cudaLaunchAttributePreferredSharedMemoryCarveout:
    return true;
  case cudaLaunchAttributeCooperative: // see isCooperative
    return true;
  case cudaLaunchAttributeClusterDimension: {
    auto &[x, y, z] = attribute.val.clusterDim;
    return x <= 1 && y <= 1 && z <= 1;
  }
  case cudaLaunchAttributeDeviceUpdatableKernelNode:
    return attribute.val.deviceUpdatableKernelNode.deviceUpdatable == 0;
  case cudaLaunchAttributeProgrammaticEvent:
  case cudaLaunchAttributeLaunchCompletionEvent:
    return false;
  }
  return false; // an attribute of a newer CUDA
}

/// The last of several attributes counts.
bool isCooperative(const cudaLaunchConfig_t &config) {
  bool result = false;
  for (unsigned i = 0; i < config.numAttrs; ++i)
    if (config.attrs[i].id == cudaLaunchAttributeCooperative)
      result = config.attrs[i].val.cooperative != 0;
  return result;
}

cudaError_t launchConfigured(const cudaLaunchConfig_t *config, const void *function,
                             void **arguments, cudaStream_t nullStream) {
  return entry([&] {
    if (!config || (config->numAttrs && !config->attrs))
      return cudaErrorInvalidValue;
    for (unsigned i = 0; i < config->numAttrs; ++i)
      if (!canBeLeftOut(config->attrs[i]))
        return cudaErrorNotSupported;
    LaunchShape shape = {toExtent(config->gridDim), toExtent(config->blockDim),
                         config->dynamicSmemBytes};
    cudaStream_t stream = config->stream ? config->stream : nullStream;
    return isCooperative(*config) ? launchCooperativeKernel(function, shape, arguments, stream)
                                  : launchKernel(function, shape, arguments, stream);
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
    return launchCooperativeKernel(function, {toExtent(grid), toExtent(block), sharedBytes},
                                   arguments, stream);
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
