//===- entry.h - The frame of every API entry -------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/core/gate.h"
#include "runtime/core/thread_state.h"

#pragma GCC visibility push(default)
#include "include/cuda/cuda_runtime_api.h"
#pragma GCC visibility pop

#include <new>

namespace regrain {

/// Returns whether a status means that a call failed, and so becomes the thread's
/// last error. cudaErrorNotReady is a result.
inline bool isFailure(cudaError_t status) {
  return status != cudaSuccess && status != cudaErrorNotReady;
}
/// Must be called when an allocation of the program fails. Tuning takes memory in the process
/// and on the device, so a process that tunes ends, to be started again without tuning.
void endWhereTuned() noexcept;

/// Calls the body of an API entry: keeps its error as the thread's last error,
/// and lets no exception escape. It waits while a launch is sampled.
template <typename Body> cudaError_t entry(Body body) noexcept {
  Gate::Passage passage;
  cudaError_t status = cudaErrorUnknown;
  try {
    status = body();
  } catch (const std::bad_alloc &) {
    status = cudaErrorMemoryAllocation;
  } catch (...) {
    status = cudaErrorUnknown;
  }
  if (status == cudaErrorMemoryAllocation)
    endWhereTuned();
  if (isFailure(status))
    ThreadState::get().lastError = status;
  return status;
}

/// Does the same for a body that works on the thread's device and its record in
/// the core.
template <typename Body> cudaError_t onOpenDevice(Body body) noexcept {
  return entry([&] {
    OpenDevice *current = nullptr;
    cudaError_t status = currentDevice(current);
    return status == cudaSuccess ? body(*current) : status;
  });
}

/// Does the same for a body that works on the thread's device.
template <typename Body> cudaError_t onDevice(Body body) noexcept {
  return onOpenDevice([&](OpenDevice &current) { return body(*current.device); });
}

/// Returns the error of an entry that is declared but not provided, and reports
/// it when verbose.
cudaError_t notSupported(const char *name) noexcept;

} // namespace regrain
