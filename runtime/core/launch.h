//===- launch.h - Launching and asking about kernels ------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/alternative.h"
#include "runtime/core/launch_plan.h"

namespace regrain {

/// The plan of a registered kernel on the calling thread's device; made if there
/// is none. cudaErrorInvalidDeviceFunction for an unknown host function.
[[nodiscard]] cudaError_t findPlan(const void *hostFunction, LaunchPlan *&out);

/// Launches the kernel behind `hostFunction`. Once it has launched on the device, this
/// takes no lock, and allocates nothing unless there are dozens of parameters; what the
/// device does then is its own.
[[nodiscard]] cudaError_t launchKernel(const void *hostFunction, const LaunchShape &shape,
                                       void **arguments, cudaStream_t stream);

/// Address and size of a registered variable on the calling thread's device.
/// cudaErrorInvalidSymbol for an unknown one.
[[nodiscard]] cudaError_t findVariable(const void *hostVariable, void *&address, size_t &bytes);

/// As cudaDeviceReset on the calling thread's device.
[[nodiscard]] cudaError_t resetCurrentDevice();

/// A stream is about to be destroyed, of whichever device.
void forgetStream(cudaStream_t stream);

} // namespace regrain
