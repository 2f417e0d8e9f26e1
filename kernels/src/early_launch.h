//===- early_launch.h - Launches that begin early -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From compute capability 9.0 on, a launch of the library is prepared while the kernel in front of
// it in the stream ends, and waits for that end before it accesses memory. That kernel, and the one
// behind, may be any: they need not know of this.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>
#include <cuda_runtime.h>

namespace regrain::kernels {

/// Each kernel begins with this: nothing that it reads was written before, and nothing that it
/// writes was read.
__device__ __forceinline__ void awaitLaunchInFront() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

/// Returns whether the code that the current device runs has the wait. All code of a library is for
/// the same devices, so that it asks once for each.
template <class... Parameters> static bool waits(void (*kernel)(Parameters...)) {
  constexpr int devices = 64, unknown = 0, leastPtx = 90;
  static std::atomic<int> known[devices]; // one more than whether it does
  int device = devices;
  if (cudaGetDevice(&device) != cudaSuccess || device >= devices)
    return false;
  if (known[device] == unknown) {
    cudaFuncAttributes attributes;
    bool isFound =
        cudaFuncGetAttributes(&attributes, reinterpret_cast<const void *>(kernel)) == cudaSuccess;
    known[device] = isFound && attributes.ptxVersion >= leastPtx ? 2 : 1;
  }
  return known[device] == 2;
}

/// Lets the launch of a kernel that waits begin early. Its attributes have room for one more.
inline void addEarly(cudaLaunchConfig_t &launch) {
  cudaLaunchAttribute &attribute = launch.attrs[launch.numAttrs++];
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
}

/// Launches early. The outcome is the thread's last error, as behind <<<>>>; status.cpp reports it.
template <class... Parameters, class... Arguments>
static void launchEarly(void (*kernel)(Parameters...), dim3 grid, dim3 block, size_t shared,
                        cudaStream_t stream, Arguments... arguments) {
  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t launch{};
  launch.gridDim = grid;
  launch.blockDim = block;
  launch.dynamicSmemBytes = shared;
  launch.stream = stream;
  launch.attrs = &attribute;
  addEarly(launch);
  (void)cudaLaunchKernelEx(&launch, kernel, Parameters(arguments)...);
}

} // namespace regrain::kernels

/// Launches the kernel as <<<GRID, BLOCK, SHARED, STREAM>>> does, and early where its code waits. A
/// compiler sees the constants between the brackets.
#define REGRAIN_LAUNCH_EARLY(KERNEL, GRID, BLOCK, SHARED, STREAM, ...)                             \
  do {                                                                                             \
    if (waits(KERNEL))                                                                             \
      launchEarly(KERNEL, GRID, BLOCK, SHARED, STREAM, __VA_ARGS__);                               \
    else                                                                                           \
      (KERNEL)<<<GRID, BLOCK, SHARED, STREAM>>>(__VA_ARGS__);                                      \
  } while (false)
