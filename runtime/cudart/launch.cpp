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

dim3 toDim3(const Extent &extent) { return {extent[0], extent[1], extent[2]}; }

} // namespace

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t sharedBytes, cudaStream_t stream) {
  return entry([&] {
    return launchKernel(function, {toExtent(grid), toExtent(block), sharedBytes}, arguments,
                        stream);
  });
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes,
                                     cudaStream_t stream) {
  cudaError_t status = entry([&] {
    ThreadState::get().callConfigurations.push_back(
        {toExtent(grid), toExtent(block), sharedBytes, stream});
    return cudaSuccess;
  });
  return status; // not 0: the launch is left out
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
