//===- launch.h - Launches and queries of kernels ---------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/alternative.h"
#include "runtime/core/launch_plan.h"

namespace regrain {

/// Gives the plan of a registered kernel on the calling thread's device, and
/// makes it if there is none. Returns cudaErrorInvalidDeviceFunction for an
/// unknown host function.
[[nodiscard]] cudaError_t findPlan(const void *hostFunction, LaunchPlan *&out);

/// Launches the kernel of `hostFunction`. After its first launch on the device, this
/// takes no lock, and allocates nothing unless there are dozens of parameters; that
/// does not include the device's own work.
[[nodiscard]] cudaError_t launchKernel(const void *hostFunction, const LaunchShape &shape,
                                       void **arguments, cudaStream_t stream);

/// Launches the kernel so that the blocks run together that the program demands.
[[nodiscard]] cudaError_t launchTogether(const void *hostFunction, const LaunchShape &shape,
                                         const Togetherness &together, void **arguments,
                                         cudaStream_t stream);

/// Gives the address and the size of a registered variable on the calling
/// thread's device. Returns cudaErrorInvalidSymbol for an unknown one. A managed variable is also
/// known by the address of its memory.
[[nodiscard]] cudaError_t findVariable(const void *hostVariable, void *&address, size_t &bytes);

/// Gives the memory of the managed variable to which the program has `pointer`, and sets the
/// pointer. The first call loads the variable's code on the calling thread's device.
[[nodiscard]] cudaError_t findManaged(void **pointer, void *&address);

/// Does the work of cudaDeviceReset on the calling thread's device.
[[nodiscard]] cudaError_t resetCurrentDevice();

/// Must be called before a stream of any device is destroyed.
void forgetStream(cudaStream_t stream);

} // namespace regrain
