//===- submit.h - Work of a library in a stream -----------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The libraries see a stream only by the runtime API. Their work is a host function in the stream,
// so it is ordered with kernels and copies, and a capture records it as a node of the graph.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "include/cuda/cuda_runtime_api.h"

#include <functional>

namespace regrain::libraries {

/// Returns cudaSuccess if the device of the process is the CPU, where the libraries can compute.
/// On a GPU, which could not reach their results, it returns cudaErrorNotSupported.
[[nodiscard]] cudaError_t checkDevice();

/// Queues `work`, which must not throw. A graph that captures the stream executes it at each
/// launch; such work is kept until the process ends.
[[nodiscard]] cudaError_t submit(cudaStream_t stream, std::function<void()> work);

/// Queues `work`, and returns when it is done. The stream must not be capturing.
[[nodiscard]] cudaError_t submitAndWait(cudaStream_t stream, std::function<void()> work);

/// Returns how many threads a library may use for one call: REGRAIN_NUM_THREADS, or all processors.
int threadCount();

} // namespace regrain::libraries
